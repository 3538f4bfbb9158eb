import type { Clock } from '#base/clock.ts';

/**
 * The exchange's clock in the sandbox. It follows the wall clock, runs at an offset to it, or stands still. It follows
 * corrections of the machine's clock in both directions, so that clients with the correct time are not refused. Times
 * of entries still never decrease, because the sequencer sees to that.
 */
export interface VirtualClock extends Clock {
  /** Stands still at `at` (milliseconds since 1970 UTC) from now on. */
  set(at: number): void;
  /** Advances by `byMs` >= 0, without starting or stopping the clock. */
  advance(byMs: number): void;
  /** Stands still where it is. */
  freeze(): void;
  /** Runs on from the current value, at the speed of the wall clock. */
  resume(): void;
  /** Shows the wall clock again, whether that is ahead or behind. */
  followWallClock(): void;
  readonly mode: 'following' | 'shifted' | 'standing';
  /** Shown time minus wall time, in milliseconds. */
  offsetMs(): number;
}

/** A clock that follows `wall`, the clock of the machine or of a simulated time, until it is told otherwise. */
export function createVirtualClock(wall: Clock): VirtualClock {
  let mode: VirtualClock['mode'] = 'following';
  /** What a standing clock shows. */
  let shown = 0;
  let offset = 0;
  const now = (): number => {
    if (mode === 'standing') return shown;
    return mode === 'shifted' ? wall.now() + offset : wall.now();
  };
  const stand = (at: number): void => {
    if (!Number.isSafeInteger(at) || at < 0) throw new RangeError('a clock is set to whole milliseconds since 1970');
    shown = at;
    mode = 'standing';
  };
  return {
    now,
    set: stand,
    advance: (byMs) => {
      if (!Number.isSafeInteger(byMs) || byMs < 0) throw new RangeError('a clock advances by whole milliseconds');
      if (mode === 'standing') {
        shown += byMs;
        return;
      }
      offset = now() + byMs - wall.now();
      mode = 'shifted';
    },
    freeze: () => stand(now()),
    resume: () => {
      offset = now() - wall.now();
      mode = 'shifted';
    },
    followWallClock: () => {
      mode = 'following';
    },
    get mode() {
      return mode;
    },
    offsetMs: () => now() - wall.now(),
  };
}
