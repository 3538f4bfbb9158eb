import { parentPort, workerData } from 'node:worker_threads';
import { type Clock, monotonicClock, repeatedly, wallClock } from '#base/clock.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { openExchangeCore } from '#main/composition/exchange-core.ts';
import { loadMasterKeys } from '#main/secrets/master-key.ts';
import { makeSandboxHistory } from '#main/composition/sandbox-market.ts';
import { stopOnBroken } from '#main/composition/stop-on-broken.ts';
import { createSecretSeal } from '#main/secrets/secret-seal.ts';
import { createVirtualClock } from '#sandbox/virtual-clock.ts';

/** Data of the thread. The exchange of the directory must not be open elsewhere. */
export interface HistoryTask {
  readonly config: Configuration;
  readonly directory: DataDirectory;
  readonly version: string;
  /** Where history ends, in milliseconds since 1970 UTC; `null`: at the present. */
  readonly startAt: number | null;
}

/**
 * Creates a sandbox's market and history on a thread of its own: trading a month in a few seconds leaves a heap several
 * times as large as the exchange needs afterwards.
 */
async function makeHistory({ config, directory, version, startAt }: HistoryTask): Promise<void> {
  const tell = (notice: string): void => parentPort?.postMessage({ notice });
  const onTrouble = (what: string, error: unknown): void => tell(`${what} failed: ${String(error)}`);
  const present: Clock = startAt === null ? wallClock : { now: () => startAt };
  const clock = createVirtualClock(present);
  const core = await openExchangeCore({
    config,
    directory,
    clock,
    machine: { files: nodeFileOperations, clock: monotonicClock },
    tell,
    onFatal: (error) => {
      throw error;
    },
    onBroken: stopOnBroken(directory, version),
    onTrouble,
    isMakingHistory: true,
  });
  await makeSandboxHistory({
    config,
    directory,
    core,
    clock,
    seal: createSecretSeal(loadMasterKeys({ ...config, data: directory.root })),
    now: () => present.now(),
    repeat: repeatedly,
    tell,
    onTrouble,
  });
  await core.close();
}

await makeHistory(workerData as HistoryTask);
