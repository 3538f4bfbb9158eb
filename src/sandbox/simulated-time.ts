import { setImmediate } from 'node:timers/promises';
import { type Clock, monotonicClock, type Repeat, repeatedly, stopwatch, wallClock } from '#base/clock.ts';
import {
  type AdvanceEnd,
  type AdvancePace,
  type AdvanceProgress,
  clockBounds,
  type ClockControls,
  type ClockMode,
  type ClockState,
} from '#sandbox/clock-controls.ts';
import { DueTasks } from '#sandbox/due-tasks.ts';
import { nextCoarseMoment, nextMinute } from '#sandbox/history-schedule.ts';

/*
 * Time of a sandbox. It follows the machine's clock, stands until it is advanced, or runs by itself as fast as is
 * asked, and a program may change that while it runs. Time never runs backwards. DEC-OPR-26, DEC-OPR-28, DEC-KIT-01.
 */

/** Tells those who act often how finely time passes now. */
export interface TimePace {
  /** Whether whole minutes pass at a time. */
  isCoarse(): boolean;
  /** Calls `run` where coarse time has ended, before anything else happens. Answers what ends that. */
  onFine(run: () => unknown): () => void;
}

/** The clock of a sandbox, and what is done again and again by it. */
export interface SimulatedTime {
  readonly clock: Clock;
  /** The same time, but never backwards, from wherever: by it windows pass, and what is seldom checked. DEC-KIT-06. */
  readonly passed: Clock;
  /** For whatever submits commands without being asked. */
  readonly repeat: Repeat;
  readonly pace: TimePace;
  readonly controls: ClockControls;
  /**
   * Goes on from `at`, earlier or later, with what is due as far away as before. A clock that follows the machine's
   * runs on from there only where that is far ahead. Call it before the first entry of a start.
   */
  goOnFrom(at: number): void;
  /** Lets a clock run that runs by itself. Answers what ends it, with any advance. */
  start(): () => void;
}

/** A running clock is stepped this often. */
const stepMs = 10;
/** The longest advance that is fine unless asked otherwise. */
const fineMsMost = 60_000;
/** The highest factor at which time passes finely: above it a machine could not keep up with the traders. */
const fineFactorMost = 20;
/** A clock that follows goes on apart from the machine's where the last entry is this far ahead of that. */
const aheadMostMs = 60_000;
/** Others get a turn after so long. */
const turnMs = 5;

/** How the time of a sandbox begins. */
export interface TimeStart {
  readonly mode: ClockMode;
  /** How many times as fast as the machine's clock it runs; absent: once. */
  readonly factor?: number;
  /** What it shows at first, unless it follows the machine's clock. */
  readonly at: number;
  /** Whether there are simulated traders: advances are finer then. */
  readonly hasTraders: boolean;
}

/** The machine's time. */
export interface MachineTimes {
  readonly wall: Clock;
  readonly monotonic: Clock;
  readonly repeat: Repeat;
}

const thisMachine: MachineTimes = { wall: wallClock, monotonic: monotonicClock, repeat: repeatedly };

/** When the next step of an advance or a run is, seen from a moment. */
type NextStep = (at: number) => number;

class SteppedTime implements SimulatedTime {
  readonly clock: Clock;
  readonly passed: Clock;
  readonly repeat: Repeat;
  readonly pace: TimePace;
  readonly controls: ClockControls;
  readonly #machine: MachineTimes;
  readonly #hasTraders: boolean;
  readonly #tasks = new DueTasks();
  readonly #whenFine = new Set<() => unknown>();
  #mode: ClockMode;
  #factor = 1;
  /** What the clock shows unless it follows. */
  #shown: number;
  /** What it showed at a time of the monotonic clock, from where it runs. */
  #ranFrom = { shown: 0, monotonic: 0 };
  /** What `passed` showed, and the time that it goes by, when it went by another one last. */
  #passedFrom = { passed: 0, base: 0 };
  #isCoarse = false;
  #isStarted = false;
  #endRun = (): void => {};
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #progress: Omit<AdvanceProgress, 'now'> | null = null;
  /** Advances of an earlier number are cancelled. */
  #epoch = 0;
  #turnedAt = 0;

