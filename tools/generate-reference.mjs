/**
 * `node tools/generate-reference.mjs [--check]`: endpoints, errors, permissions and limits under docs/reference/, from
 * the catalogue of `src/api` (as built).
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runGenerator } from './generated-sections.mjs';
import { root } from './prepare.mjs';

const built = (path) => import(pathToFileURL(join(root, 'dist', 'api', path)).href);
const { catalogue } = await built('catalogue.js');
const reference = await built('derive/reference.js');

runGenerator('generate-reference.mjs', [
  { document: 'docs/reference/endpoints.md', content: reference.endpointsReference(catalogue) },
  { document: 'docs/reference/errors.md', content: reference.errorsReference(catalogue) },
  { document: 'docs/reference/permissions.md', content: reference.permissionsReference(catalogue) },
  { document: 'docs/reference/limits.md', content: reference.limitsReference() },
]);
