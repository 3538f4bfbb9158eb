import type { Command } from '#domain/command.ts';

/** One step of an agent. Time is the exchange's. */
export interface Moment {
  readonly now: number;
  /** Since the last moment in which agents acted, in milliseconds. */
  readonly elapsedMs: number;
  /**
   * `live`: many small steps, whole ladders. `history`: few wide steps; ladders are short and sizes stand for
   * everything that would have happened in between, so that volumes match those of the live market.
   */
  readonly pace: 'live' | 'history';
  /** Lets a ladder be built in one command instead of a few orders at a time. */
  readonly whole: boolean;
}

/** A trading strategy of a simulated participant in one pair. */
export interface Agent {
  /** Commands to submit now, in order; usually none or one. */
  act(moment: Moment): readonly Command[];
}

/**
 * Whether something that is done every `everyMs`, and is due next at `dueAt`, has to wait. A clock that stepped back
 * puts the next time further away than that: then it is due.
 */
export const isEarly = (now: number, dueAt: number, everyMs: number): boolean => now < dueAt && dueAt - now <= everyMs;

/** No command. */
export const nothing: readonly Command[] = [];
