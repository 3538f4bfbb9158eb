import { writeFileSync } from 'node:fs';
import type { Command } from '#model/command.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';

const napMs = 0.01;

/** Linux lets a sleep last 50 microseconds longer than asked, to save power. Elsewhere, or where refused, so be it. */
function sleepPunctually(): void {
  try {
    writeFileSync('/proc/self/timerslack_ns', '1');
  } catch {
    // The load is then a little less even.
  }
}

/**
 * Posts commands at a steady rate, whatever becomes of them, and times each from submit to durable, and to its answer,
 * which comes when it is applied as well; all count.
 *
 * It must not be what it measures. Commands are made when they are due, and those that become durable together are
 * followed by one promise: garbage would be the collector's time, not the journal's. Its functions live as long as it
 * does, so that only its first run compiles them. And it sleeps while nothing is due: a loop that never does holds its
 * core for a whole slice of the scheduler, 4 ms, whenever a thread of the journal happens to wake on the same one.
 */
export class SteadyLoad {
  private readonly ingress: CommandIngress;
  private readonly perMs: number;
  private readonly next: () => Command;
  private readonly clock = new Int32Array(new SharedArrayBuffer(4));
  private submitted = new Float64Array(0);
  private toDurable = new Float64Array(0);
  private toAnswer = new Float64Array(0);
  private sent = 0;
  private durable = 0;
  private answered = 0;
  private began = 0;
  private latest = { promise: Promise.resolve(), end: 0 };
  private finish: () => void = () => {};

  constructor(ingress: CommandIngress, perSecond: number, next: () => Command) {
    sleepPunctually();
    this.ingress = ingress;
    this.perMs = perSecond / 1000;
    this.next = next;
  }

  /** Milliseconds that each of the next `count` commands took until it was durable and until it was answered. */
  async run(count: number): Promise<{ readonly toDurable: Float64Array; readonly toAnswer: Float64Array }> {
    this.submitted = new Float64Array(count);
    this.toDurable = new Float64Array(count);
    this.toAnswer = new Float64Array(count);
    this.sent = 0;
    this.durable = 0;
    this.answered = 0;
    this.began = performance.now();
    await new Promise<void>((resolve) => {
      this.finish = resolve;
      this.turn();
    });
    const { toDurable, toAnswer } = this;
    return { toDurable, toAnswer };
  }

  /** To be told when the next `count` commands are durable. */
  becameDurable(count: number): void {
    const now = performance.now();
    const end = this.durable + count;
    for (; this.durable < end; this.durable += 1) {
      this.toDurable[this.durable] = now - this.submitted[this.durable]!;
    }
  }

  private readonly turn = (): void => {
    const now = performance.now();
    const due = Math.min(this.submitted.length, Math.floor((now - this.began) * this.perMs));
    if (this.sent === due) Atomics.wait(this.clock, 0, 0, napMs);
    for (; this.sent < due; this.sent += 1) {
      const command = this.next();
      this.submitted[this.sent] = performance.now();
      this.follow(this.ingress.post(command));
    }
    if (this.sent < this.submitted.length) setImmediate(this.turn);
  };

  /** Counts the command that was just handed over to those that hear of their end from the same promise. */
  private follow(promise: Promise<void>): void {
    if (promise === this.latest.promise) {
      this.latest.end = this.sent + 1;
      return;
    }
    const group = { promise, end: this.sent + 1 };
    this.latest = group;
    void promise.then(() => this.answer(group.end));
  }

  private answer(end: number): void {
    const now = performance.now();
    for (; this.answered < end; this.answered += 1) {
      this.toAnswer[this.answered] = now - this.submitted[this.answered]!;
    }
    if (this.answered === this.submitted.length) this.finish();
  }
}
