import { asyncApi } from './asyncapi.ts';
import { asyncApiPage } from './asyncapi-page.ts';
import { makeStreamExamples } from './stream-examples.ts';

/** The text of `src/websocket/documents/stream-documents.json`: what servers show of their websocket. */
export async function streamDocuments(): Promise<string> {
  const document = asyncApi(await makeStreamExamples());
  const versionMark = '{{version}}';
  const page = asyncApiPage(document, versionMark).split('\n');
  return JSON.stringify({ versionMark, asyncApi: document, page }, null, 1);
}
