/*
 * What a program may ask of the clock of a sandbox, and what it is told. DEC-KIT-01.
 */

/** `following`: the machine's clock; `running`: apart from it, at a factor. */
export const clockModes = ['following', 'standing', 'running'] as const;
export type ClockMode = (typeof clockModes)[number];

/**
 * How exactly time passes that is advanced. `fine`: whatever is due is done at its own time, traders act every 100 ms.
 * `coarse`: everything is done at wide steps, see `nextCoarseMoment`. `auto`: fine up to a minute, else coarse.
 */
export type AdvancePace = 'auto' | 'fine' | 'coarse';

/** An advance that is on its way. */
export interface AdvanceProgress {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  /** By the machine's clock. */
  readonly startedAt: number;
}

/** What the clock shows, and how it goes on. Moments are milliseconds since 1970 UTC. */
export interface ClockState {
  readonly mode: ClockMode;
  /** How many times as fast as the machine's clock it runs; `null`: it does not run by itself, or follows that. */
  readonly factor: number | null;
  readonly now: number;
  /** The clock's time less the machine's. */
  readonly offsetMs: number;
  readonly advance: AdvanceProgress | null;
}

/** Where an advance ended: at its end, where `isOver` said so, or where it was cancelled. */
export interface AdvanceEnd {
  readonly now: number;
  readonly ended: 'reached' | 'over' | 'cancelled';
}

/** Controls of the clock. Whoever calls them sees to the bounds of `clockBounds`. */
export interface ClockControls {
  state(): ClockState;
  /**
   * Advances the clock by whole milliseconds, above 0; whatever is due on the way is done. Resolves once all of it is.
   * `isOver` is asked after each step: the clock stops there. A clock that followed the machine's runs on apart from
   * it. Advances wait for each other.
   */
  advance(byMs: number, how?: { readonly pace?: AdvancePace; readonly isOver?: () => boolean }): Promise<AdvanceEnd>;
  /** Ends every advance that was asked for, after the step that it is at. */
  cancel(): Promise<void>;
  /**
   * Sets the clock forward to `at`, where that is later, and changes how it goes on. What was due on the way is done
   * once, at `at`. Where the clock is ahead of the machine's it does not follow that: nothing changes.
   */
  change(to: { readonly mode: ClockMode; readonly factor?: number; readonly at?: number }): Promise<void>;
}

/** Bounds of what may be asked of the clock. */
export const clockBounds = {
  /** Ten years. */
  advanceMsMost: 3_652 * 86_400_000,
  /** The clock never shows more: the first moment of 2200. */
  latest: 7_258_118_400_000,
  factorLeast: 0.01,
  factorMost: 1000,
} as const;
