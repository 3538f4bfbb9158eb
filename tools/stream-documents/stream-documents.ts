import { asyncApi } from './asyncapi.ts';
import { makeStreamExamples } from './stream-examples.ts';

/** The text of `src/websocket/documents/stream-documents.json`: what servers show of their websocket. */
export async function streamDocuments(): Promise<string> {
  return JSON.stringify({ asyncApi: asyncApi(await makeStreamExamples()) }, null, 1);
}
