import { basename, dirname, join, resolve } from 'node:path';

/** A word as a shell takes it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const commandName = 'bourse';

/**
 * How the command is called again, by the script that was called: where no command of that name is in the path,
 * `npx bourse` finds it in a clone, and anywhere else it would run whatever package has that name.
 */
export function calledAs(script: string): string {
  if (dirname(script).endsWith(join('node_modules', '.bin'))) return `npx ${commandName}`;
  return basename(script) === commandName ? commandName : `node ${quoted(resolve(script))}`;
}
