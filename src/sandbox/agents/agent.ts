import type { Command } from '#model/command.ts';

/** One step of an agent. Time is the exchange's. */
export interface Moment {
  readonly now: number;
  /** Milliseconds since the last step. */
  readonly elapsedMs: number;
  /**
   * `live`: many small steps, whole ladders. `history`: few wide steps with short ladders; sizes are scaled up to the
   * step, so that volumes match those of the live market.
   */
  readonly pace: 'live' | 'history';
  /** Lets a ladder be built in one command instead of a few orders at a time. */
  readonly whole: boolean;
}

/** A trading strategy of a simulated participant. */
export interface Agent {
  /** Commands to submit now, in order; usually none or one. */
  act(moment: Moment): readonly Command[];
}

/**
 * Whether a task of interval `everyMs` that is due at `dueAt` has to wait. If the clock stepped back, `dueAt` is more
 * than one interval away: then the task is due.
 */
export const isEarly = (now: number, dueAt: number, everyMs: number): boolean => now < dueAt && dueAt - now <= everyMs;

/** While history is made, news of an agent's own trades are late by some steps: so many pass between two acts. */
const stepsBetweenActs = 6;

/** Tells at each step whether an agent is due that looks at what it has every `everyMs`. */
export function dueEvery(everyMs: number): (moment: Moment) => boolean {
  let dueAt = 0;
  return ({ now, elapsedMs, pace }) => {
    const pauseMs = pace === 'live' ? everyMs : Math.max(everyMs, elapsedMs * stepsBetweenActs);
    if (isEarly(now, dueAt, pauseMs)) return false;
    dueAt = now + pauseMs;
    return true;
  };
}

/** No command. */
export const nothing: readonly Command[] = [];
