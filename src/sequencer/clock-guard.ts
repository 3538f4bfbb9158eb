import type { Clock } from '#base/clock.ts';

/** How far the machine's clock may run ahead of the expected time, in milliseconds. */
export const clockTolerance = {
  /** While running, relative to the monotonic clock. */
  stepMs: 60_000,
  /** At a start, relative to the last entry. */
  startMs: 7 * 86_400_000,
} as const;

/** How fast the reference follows a clock that drifts forward: `stepMs` per hour. */
const creepRate = clockTolerance.stepMs / 3_600_000;

/** A jump of the clock forward that is too large for drift. */
export interface ClockStep {
  /** `step`: while running; `start`: between the last entry and this start. */
  readonly kind: 'step' | 'start';
  /** How far the clock was ahead of the expected time, in milliseconds. */
  readonly byMs: number;
  /** Time that the clock showed. */
  readonly shown: number;
}

/** Why order entry resumed: an operator confirmed the clock, or it was set back. */
export type ClockReturn = 'confirmed' | 'undone';

/** Clocks and callbacks of a guard. */
export interface ClockGuardOptions {
  /** The machine's calendar time. */
  readonly wall: Clock;
  readonly monotonic: Clock;
  /** Time of the last entry; 0: there is none. */
  readonly lastEntryAt: number;
  /** A step of an earlier run that was not confirmed. */
  readonly unconfirmed: ClockStep | null;
  /** `false`: steps are reported but accepted. */
  readonly stops: boolean;
  readonly onStep: (step: ClockStep) => void;
  readonly onReturn: (why: ClockReturn) => void;
}

/**
 * The machine's clock, compared with its monotonic clock at every reading. A clock that was set forward too far is not
 * accepted until an operator confirms it or it is set back: engine time never decreases, so an entry with a wrong
 * future time could not be corrected. Meanwhile this clock continues from the last accepted time.
 *
 * Clocks are compared by their offset: wall time minus monotonic time. Corrections backwards are always accepted. So is
 * the return from one, up to the time the clock would show without it, because entries were dated by that time already.
 * The reference follows small corrections forward slowly, so that many small ones count as one large step.
 */
export class ClockGuard implements Clock {
  private readonly options: ClockGuardOptions;
  /** Offset from which steps forward are measured. */
  private reference: number;
  private tolerated: number;
  /** Offset of the last accepted reading, and its monotonic time. */
  private believed: number;
  private believedAt: number;
  /** The latest time answered, and the reference at that moment. */
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
    // The clock shows less than at the step: it was set back in between.
    const isUnconfirmed = stops && unconfirmed !== null && shown >= unconfirmed.shown;
    this.tolerated = isUnconfirmed ? clockTolerance.stepMs : clockTolerance.startMs;
    if (isUnconfirmed) this.reference = offset - unconfirmed.byMs;
    else this.reference = lastEntryAt === 0 ? offset : lastEntryAt - at;
    this.believed = Math.min(offset, this.reference);
    this.dated = { at: lastEntryAt, reference: lastEntryAt - at };
    this.stepTo(isUnconfirmed ? unconfirmed.kind : 'start');
  }

  /**
   * Time for the next entry: the machine's clock or, while that is not accepted, the last accepted time plus the time
   * passed since.
   */
  now(): number {
    const time = this.stepTo('step');
    if (time > this.dated.at) this.dated = { at: time, reference: this.reference };
    return time;
  }

  /** The step that waits for a confirmation; `null`: the clock is accepted. */
  unconfirmedStep(): ClockStep | null {
    this.stepTo('step');
    return this.step;
  }

  /** How far the machine's clock is ahead of the time expected since the start or confirmation, in milliseconds. */
  driftMs(): number {
    return this.options.wall.now() - this.options.monotonic.now() - this.origin;
  }

  /** Accepts the machine's clock as it is now. No effect while it is accepted anyway. */
  confirm(): void {
    if (this.unconfirmedStep() === null) return;
    const at = this.options.monotonic.now();
    this.origin = this.options.wall.now() - at;
    this.reference = this.origin;
    this.believe(this.origin, at, 'confirmed');
  }

  /** Reads both clocks. Answers the accepted time. */
  private stepTo(kind: ClockStep['kind']): number {
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
    // Time during which the clock was not accepted does not raise the tolerance.
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
