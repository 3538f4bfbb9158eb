import type { Clock, SetTimer } from '#base/clock.ts';

/** The machine's time in tests: it passes when a test says so, and timers end at once, or when they are let go. */
export class MachineTime {
  /** Of every timer so far, in milliseconds. */
  readonly delays: number[] = [];
  readonly monotonic: Clock = { now: () => this.#now };
  #now = 0;
  /** Timers that wait; `null`: none has to. */
  #held: (() => void)[] | null = null;
  #onHeld: () => void = () => {};

  readonly setTimer: SetTimer = (delayMs, run) => {
    this.delays.push(delayMs);
    if (this.#held === null) queueMicrotask(run);
    else this.#held.push(run);
    this.#onHeld();
    return () => {};
  };

  pass(ms: number): void {
    this.#now += ms;
  }

  /** From now on timers wait until the returned function is called. */
  hold(): () => void {
    const held: (() => void)[] = [];
    this.#held = held;
    return () => {
      this.#held = null;
      for (const run of held) run();
    };
  }

  /** Resolves once so many timers wait. */
  untilHeld(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onHeld = () => {
        if ((this.#held?.length ?? 0) >= count) resolve();
      };
      this.#onHeld();
    });
  }
}
