import { parentPort, workerData } from 'node:worker_threads';
import { monotonicClock, repeatedly, wallClock } from '#base/clock.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { DataDirectory } from '#main/data-directory.ts';
import { openExchangeCore } from '#main/exchange-core.ts';
import { loadMasterKeys } from '#main/master-key.ts';
import { makeSandboxHistory } from '#main/sandbox-market.ts';
import { stopOnBroken } from '#main/stop-on-broken.ts';
import { createSecretSeal } from '#main/secret-seal.ts';
import { createVirtualClock } from '#sandbox/virtual-clock.ts';

/** What the thread is started with. Nobody else may have the directory's exchange open. */
export interface HistoryTask {
  readonly config: Configuration;
  readonly directory: DataDirectory;
  readonly version: string;
}

/**
 * Makes a sandbox's market and its history away from the exchange that will go on with it: a month of trading in a few
 * seconds leaves a heap behind that is several times what the exchange needs from then on.
 */
async function makeHistory({ config, directory, version }: HistoryTask): Promise<void> {
  const tell = (notice: string): void => parentPort?.postMessage({ notice });
  const onTrouble = (what: string, error: unknown): void => tell(`${what} failed: ${String(error)}`);
  const clock = createVirtualClock(wallClock);
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
  });
  await makeSandboxHistory({
    config,
    directory,
    core,
    clock,
    seal: createSecretSeal(loadMasterKeys({ ...config, data: directory.root })),
    now: () => wallClock.now(),
    repeat: repeatedly,
    tell,
    onTrouble,
  });
  await core.close();
}

await makeHistory(workerData as HistoryTask);
