import { workerData } from 'node:worker_threads';
import { type BrokenNoteThread, outcomes } from '#main/cluster/note-in-thread.ts';
import { openLog } from '#main/cluster/open-cluster.ts';

/** Leaves a note about an entry that broke the engine in the log of the cluster; the process waits for it to end. */
async function leaveNote({ cluster, term, note }: BrokenNoteThread): Promise<number> {
  const log = openLog(cluster);
  try {
    return (await log.noteBroken(term, note)) ? outcomes.told : outcomes.overtaken;
  } catch {
    return outcomes.failed;
  } finally {
    await log.close();
  }
}

const thread = workerData as BrokenNoteThread;
const state = new Int32Array(thread.outcome);
Atomics.store(state, 0, await leaveNote(thread));
Atomics.notify(state, 0);
