import { parentPort, workerData } from 'node:worker_threads';
import { type NoteTask, type NoteThreadData, outcomes } from '#main/cluster/note-thread.ts';
import { openLog } from '#main/cluster/open-cluster.ts';

const { cluster, outcome } = workerData as NoteThreadData;
const state = new Int32Array(outcome);
const log = openLog(cluster);

/** Leaves a note about an entry that broke the engine in the log of the cluster; the process waits for it to end. */
async function leaveNote({ term, note }: NoteTask): Promise<number> {
  try {
    return (await log.noteBroken(term, note)) ? outcomes.told : outcomes.overtaken;
  } catch {
    return outcomes.failed;
  }
}

parentPort?.on('message', async (task: NoteTask) => {
  Atomics.store(state, 0, await leaveNote(task));
  Atomics.notify(state, 0);
});
