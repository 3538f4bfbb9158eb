import type { SetTimer } from '#base/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A monotonic clock and its timers, which move only when a test says so. */
export class TestTimers {
  time = 1_000_000;
  private readonly timers = new Set<Timer>();

  readonly now = (): number => this.time;

  readonly setTimer: SetTimer = (delayMs, run) => {
    const timer = { at: this.time + delayMs, run };
    this.timers.add(timer);
    return () => {
      this.timers.delete(timer);
    };
  };

  /** Lets time pass; timers run in order, each at its own moment. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (let next = this.next(end); next !== null; next = this.next(end)) {
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = end;
  }

  get waiting(): number {
    return this.timers.size;
  }

  private next(end: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.timers) if (timer.at <= end && (first === null || timer.at < first.at)) first = timer;
    return first;
  }
}
