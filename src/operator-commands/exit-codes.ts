/** What `bourse` ends with; the same numbers for all its commands. DEC-OPR-261. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  data: 3,
  port: 4,
  notAllowed: 5,
  notReached: 6,
  outcomeUnknown: 7,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with one line on standard error. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
  readonly exit: ExitCode;

  constructor(exit: ExitCode, message: string) {
    super(message);
    this.exit = exit;
  }
}

/** A command that cannot begin as it was called. */
export const usedWrongly = (message: string): CommandFailed => new CommandFailed(exitCodes.usage, message);
