import { parseCommandLine } from '#main/configuration/command-line.ts';
import { readTextFile } from '#main/configuration/config.ts';
import { finish, type Terminal } from '#operator-commands/terminal.ts';

/** A terminal in memory. */
export interface MemoryTerminal {
  readonly terminal: Terminal;
  /** Standard output so far. */
  readonly written: () => string;
  /** Standard error so far, questions included. */
  readonly told: () => string;
}

/** How a terminal answers. */
export interface TerminalOptions {
  /** What is typed when it asks, one after the other; without them nobody is there to be asked. */
  readonly answers?: readonly (string | (() => Promise<string>))[];
  readonly input?: string;
  readonly columns?: number;
  /** Whether standard error is a terminal. */
  readonly isWatched?: boolean;
}

/** A terminal that keeps what is written to it. */
export function memoryTerminal({
  answers,
  input = '',
  columns,
  isWatched = false,
}: TerminalOptions = {}): MemoryTerminal {
  let [written, told] = ['', ''];
  const left = [...(answers ?? [])];
  const terminal: Terminal = {
    write: async (chunk) => {
      written += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    },
    tell: (text) => {
      told += text;
    },
    progress: isWatched
      ? (text) => {
          told += `\r${text}`;
        }
      : null,
    ask:
      answers === undefined
        ? null
        : async (question) => {
            told += question;
            const answer = left.shift() ?? '';
            return typeof answer === 'string' ? answer : answer();
          },
    readInput: async () => input,
    columns: columns ?? null,
  };
  return { terminal, written: () => written, told: () => told };
}

/** How `bourse` is called. */
export interface Called extends TerminalOptions {
  readonly environment?: Readonly<Record<string, string>>;
}

/** What `bourse` did. */
export interface Done {
  readonly exit: number;
  readonly out: string;
  readonly told: string;
}

/** Runs `bourse` in this process: for commands that need no data directory. */
export async function bourseInProcess(argv: readonly string[], called: Called = {}): Promise<Done> {
  const parsed = parseCommandLine(argv, called.environment ?? {}, { version: '1.2.3', readFile: readTextFile });
  if ('exit' in parsed) {
    const { exit, text } = parsed;
    return exit === 0 ? { exit, out: text, told: '' } : { exit, out: '', told: text };
  }
  if (!('work' in parsed)) throw new Error(`${parsed.command} needs a process`);
  const { terminal, written, told } = memoryTerminal(called);
  const exit = await finish(parsed.work, terminal);
  return { exit, out: written(), told: told() };
}
