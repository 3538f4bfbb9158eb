import type { Repeat, SetTimer } from '#base/clock.ts';
import type { Prng } from '#base/prng.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Held {
  readonly run: () => void;
  readonly isTimer: boolean;
}

/**
 * A process that may stand still or end at any moment. Whatever reaches it comes through `enter`: timers, answers of
 * the disk and of the network, requests of clients.
 */
export class SimulatedProcess {
  state: 'running' | 'frozen' | 'ended' = 'running';
  private readonly time: VirtualTime;
  private readonly prng: Prng;
  /** What happened outside while it was frozen. */
  private held: Held[] = [];

  constructor(time: VirtualTime, prng: Prng) {
    this.time = time;
    this.prng = prng;
  }

  /** Runs now; while it is frozen, later; once it has ended, never. */
  enter(run: () => void, isTimer = false): void {
    if (this.state === 'running') run();
    else if (this.state === 'frozen') this.held.push({ run, isTimer });
  }

  freeze(): void {
    if (this.state === 'running') this.state = 'frozen';
  }

  /** Goes on: either due timers come first, or all in the order in which it happened. */
  thaw(): void {
    if (this.state !== 'frozen') return;
    this.state = 'running';
    const held = this.held.splice(0);
    const inOrder =
      this.prng.below(2) === 0 ? held : held.toSorted((left, right) => Number(right.isTimer) - Number(left.isTimer));
    for (const { run, isTimer } of inOrder) this.time.setTimer(0, () => this.enter(run, isTimer));
  }

  end(): void {
    this.state = 'ended';
    this.held = [];
  }

  /** What happens outside, as this process learns of it. */
  hear<Result>(outside: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      outside.then(
        (result) => this.enter(() => resolve(result)),
        (error: unknown) => this.enter(() => reject(error as Error)),
      );
    });
  }

  readonly setTimer: SetTimer = (delayMs, run) => {
    let isStopped = false;
    const stop = this.time.setTimer(delayMs, () =>
      this.enter(() => {
        if (!isStopped) run();
      }, true),
    );
    return () => {
      isStopped = true;
      stop();
    };
  };

  readonly repeat: Repeat = (everyMs, run) => {
    let stop: () => void = () => {};
    const next = (): void => {
      stop = this.setTimer(everyMs, () => {
        next();
        run();
      });
    };
    next();
    return () => stop();
  };
}
