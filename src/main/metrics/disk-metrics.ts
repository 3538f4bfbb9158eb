import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { declareMetrics, gauge, type MetricSource, sourceOf } from '#main/metrics/declare-metrics.ts';
import { keptReading } from '#main/metrics/kept-reading.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import type { DiskSpace } from '#main/storage/disk-watch.ts';

/** Sizes are measured at most this often: there is a file for every 64 MiB of the journal. */
const sizesKeptMs = 60_000;
/** Unit of `stat.blocks`, in bytes. */
const blockSize = 512;

/** Metrics of the disk that the data directory lies on. */
export const diskMetrics = declareMetrics(
  'Disk',
  { part: '`journal`, `snapshots`, `history` or `quarantine`' },
  {
    bourse_disk_free_bytes: gauge('Free space on the file system of the data directory.'),
    bourse_disk_size_bytes: gauge('Size of that file system.'),
    bourse_disk_reserve_bytes: gauge('While less than this is free, only cancels are taken.'),
    bourse_data_bytes: gauge('What the exchange has on disk, measured at most once a minute.', ['part']),
  },
);

/** What the metrics of the disk are read from. */
export interface DiskParts {
  readonly directory: DataDirectory;
  readonly monotonic: Clock;
  readonly space: () => DiskSpace | null;
  /** In bytes. */
  readonly reserve: number;
}

/** Bytes on disk of a file or of everything in a directory; 0: it is not there. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.blocks * blockSize;
  let sum = 0;
  for (const name of await readdir(path).catch(() => [])) sum += await sizeOf(join(path, name));
  return sum;
}

/** The source of the metrics of the disk. */
export function diskSource({ directory, monotonic, space, reserve }: DiskParts): MetricSource {
  const { journal, snapshots, history, quarantine } = directory;
  const parts = {
    journal: [journal],
    snapshots: [snapshots],
    history: [history, `${history}-wal`],
    quarantine: [quarantine],
  };
  const sizes = keptReading(monotonic, sizesKeptMs, async () =>
    Promise.all(
      Object.entries(parts).map(async ([part, paths]) => {
        const each = await Promise.all(paths.map(sizeOf));
        return [{ part }, each.reduce((sum, size) => sum + size, 0)] as const;
      }),
    ),
  );
  return sourceOf(diskMetrics, async () => ({
    bourse_disk_free_bytes: space()?.free ?? null,
    bourse_disk_size_bytes: space()?.size ?? null,
    bourse_disk_reserve_bytes: reserve,
    bourse_data_bytes: (await sizes()).value,
  }));
}