  constructor({ mode, factor = 1, at, hasTraders }: TimeStart, machine: MachineTimes) {
    this.#machine = machine;
    this.#hasTraders = hasTraders;
    this.#mode = mode;
    this.#factor = factor;
    this.#isCoarse = mode === 'running' && factor > fineFactorMost;
    this.#shown = at;
    this.clock = { now: () => (this.#mode === 'following' ? machine.wall.now() : this.#shown) };
    this.passed = { now: () => this.#passedFrom.passed + this.#base() - this.#passedFrom.base };
    this.repeat = (everyMs, run) => this.#tasks.add(everyMs, run, this.clock.now());
    this.pace = {
      isCoarse: () => this.#isCoarse,
      onFine: (run) => {
        this.#whenFine.add(run);
        return () => void this.#whenFine.delete(run);
      },
    };
    this.controls = {
      state: () => this.#state(),
      advance: (byMs, how = {}) => this.#advance(byMs, how.pace ?? 'auto', how.isOver ?? (() => false)),
      cancel: async () => {
        this.#epoch += 1;
        await this.#last;
      },
      change: (to) => this.#turn(() => this.#change(to)),
    };
    this.#passedFrom = { passed: this.#base(), base: this.#base() };
    if (mode === 'following') this.#tasks.follow(machine.repeat);
  }

  goOnFrom(at: number): void {
    if (this.#mode === 'following') {
      if (at - this.#machine.wall.now() <= aheadMostMs) return;
      this.#leave('running', at);
    } else {
      this.#tasks.shift(at - this.#shown);
      this.#rebase(() => {
        this.#shown = at;
      });
    }
    this.#runOn();
  }

  start(): () => void {
    this.#isStarted = true;
    this.#runOn();
    return () => {
      this.#isStarted = false;
      this.#epoch += 1;
      this.#endRun();
    };
  }

  #state(): ClockState {
    const now = this.clock.now();
    return {
      mode: this.#mode,
      factor: this.#mode === 'running' ? this.#factor : null,
      now,
      offsetMs: now - this.#machine.wall.now(),
      advance: this.#progress === null ? null : { ...this.#progress, now },
    };
  }

  /** The time that `passed` goes by. */
  #base(): number {
    return this.#mode === 'following' ? this.#machine.monotonic.now() : this.#shown;
  }

