import type { Clock, SetTimer } from '#base/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** 2023, as milliseconds since 1970. */
const start = 1_700_000_000_000;

/** Resolves when everything that needs no time has happened: promises, and what the sequencer puts off by one turn. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock whose time passes only in `pass`, timer by timer, so that a run is the same each time. */
export class VirtualTime implements Clock {
  private time = start;
  /** By their moment; those of the same moment in the order in which they were set. */
  private readonly timers: Timer[] = [];

  now(): number {
    return this.time;
  }

  /** Milliseconds since the beginning. */
  get passed(): number {
    return this.time - start;
  }

  readonly setTimer: SetTimer = (delayMs, run) => {
    const timer = { at: this.time + Math.max(0, delayMs), run };
    let index = this.timers.length;
    while (index > 0 && this.timers[index - 1]!.at > timer.at) index -= 1;
    this.timers.splice(index, 0, timer);
    return () => {
      const found = this.timers.indexOf(timer);
      if (found >= 0) this.timers.splice(found, 1);
    };
  };

  readonly sleep = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      this.setTimer(delayMs, resolve);
    });

  /** Lets time pass until `isOver`, asked after each timer, or for `mostMs`. Answers whether it was over. */
  async pass(mostMs: number, isOver: () => boolean = () => false): Promise<boolean> {
    const end = this.time + mostMs;
    await settle();
    while (!isOver()) {
      const next = this.timers[0];
      if (next === undefined || next.at > end) {
        this.time = end;
        return isOver();
      }
      this.timers.shift();
      this.time = next.at;
      next.run();
      await settle();
    }
    return true;
  }
}
