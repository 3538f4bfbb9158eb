import { parentPort, workerData } from 'node:worker_threads';
import { wallClock } from '#base/clock.ts';
import { type BackupTarget, folderTarget } from '#main/backup/backup-target.ts';
import { type ConfigurationRequest, readConfigurationFiles } from '#main/backup/configuration-files.ts';
import { makeBackup } from '#main/backup/make-backup.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';

/** What the thread is started with. */
export interface BackupTask {
  readonly directory: DataDirectory;
  readonly configuration: ConfigurationRequest;
  /** The folder to make; it must not exist. */
  readonly folder: string;
  readonly version: string;
}

/** How often the bytes that were written are told. */
const toldEveryMs = 250;
const megabyte = 1_000_000;

/** The target, which tells how much was written. */
function telling(target: BackupTarget, tell: (text: string) => void): BackupTarget {
  let [written, toldAt] = [0, 0];
  async function* counted(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      written += chunk.length;
      const now = wallClock.now();
      if (now - toldAt >= toldEveryMs) {
        toldAt = now;
        tell(`Wrote ${(written / megabyte).toFixed(1)} MB.`);
      }
      yield chunk;
    }
  }
  return { ...target, add: (name, size, content) => target.add(name, size, counted(content)) };
}

/** Makes a backup of the exchange that runs in this process, on a thread of its own. DEC-OPR-243. */
async function backUp({ directory, configuration, folder, version }: BackupTask): Promise<void> {
  const tell = (notice: string): void => parentPort?.postMessage({ notice });
  await makeBackup({
    directory,
    configuration: readConfigurationFiles(configuration),
    withHistory: true,
    target: telling(folderTarget(folder), tell),
    version,
    nowMs: wallClock.now(),
    tell,
  });
}

await backUp(workerData as BackupTask);
