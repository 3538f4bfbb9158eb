import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Files that the package ships; this one and what is built of it stand equally deep. */
const folder = new URL('../../scenarios/', import.meta.url);
const ending = '.yaml';
const namePattern = /^[a-z0-9-]+$/;

/** Names of the scenarios that the package ships, sorted. */
export const shippedScenarios = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();

/** The text of a scenario: the file at a path, else the one that is shipped under the name. @throws Error */
export function scenarioText(where: string | URL): { readonly text: string; readonly file: string } {
  const path = where instanceof URL ? fileURLToPath(where) : where;
  const shipped = new URL(`${path}${ending}`, folder);
  const isShipped = namePattern.test(path) && !existsSync(path) && existsSync(shipped);
  return { text: readFileSync(isShipped ? shipped : path, 'utf8'), file: isShipped ? `${path}${ending}` : path };
}