  /** Lets `passed` go on from where it is while the time that it goes by is another one. */
  #rebase(move: () => void): void {
    const passed = this.passed.now();
    move();
    this.#passedFrom = { passed, base: this.#base() };
  }

  /** One after the other: whatever moves the clock. */
  #turn<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const result = this.#last.then(work).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Goes apart from the machine's clock. */
  #leave(mode: ClockMode, at: number): void {
    this.#rebase(() => {
      this.#shown = at;
      this.#mode = mode;
      this.#factor = 1;
    });
    this.#tasks.unfollow(at);
  }

  /** Runs from what is shown now, at the factor of now, if it is to run at all. */
  #runOn(): void {
    this.#endRun();
    this.#endRun = () => {};
    this.#ranFrom = { shown: this.#shown, monotonic: this.#machine.monotonic.now() };
    if (this.#isStarted && this.#mode === 'running')
      this.#endRun = this.#machine.repeat(stepMs, () => this.#runBehind());
  }

  /** Catches up with the time that has passed on the machine; where that takes longer than it has, later. */
  async #runBehind(): Promise<void> {
    const { shown, monotonic } = this.#ranFrom;
    const target = shown + Math.floor((this.#machine.monotonic.now() - monotonic) * this.#factor);
    if (this.#waiting > 0 || target <= this.#shown || this.#shown >= clockBounds.latest) return;
    const until = Math.min(target, clockBounds.latest);
    await this.#turn(() => this.#stepTo(until, this.#isCoarse ? nextMinute : () => this.#tasks.next()));
  }

  /** Shows each step up to `until` and does what is due then; ends early where `isOver` says so. */
  async #stepTo(until: number, next: NextStep, isOver: () => boolean = () => false): Promise<void> {
    for (let at = next(this.#shown); at <= until; at = next(this.#shown)) {
      // What a coarse run passed by is late.
      this.#shown = Math.max(this.#shown, at);
      await this.#tasks.run(this.#shown);
      if (isOver()) return;
      if (stopwatch() - this.#turnedAt > turnMs) {
        await setImmediate();
        this.#turnedAt = stopwatch();
      }
    }
    this.#shown = Math.max(this.#shown, until);
  }

  #advance(byMs: number, pace: AdvancePace, isOver: () => boolean): Promise<AdvanceEnd> {
    if (!Number.isSafeInteger(byMs) || byMs <= 0) throw new RangeError('a clock advances by whole milliseconds');
    const epoch = this.#epoch;
    const isCoarse = pace === 'coarse' || (pace === 'auto' && byMs > fineMsMost);
    return this.#turn(async () => {
      if (epoch !== this.#epoch) return { now: this.clock.now(), ended: 'cancelled' };
      if (this.#mode === 'following') this.#leave('running', this.#machine.wall.now());
      const from = this.#shown;
      const to = Math.min(from + byMs, clockBounds.latest);
      this.#progress = { from, to, startedAt: this.#machine.wall.now() };
      let isMet = false;
      const isEnded = (): boolean => {
        isMet ||= isOver();
        return isMet || epoch !== this.#epoch;
      };
      const next: NextStep = isCoarse
        ? (at) => (at < to ? nextCoarseMoment(at, to, this.#hasTraders) : Number.POSITIVE_INFINITY)
        : () => this.#tasks.next();
      const wasCoarse = this.#isCoarse;
      try {
        await this.#pass(isCoarse, () => this.#stepTo(to, next, isEnded));
        await this.#pass(wasCoarse, async () => {});
      } finally {
        this.#progress = null;
        this.#runOn();
      }
      const cut = this.#shown < to || isMet;
      return { now: this.#shown, ended: isMet ? 'over' : cut ? 'cancelled' : 'reached' };
    });
  }

  /** Lets time pass finely or coarsely. */
  async #pass(isCoarse: boolean, run: () => Promise<void>): Promise<void> {
    const isFineAgain = this.#isCoarse && !isCoarse;
    this.#isCoarse = isCoarse;
    if (isFineAgain) for (const each of [...this.#whenFine]) await each();
    await run();
  }

  async #change({ mode, factor = 1, at = 0 }: Parameters<ClockControls['change']>[0]): Promise<void> {
    const { wall } = this.#machine;
    if (mode === 'following') {
      if (this.#mode === 'following' || this.#shown > wall.now()) return;
      await this.#setForward(wall.now());
      await this.#pass(false, async () => {});
      this.#rebase(() => {
        this.#mode = 'following';
      });
      this.#tasks.follow(this.#machine.repeat);
    } else {
      if (this.#mode === 'following') this.#leave(mode, wall.now());
      this.#mode = mode;
      this.#factor = factor;
      await this.#setForward(at);
      await this.#pass(mode === 'running' && factor > fineFactorMost, async () => {});
    }
    this.#runOn();
  }

  async #setForward(at: number): Promise<void> {
    if (at <= this.#shown) return;
    this.#shown = Math.min(at, clockBounds.latest);
    await this.#tasks.run(this.#shown);
  }
}

/** The time of a sandbox. */
export const createSimulatedTime = (start: TimeStart, machine: MachineTimes = thisMachine): SimulatedTime =>
  new SteppedTime(start, machine);

/** Time that stands at `startAt` until it is advanced. */
export const createManualTime = (startAt: number): SimulatedTime =>
  createSimulatedTime({ mode: 'standing', at: startAt, hasTraders: true });
