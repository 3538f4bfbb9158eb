import type { Seq, TimestampMs } from '#model/units.ts';
import type { SandboxAddresses } from '#sandbox/sandbox-files.ts';

/** How many states and forks there may be, and how many bytes all states may take on the disk. DEC-KIT-15. */
export const stateLimits = { states: 32, bytes: 16 * 2 ** 30, forks: 8 } as const;

/** The name of the state that a reset goes back to, where it was kept; no other state has it. DEC-KIT-14. */
export const firstState = 'start';

/** A state of the whole sandbox that was saved: engine, history, chains, clock and keys. */
export interface KeptState {
  /** 1 to 64 of the characters a to z, 0 to 9 and the hyphen. */
  readonly name: string;
  /** When it was kept, by the machine's clock. */
  readonly keptAt: number;
  /** The exchange's time then. */
  readonly exchangeTime: TimestampMs;
  /** The last entry of its journal. */
  readonly lastEntry: Seq;
  /** What it takes on the disk; compressed parts of the journal may be shared with other states. */
  readonly bytes: number;
}

/** What an exchange is after it was restored. */
export interface Restored {
  /** The exchange's time. */
  readonly exchangeTime: TimestampMs;
  readonly lastEntry: Seq;
}

/** A second exchange that began from a kept state. */
export interface Fork {
  readonly id: string;
  /** The state that it began from. */
  readonly state: string;
  readonly addresses: SandboxAddresses;
}

/** Why a state cannot be saved, restored, forked or removed. */
export type StateRefusal =
  | 'unknownState'
  | 'stateExists'
  | 'stateReserved'
  | 'stateOfOtherVersion'
  | 'tooManyStates'
  | 'statesTooLarge'
  | 'tooManyForks'
  | 'unknownFork'
  | 'forkOfFork';

/** A refused call: nothing changed. The message is a sentence with the names. */
export class StateRefused extends Error {
  override name = 'StateRefused';
  readonly refusal: StateRefusal;
  constructor(refusal: StateRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

/** How a state is restored. */
export interface RestoreOptions {
  /** Whether ids may be those that were given since it was saved, so that two runs can be compared. */
  readonly sameIds: boolean;
}

/**
 * States of the whole sandbox, kept beside it on the disk. Calls wait for each other. Each throws StateRefused where
 * it cannot be done; then nothing changed.
 */
export interface StateControls {
  /** All that are kept, by name. */
  list(): Promise<readonly KeptState[]>;
  /** Keeps what the exchange is after the last entry; commands wait meanwhile. */
  save(name: string): Promise<KeptState>;
  /** Makes the exchange what it was; resolves once it serves again, on the same ports. */
  restore(name: string, options: RestoreOptions): Promise<Restored>;
  /** Makes it what it was at its first start. */
  reset(options: RestoreOptions): Promise<Restored>;
  remove(name: string): Promise<void>;
  /** Begins a second exchange from a state; resolves once it serves. */
  fork(name: string): Promise<Fork>;
  /** Those that run, in the order in which they began. */
  forks(): readonly Fork[];
  /** Ends a fork and removes its files. */
  endFork(id: string): Promise<void>;
}
