import { writeFileSync } from 'node:fs';
import type { Command } from '#domain/command.ts';
import type { CommandIngress } from '#ingress/command-ingress.ts';

const napMs = 0.01;
/** While there is always something due: often and long enough for a thread that waits for this core to do its part. */
const pauseMs = 0.06;
const pauseEveryMs = 0.25;

/** Linux lets a sleep last 50 microseconds longer than asked, to save power. Elsewhere, or where refused, so be it. */
function sleepPunctually(): void {
  try {
    writeFileSync('/proc/self/timerslack_ns', '1');
  } catch {
    // The load is then a little less even.
  }
}

/**
 * Posts commands at a steady rate, whatever becomes of them, and times each from submit to answer; all count.
 *
 * It must not be what it measures. Commands are made when they are due, and their moments need no closures, because
 * they are answered in order: garbage would be the collector's time, not the journal's. Its functions live as long as
 * it does, so that only its first run compiles them. And it sleeps while nothing is due: a loop that never does holds
 * its core for a whole slice of the scheduler, 4 ms, whenever the thread that writes happens to wake on the same one.
 */
export class SteadyLoad {
  private readonly ingress: CommandIngress;
  private readonly perMs: number;
  private readonly next: () => Command;
  private readonly clock = new Int32Array(new SharedArrayBuffer(4));
  private submitted = new Float64Array(0);
  private took = new Float64Array(0);
  private sent = 0;
  private answered = 0;
  private began = 0;
  private slept = 0;
  private finish: () => void = () => {};

  constructor(ingress: CommandIngress, perSecond: number, next: () => Command) {
    sleepPunctually();
    this.ingress = ingress;
    this.perMs = perSecond / 1000;
    this.next = next;
  }

  /** Milliseconds that each of the next `count` commands took, in no order. */
  async run(count: number): Promise<Float64Array> {
    this.submitted = new Float64Array(count);
    this.took = new Float64Array(count);
    this.sent = 0;
    this.answered = 0;
    this.began = performance.now();
    await new Promise<void>((resolve) => {
      this.finish = resolve;
      this.turn();
    });
    return this.took;
  }

  private readonly turn = (): void => {
    const now = performance.now();
    const due = Math.min(this.took.length, Math.floor((now - this.began) * this.perMs));
    if (this.sent === due) this.sleep(napMs);
    else if (now - this.slept > pauseEveryMs) this.sleep(pauseMs);
    for (; this.sent < due; this.sent += 1) {
      const command = this.next();
      this.submitted[this.sent] = performance.now();
      void this.ingress.post(command).then(this.answer);
    }
    if (this.sent < this.took.length) setImmediate(this.turn);
  };

  private sleep(forMs: number): void {
    Atomics.wait(this.clock, 0, 0, forMs);
    this.slept = performance.now();
  }

  private readonly answer = (): void => {
    this.took[this.answered] = performance.now() - this.submitted[this.answered]!;
    this.answered += 1;
    if (this.answered === this.took.length) this.finish();
  };
}
