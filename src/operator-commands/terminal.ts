import { CommandFailed } from '#operator-commands/exit-codes.ts';

/** Where a command reads and writes. */
export interface Terminal {
  /** Writes to standard output; resolves once that takes more. */
  readonly write: (chunk: string | Uint8Array) => Promise<void>;
  /** Writes to standard error, for people. */
  readonly tell: (text: string) => void;
  /** Writes over the line that standard error ends with; `null`: that is no terminal. */
  readonly progress: ((text: string) => void) | null;
  /** Asks a question and answers what was typed; `null`: nobody can be asked. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Everything that standard input holds. */
  readonly readInput: () => Promise<string>;
  /** Columns of standard output; `null`: it is no terminal. */
  readonly columns: number | null;
}

/** Whether an answer agrees: only `y` and `yes` do. */
export const agrees = (answer: string): boolean => /^y(es)?$/i.test(answer.trim());

/** Work of a command after its arguments were read; answers the exit code. */
export type Work = (terminal: Terminal) => Promise<number>;

/** Does the work of a command, and tells why it failed, each line under the name of the program. */
export async function finish(work: Work, terminal: Terminal): Promise<number> {
  try {
    return await work(terminal);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    terminal.tell(
      error.message
        .split('\n')
        .map((line) => `bourse: ${line}\n`)
        .join(''),
    );
    return error.exit;
  }
}
