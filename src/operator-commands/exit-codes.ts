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

/** What a code tells: of a command, of `bourse start`, and whether a service that ended with it is started again. */
interface ExitMeaning {
  readonly command: string;
  /** Empty: a start does not end with it. */
  readonly start: string;
  readonly restart: string;
}

/** What each code tells people; the reference of commands shows it. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, ExitMeaning>> = {
  done: {
    command: 'done; also an act that waits for a second operator',
    start: 'stopped as asked (SIGTERM or SIGINT), everything flushed',
    restart: '',
  },
  failed: {
    command: 'refused by a rule, declined when asked, an alarm (a difference, a fault), or stopped by a fault',
    start: 'stopped by a fault, such as a disk that no longer takes writes, or a command that breaks an invariant',
    restart: 'yes: recovery starts from the journal, without that command',
  },
  usage: {
    command: 'used wrongly: an option, an argument or a setting cannot be used, or nobody was there to be asked',
    start:
      'a setting cannot be used, such as a profile that is not the one of the data directory; the message names it ' +
      'and where it comes from',
    restart: 'no',
  },
  data: {
    command: 'the data directory, or a file or directory that it should write, cannot be used as it is',
    start:
      'the data directory cannot be used as it is: damaged, incomplete, not to be applied by this build, in use by ' +
      'another process, not writable, or on a file system that does not lock, map or sync files',
    restart: 'no',
  },
  port: {
    command: 'a port that it should listen on cannot be had',
    start: 'a port or an address that it is to listen on cannot be had; the message names the setting',
    restart: 'yes: who has it may end',
  },
  notAllowed: {
    command: 'not allowed: the token is unknown or lacks the scope, or the address is denied',
    start: '',
    restart: '',
  },
  notReached: {
    command: 'the exchange was not reached, or cannot act now; nothing happened',
    start: '',
    restart: '',
  },
  outcomeUnknown: { command: 'the answer was lost: it may have happened', start: '', restart: '' },
};

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
