import documents from '#websocket/documents/stream-documents.json' with { type: 'json' };

/*
 * The AsyncAPI document, as `tools/generate-reference.mjs` made it of the channels, the schema and examples. A server
 * puts in what is its own. DEC-STR-27.
 */

/** Where a server speaks, and what it is. */
export interface StreamServer {
  readonly version: string;
  /** Host and port, for example `127.0.0.1:8080`. */
  readonly host: string;
  readonly protocol: 'ws' | 'wss';
}

/** The websocket of this server as an AsyncAPI 3.0 document. */
export function asyncApi({ version, host, protocol }: StreamServer): object {
  const { info, servers, ...rest } = documents.asyncApi;
  return { ...rest, info: { ...info, version }, servers: { public: { ...servers.public, host, protocol } } };
}
