import { InvariantBroken } from '#base/assert.ts';
import type { Repeat } from '#base/clock.ts';

/** Work that is done again and again. */
export interface Polling {
  /** What the work is, for `onTrouble`. */
  readonly what: string;
  /** Does what is due. Whatever fails is tried again at a later poll. `isStopped`: long work ends early. */
  readonly poll: (isStopped: () => boolean) => Promise<void>;
  readonly repeat: Repeat;
  /** Time between two polls. */
  readonly everyMs: number;
  /** Backing off: after failures in a row 1, 2, 4 and so on polls are left out, at most this many. */
  readonly skippedMax: number;
  /** Whether a failure mostly passes by itself: it is told of from the fourth in a row on. None does unless given. */
  readonly isPassing?: (error: unknown) => boolean;
  /** Told of the first failure in a row, the second, the fourth and so on. */
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** A worker that polls until it is stopped. */
export interface PollingWorker {
  /** Polls now; resolves with the end of the poll, which may have begun before. Never rejects. */
  run(): Promise<void>;
  /** Starts no more polls; resolves when the running one has ended. */
  stop(): Promise<void>;
}

/** Failures in a row from which on one that mostly passes is told of. */
const passingTold = 4;

/**
 * Starts a worker, one poll at a time. What fails again and again, and may fill the journal, is tried less often. A
 * broken invariant ends the worker until the next start: nobody knows what the next poll would do.
 */
export function startPolling(polling: Polling): PollingWorker {
  const { what, poll, repeat, everyMs, skippedMax, isPassing = () => false, onTrouble } = polling;
  let running: Promise<void> | null = null;
  let isStopped = false;
  let failures = 0;
  let skipped = 0;
  const failed = (error: unknown): void => {
    if (error instanceof InvariantBroken) {
      isStopped = true;
      onTrouble(`${what}, which is stopped until the next start`, error);
      return;
    }
    failures += 1;
    skipped = Math.min(2 ** (failures - 1), skippedMax);
    const isTold = Math.log2(failures) % 1 === 0 && (failures >= passingTold || !isPassing(error));
    if (isTold) onTrouble(what, error);
  };
  const pollOnce = async (): Promise<void> => {
    try {
      await poll(() => isStopped);
      failures = 0;
      skipped = 0;
    } catch (error) {
      failed(error);
    }
  };
  const run = async (): Promise<void> => {
    if (isStopped) return;
    running ??= pollOnce().finally(() => {
      running = null;
    });
    await running;
  };
  const end = repeat(everyMs, () => {
    if (skipped === 0) return run();
    skipped -= 1;
  });
  return {
    run,
    stop: async () => {
      isStopped = true;
      end();
      await running;
    },
  };
}
