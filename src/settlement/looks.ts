import type { Repeat } from '#base/clock.ts';
import type { Settlement } from '#settlement/settlement.ts';

/** Work that is looked at again and again. */
export interface Looks {
  /** What the work is, for `onTrouble`. */
  readonly what: string;
  /** Does what is due; a failure is told and tried again. `isStopped`: long work ends early. */
  readonly work: (isStopped: () => boolean) => Promise<void>;
  readonly repeat: Repeat;
  /** Time between two looks. */
  readonly everyMs: number;
  /** Looks that are left out after failures: 1, 2, 4 and so on, at most this many. */
  readonly leftOutMost: number;
  /** Told of the first failure in a row, the second, the fourth and so on. */
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Starts to look; one run at a time. What fails again and again, and may fill the journal, is tried more rarely. */
export function startLooks(looks: Looks): Settlement {
  const worker = new LookingWorker(looks);
  const end = looks.repeat(looks.everyMs, () => worker.look());
  return {
    run: () => worker.run(),
    stop: async () => {
      end();
      await worker.stop();
    },
  };
}

class LookingWorker {
  private readonly looks: Looks;
  private running: Promise<void> | null = null;
  private isStopped = false;
  private failures = 0;
  private leftOut = 0;

  constructor(looks: Looks) {
    this.looks = looks;
  }

  look(): Promise<void> {
    if (this.leftOut === 0) return this.run();
    this.leftOut -= 1;
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
    const { what, work, leftOutMost, onTrouble } = this.looks;
    try {
      await work(() => this.isStopped);
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      this.leftOut = Math.min(2 ** (this.failures - 1), leftOutMost);
      if (Math.log2(this.failures) % 1 === 0) onTrouble(what, error);
    }
  }
}
