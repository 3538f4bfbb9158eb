import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { CommandFailed, exitCodes } from '#operator-commands/exit-codes.ts';
import type { Terminal } from '#operator-commands/terminal.ts';

/** The terminal of this process. Who reads its output may stop: then it ends. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  return {
    write: async (chunk) => {
      if (!stdout.write(chunk)) await once(stdout, 'drain');
    },
    tell: (chunk) => stderr.write(chunk),
    progress: stderr.isTTY ? (text) => stderr.write(`\r\x1b[K${text}`) : null,
    ask: stdin.isTTY && stderr.isTTY ? askOnStandardError : null,
    readInput: () => text(stdin),
    columns: stdout.isTTY ? stdout.columns : null,
  };
}

/** From now on it is a failure if who reads standard output stops; `clean` is called before the process ends. */
export function insistOnReader(clean: () => void): void {
  process.stdout.prependListener('error', (error: Error) => {
    clean();
    process.stderr.write(`bourse: standard output: ${error.message}\n`);
    process.exit(exitCodes.failed);
  });
}

async function askOnStandardError(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise((answer, refuse) => {
      // The end of the input, or Ctrl-C: nobody answers any more.
      lines.once('close', () => refuse(new CommandFailed(exitCodes.failed, 'nothing was done')));
      lines.question(question).then(answer, refuse);
    });
  } finally {
    lines.close();
  }
}
