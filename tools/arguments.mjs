import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** The comment that a tool begins with, as plain text: what it does, and with which arguments. */
function usageOf(tool) {
  const [, comment] = /\/\*\*\n([\s\S]*?)\n \*\//.exec(readFileSync(tool, 'utf8'));
  return comment.replaceAll(/^ \* ?/gm, '');
}

/**
 * Reads the arguments of a tool, `options` as those of `parseArgs`. `--help` prints the comment at the head of the
 * tool's file and ends the process with 0; what the tool does not know, a sentence that names it, with 2.
 */
export function argumentsOf(tool, options, { allowPositionals = false } = {}) {
  try {
    const { values, positionals } = parseArgs({ options: { ...options, help: { type: 'boolean' } }, allowPositionals });
    if (values.help !== true) return { values, positionals };
  } catch (error) {
    console.error(`${error.message}\n--help tells what it knows.`);
    process.exit(2);
  }
  console.log(usageOf(tool));
  process.exit(0);
}
