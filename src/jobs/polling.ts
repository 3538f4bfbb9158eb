import type { Repeat } from '#base/clock.ts';
import type { Settlement } from '#custody/settlement/settlement.ts';

/** Work that is done again and again. */
export interface Polling {
  /** What the work is, for `onTrouble`. */
  readonly what: string;
  /** Does what is due; a failure is told and tried again. `isStopped`: long work ends early. */
  readonly work: (isStopped: () => boolean) => Promise<void>;
  readonly repeat: Repeat;
  /** Time between two runs. */
  readonly everyMs: number;
  /** Runs that are skipped after failures: 1, 2, 4 and so on, at most this many. */
  readonly skippedMax: number;
  /** Told of the first failure in a row, the second, the fourth and so on. */
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Starts the polling, one run at a time. What fails again and again, and may fill the journal, is tried less often. */
export function startPolling(polling: Polling): Settlement {
  const worker = new PollingWorker(polling);
  const end = polling.repeat(polling.everyMs, () => worker.poll());
  return {
    run: () => worker.run(),
    stop: async () => {
      end();
      await worker.stop();
    },
  };
}

class PollingWorker {
  private readonly polling: Polling;
  private running: Promise<void> | null = null;
  private isStopped = false;
  private failures = 0;
  private skipped = 0;

  constructor(polling: Polling) {
    this.polling = polling;
  }

  poll(): Promise<void> {
    if (this.skipped === 0) return this.run();
    this.skipped -= 1;
    return Promise.resolve();
  }

  run(): Promise<void> {
    this.running ??= this.work().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async work(): Promise<void> {
    const { what, work, skippedMax, onTrouble } = this.polling;
    try {
      await work(() => this.isStopped);
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      this.skipped = Math.min(2 ** (this.failures - 1), skippedMax);
      if (Math.log2(this.failures) % 1 === 0) onTrouble(what, error);
    }
  }
}
