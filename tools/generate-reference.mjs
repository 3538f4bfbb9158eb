/**
 * `node tools/generate-reference.mjs [--check]`: endpoints, errors, permissions, limits, metrics and commands under
 * docs/reference/, from the catalogues of `src/public-api`, `src/operator-api` and `src/main/metrics` and the commands
 * of the program (as built); the schema of scenario files; what `src/client` knows of endpoints; what servers show of
 * their websocket, from its channels and what `tools/stream-documents` has happen on them; and the calls and pushes of
 * the Python package.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './build.mjs';
import { runGenerator } from './generated-sections.mjs';
import { root } from './prepare.mjs';

const built = (...path) => import(pathToFileURL(join(root, 'dist', ...path)).href);
const { referenceDocuments } = await built('public-api', 'documents', 'reference.js');
const { clientSources } = await built('public-api', 'documents', 'client-reference.js');
const { operatorReferenceDocuments } = await built('operator-api', 'documents', 'reference.js');
const { commandReference } = await built('main', 'completion', 'command-reference.js');
const { scenarioJsonSchema } = await built('testing', 'scenario', 'scenario-json-schema.js');
const { metricsReference } = await built('main', 'metrics', 'metrics-reference.js');

const tools = join(root, 'tools');
await bundle(tools, join(root, 'dist', 'tools'), [
  join(tools, 'stream-documents', 'stream-documents.ts'),
  join(tools, 'python-client', 'python-client.ts'),
]);
const { streamDocuments } = await built('tools', 'stream-documents', 'stream-documents.js');
const { pythonDocuments } = await built('tools', 'python-client', 'python-client.js');

runGenerator('generate-reference.mjs', [
  ...Object.entries({ ...referenceDocuments(), ...operatorReferenceDocuments() }).map(([name, content]) => ({
    document: `docs/reference/${name}`,
    content,
  })),
  ...Object.entries(clientSources()).map(([name, content]) => ({ document: `src/client/${name}`, content })),
  { document: 'docs/reference/commands.md', content: commandReference() },
  { document: 'docs/reference/scenario.schema.json', content: scenarioJsonSchema() },
  { document: 'docs/reference/metrics.md', content: metricsReference() },
  { document: 'src/websocket/documents/stream-documents.json', content: await streamDocuments() },
  ...pythonDocuments(),
]);
