/**
 * `node tools/generate-reference.mjs [--check]`: endpoints, errors, permissions and limits under docs/reference/, from
 * the catalogue of `src/api` (as built).
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runGenerator } from './generated-sections.mjs';
import { root } from './prepare.mjs';

const reference = await import(pathToFileURL(join(root, 'dist', 'api', 'derive', 'reference.js')).href);

runGenerator(
  'generate-reference.mjs',
  Object.entries(reference.referenceDocuments()).map(([name, content]) => ({
    document: `docs/reference/${name}`,
    content,
  })),
);
