import { parentPort, workerData } from 'node:worker_threads';
import { noopSink } from '#model/event-record.ts';
import type { Seq } from '#model/units.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { replay, restoreNewest } from '#sequencer/recovery.ts';
import { soundSnapshot } from '#sequencer/sound-snapshot.ts';

/** What the thread is started with. */
export interface SnapshotTask {
  readonly journal: string;
  readonly snapshots: string;
  readonly upTo: Seq;
}

/**
 * Makes one snapshot on a thread of its own: restores the last snapshot, replays the journal after it, checks every
 * invariant, and stores an image only if it restores to the same state. Every snapshot thus tests recovery.
 */
async function makeSnapshot({ journal, snapshots, upTo }: SnapshotTask): Promise<void> {
  const notice = (message: string): void => parentPort?.postMessage({ notice: message });
  const store = new FileSnapshotStore({ files: nodeFileOperations, directory: snapshots, notice });
  const reader = await openJournalReader(nodeFileOperations, journal, upTo);
  const engine = await restoreNewest(reader, store, { atMost: upTo, notice });
  await replay(engine, reader, noopSink, () => {}, upTo);
  await store.save(soundSnapshot(engine));
}

await makeSnapshot(workerData as SnapshotTask);
