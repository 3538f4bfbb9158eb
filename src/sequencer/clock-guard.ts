import type { Clock } from '#base/clock.ts';

/** How far the machine's clock may get ahead of what is expected, in milliseconds. */
export const clockTolerance = {
  /** Against the monotonic clock. */
  stepMs: 60_000,
  /** Of the last entry, at a start. */
  startMs: 7 * 86_400_000,
} as const;

/** How fast the reference follows a clock that creeps forward: by one step an hour. */
const creepRate = clockTolerance.stepMs / 3_600_000;

/** A clock found further ahead than it can have come by itself. */
export interface ClockStep {
  /** While running, or between the last entry and this start. */
  readonly kind: 'step' | 'start';
  /** How far ahead it is of what was expected. */
  readonly byMs: number;
  /** What it showed. */
  readonly shown: number;
}

/** Why entry is no longer stopped: somebody vouched for the clock, or it was set back. */
export type ClockReturn = 'confirmed' | 'undone';

/** What a guard watches and whom it tells. */
export interface ClockGuardOptions {
  /** The machine's calendar time. */
  readonly wall: Clock;
  readonly monotonic: Clock;
  /** Time of the last entry; 0: there is none. */
  readonly lastEntryAt: number;
  /** A step of an earlier run that nobody has confirmed. */
  readonly unconfirmed: ClockStep | null;
  /** `false`: steps are told and followed. */
  readonly stops: boolean;
  readonly onStep: (step: ClockStep) => void;
  readonly onReturn: (why: ClockReturn) => void;
}

/**
 * The machine's clock, held against its monotonic one at every reading. A clock that was set forward too far is not
 * believed until an operator confirms it or it is set back: an entry that is dated by it could never be undated,
 * because engine time does not decrease. Meanwhile this clock goes on from the last time that was believed.
 *
 * Clocks are compared by their offset, wall time less monotonic time. Corrections backwards are always believed, and so
 * is the way back to where the clock would be by now had it gone on evenly since the latest time that was ever dated:
 * that makes nothing older than it is. The reference follows small corrections forward slowly, so that many of them
 * count as the one step that they amount to.
 */
export class ClockGuard implements Clock {
  private readonly options: ClockGuardOptions;
  /** Offset from which steps forward are measured. */
  private reference: number;
  private tolerated: number;
  /** Offset of the last reading that was believed, and the monotonic time of it. */
  private believed: number;
  private believedAt: number;
  /** The latest time that was dated, and the reference at that moment. */
  private dated: { readonly at: number; readonly reference: number };
  /** Offset at the start or at the last confirmation. */
  private origin: number;
  private step: ClockStep | null = null;

  constructor(options: ClockGuardOptions) {
    this.options = options;
    const { wall, monotonic, lastEntryAt, unconfirmed, stops } = options;
    const at = monotonic.now();
    const shown = wall.now();
    const offset = shown - at;
    this.origin = offset;
    this.believedAt = at;
    // A clock that shows less than when the step was seen was set back in between.
    const isUnconfirmed = stops && unconfirmed !== null && shown >= unconfirmed.shown;
    this.tolerated = isUnconfirmed ? clockTolerance.stepMs : clockTolerance.startMs;
    if (isUnconfirmed) this.reference = offset - unconfirmed.byMs;
    else this.reference = lastEntryAt === 0 ? offset : lastEntryAt - at;
    this.believed = Math.min(offset, this.reference);
    this.dated = { at: lastEntryAt, reference: lastEntryAt - at };
    this.look(isUnconfirmed ? unconfirmed.kind : 'start');
  }

  /**
   * What to date an entry with: the machine's clock; while that is not believed, the last time that was, and what has
   * passed since.
   */
  now(): number {
    const time = this.look('step');
    if (time > this.dated.at) this.dated = { at: time, reference: this.reference };
    return time;
  }

  /** The step that waits for a confirmation; `null`: the clock is believed. */
  unconfirmedStep(): ClockStep | null {
    this.look('step');
    return this.step;
  }

  /** The machine's clock less the time expected since the start or the last confirmation, in milliseconds. */
  driftMs(): number {
    return this.options.wall.now() - this.options.monotonic.now() - this.origin;
  }

  /** Takes the machine's clock as it is now. Nothing while it is believed anyway. */
  confirm(): void {
    if (this.unconfirmedStep() === null) return;
    const at = this.options.monotonic.now();
    this.origin = this.options.wall.now() - at;
    this.reference = this.origin;
    this.believe(this.origin, at, 'confirmed');
  }

  /** Reads both clocks. Answers the time that is believed. */
  private look(kind: ClockStep['kind']): number {
    const { wall, monotonic, stops, onStep } = this.options;
    const at = monotonic.now();
    const shown = wall.now();
    const offset = shown - at;
    const byMs = Math.round(offset - Math.max(this.reference, this.dated.reference));
    if (byMs <= this.tolerated) {
      this.believe(offset, at, 'undone');
      return shown;
    }
    if (this.step !== null) return at + this.believed;
    const step: ClockStep = { kind, byMs, shown };
    if (stops) {
      this.step = step;
    } else {
      this.reference = offset;
      this.believe(offset, at, 'undone');
    }
    onStep(step);
    return at + this.believed;
  }

  private believe(offset: number, at: number, why: ClockReturn): void {
    const isFirst = this.tolerated === clockTolerance.startMs;
    // Time in which the clock was not believed earns it nothing.
    const passedMs = this.step === null ? at - this.believedAt : 0;
    const followed = Math.max(this.reference + passedMs * creepRate, this.dated.reference);
    this.reference = isFirst ? offset : Math.min(offset, followed);
    this.tolerated = clockTolerance.stepMs;
    this.believed = offset;
    this.believedAt = at;
    if (this.step === null) return;
    this.step = null;
    this.options.onReturn(why);
  }
}
