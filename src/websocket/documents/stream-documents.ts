import { escapeHtml } from '#base/escape-html.ts';
import documents from '#websocket/documents/stream-documents.json' with { type: 'json' };

/*
 * The AsyncAPI document and its page, as `tools/generate-reference.mjs` made them of the channels, the schema and
 * examples. A server puts in what is its own. DEC-STR-27.
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

/** The page that shows it. */
export const asyncApiPage = (version: string): string =>
  documents.page.join('\n').replace(documents.versionMark, escapeHtml(version));
