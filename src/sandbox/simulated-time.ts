import type { Clock, Repeat } from '#base/clock.ts';

/*
 * Time of a sandbox that is not that of the machine: it begins at a moment of choice, so that a market with the same
 * seed is the same market on every day. DEC-OPR-26, DEC-OPR-28.
 */

/** Controls of a clock that stands until it is advanced. */
export interface ClockControls {
  /**
   * Advances the clock by whole milliseconds, above 0; whatever is due on the way is done, each at its time. Resolves
   * to the time that the clock then shows, once all of it is done. Advances wait for each other.
   */
  advance(byMs: number): Promise<number>;
}

/**
 * The clock of such a sandbox, and what is done again and again by it: at exact times of the clock, what is due at one
 * moment in the order of `repeat`, and one after the other.
 */
export interface SimulatedTime {
  readonly clock: Clock;
  /** For whatever submits commands without being asked. */
  readonly repeat: Repeat;
  /** Goes on from `at`, in milliseconds since 1970 UTC. Call it before the first entry of a start. */
  goOnFrom(at: number): void;
  /** Lets a clock that runs by itself run, until the returned function is called. */
  start(): () => void;
  /** `null`: the clock runs by itself. */
  readonly controls: ClockControls | null;
}

/** A running clock shows whole steps of this many milliseconds. */
const stepMs = 10;

/**
 * Time that stands at `startAt` until it is started, then runs as fast as that of `monotonic`. Where what is due takes
 * longer than the time until it is due again, the clock falls behind, and catches up later.
 */
export function createRunningTime(startAt: number, monotonic: Clock, repeat: Repeat): SimulatedTime {
  const time = createManualTime(startAt);
  const start = (): (() => void) => {
    const offset = time.clock.now() - monotonic.now();
    let isAdvancing = false;
    return repeat(stepMs, async () => {
      const behindMs = monotonic.now() + offset - time.clock.now();
      if (isAdvancing || behindMs <= 0) return;
      isAdvancing = true;
      await time.controls.advance(behindMs).finally(() => {
        isAdvancing = false;
      });
    });
  };
  return { ...time, start, controls: null };
}

interface Task {
  readonly everyMs: number;
  readonly run: () => unknown;
  dueAt: number;
}

/** Time that stands at `startAt` until it is advanced. */
export function createManualTime(startAt: number): SimulatedTime & { readonly controls: ClockControls } {
  let shown = startAt;
  const tasks = new Set<Task>();
  const runUntil = async (until: number): Promise<void> => {
    for (;;) {
      const next = [...tasks].reduce((least, { dueAt }) => Math.min(least, dueAt), Number.POSITIVE_INFINITY);
      if (next > until) break;
      shown = next;
      for (const task of [...tasks]) {
        // An earlier one of this moment may have ended it.
        if (task.dueAt > next || !tasks.has(task)) continue;
        task.dueAt += task.everyMs;
        await task.run();
      }
    }
    shown = until;
  };
  let last: Promise<unknown> = Promise.resolve();
  const advance: ClockControls['advance'] = (byMs) => {
    if (!Number.isSafeInteger(byMs) || byMs <= 0) throw new RangeError('a clock advances by whole milliseconds');
    const advanced = last.then(async () => {
      await runUntil(shown + byMs);
      return shown;
    });
    last = advanced.catch(() => undefined);
    return advanced;
  };
  return {
    clock: { now: () => shown },
    repeat: (everyMs, run) => {
      const task = { everyMs, run, dueAt: shown + everyMs };
      tasks.add(task);
      return () => void tasks.delete(task);
    },
    goOnFrom: (at) => {
      for (const task of tasks) task.dueAt += at - shown;
      shown = at;
    },
    start: () => () => {},
    controls: { advance },
  };
}
