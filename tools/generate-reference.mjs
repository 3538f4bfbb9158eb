/**
 * `node tools/generate-reference.mjs [--check]`: endpoints, errors, permissions and limits under docs/reference/, from
 * the catalogues of `src/public-api` and `src/operator-api` (as built).
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runGenerator } from './generated-sections.mjs';
import { root } from './prepare.mjs';

const built = (...path) => import(pathToFileURL(join(root, 'dist', ...path)).href);
const { referenceDocuments } = await built('public-api', 'documents', 'reference.js');
const { operatorReferenceDocuments } = await built('operator-api', 'documents', 'reference.js');

runGenerator(
  'generate-reference.mjs',
  Object.entries({ ...referenceDocuments(), ...operatorReferenceDocuments() }).map(([name, content]) => ({
    document: `docs/reference/${name}`,
    content,
  })),
);
