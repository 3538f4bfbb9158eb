import { pino } from 'pino';
import type { Profile } from '#model/profile.ts';

/** What a start tells, and how. */
export interface StartLines {
  /** Whether a person reads along, at the terminal of a sandbox; else each line is JSON, as those of the log are. */
  readonly isForPeople: boolean;
  /** What happens; `fields` are for programs. */
  tell(message: string, fields?: object): void;
  warn(message: string): void;
  /** Why it ends. */
  fail(message: string): void;
}

/** Whether outputs go to a terminal. */
export interface Outputs {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream;
}

/**
 * The lines of `bourse start`: text for a person at the terminal of a sandbox; in production, and where no terminal
 * reads along, JSON alone, so that whoever collects them need not tell two forms apart. DEC-OPR-200.
 */
export function startLines(profile: Profile, { stdout, stderr }: Outputs): StartLines {
  if (profile === 'sandbox' && stdout.isTTY === true) {
    return {
      isForPeople: true,
      tell: (message) => void stdout.write(`${message}\n`),
      warn: (message) => void stderr.write(`${message}\n`),
      fail: (message) => void stderr.write(`bourse: ${message}\n`),
    };
  }
  const lines = pino({ level: 'info' }, stdout as NodeJS.WriteStream);
  const faults = pino({ level: 'info' }, stderr as NodeJS.WriteStream);
  return {
    isForPeople: false,
    tell: (message, fields = {}) => lines.info(fields, message),
    warn: (message) => faults.warn(message),
    fail: (message) => faults.fatal(message),
  };
}
