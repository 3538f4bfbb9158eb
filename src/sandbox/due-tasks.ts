import type { Repeat } from '#base/clock.ts';

interface Task {
  readonly everyMs: number;
  readonly run: () => unknown;
  dueAt: number;
  /** Ends the timer of the machine that paces it, if one does. */
  endTimer: () => void;
}

/**
 * What is done again and again by the clock of a sandbox. While the clock follows the machine's, timers of the machine
 * pace it. Else whoever steps the clock asks when something is due next, and lets it be done: what is due at one moment
 * in the order of `add`, one after the other.
 */
export class DueTasks {
  readonly #tasks = new Set<Task>();
  #timers: Repeat | null = null;

  /** Does `run` every `everyMs` from `now` on, until the returned function is called. */
  add(everyMs: number, run: () => unknown, now: number): () => void {
    const task: Task = { everyMs, run, dueAt: now + everyMs, endTimer: () => {} };
    this.#tasks.add(task);
    if (this.#timers !== null) task.endTimer = this.#timers(everyMs, run);
    return () => {
      task.endTimer();
      this.#tasks.delete(task);
    };
  }

  /** When something is due next; infinity where nothing ever is. */
  next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#tasks) next = Math.min(next, dueAt);
    return next;
  }

  /** Does once what is due at `at` or was before; each goes on in its rhythm, later than `at`. */
  async run(at: number): Promise<void> {
    for (const task of [...this.#tasks]) {
      // An earlier one of this moment may have ended it.
      if (task.dueAt > at || !this.#tasks.has(task)) continue;
      task.dueAt += task.everyMs * (Math.floor((at - task.dueAt) / task.everyMs) + 1);
      await task.run();
    }
  }

  /** Moves what is due by so many milliseconds, as the clock was moved. */
  shift(byMs: number): void {
    for (const task of this.#tasks) task.dueAt += byMs;
  }

  /** Lets timers of the machine pace everything. */
  follow(timers: Repeat): void {
    this.#timers = timers;
    for (const task of this.#tasks) task.endTimer = timers(task.everyMs, task.run);
  }

  /** Ends those timers: everything is due anew from `now` on. */
  unfollow(now: number): void {
    this.#timers = null;
    for (const task of this.#tasks) {
      task.endTimer();
      task.endTimer = () => {};
      task.dueAt = now + task.everyMs;
    }
  }
}
