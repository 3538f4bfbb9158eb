import { Worker } from 'node:worker_threads';
import type { Epoch } from '#model/units.ts';
import type { BrokenNote } from '#cluster/command-log.ts';
import type { ClusterFile } from '#main/cluster/cluster-file.ts';
import { compiled } from '#main/task-thread.ts';

/** What the thread is started with. */
export interface BrokenNoteTask {
  readonly cluster: ClusterFile;
  /** Epoch of the term that ends with the note. */
  readonly term: Epoch;
  readonly note: BrokenNote;
}

/** The task and where its thread says how it ended: one of `outcomes`. */
export interface BrokenNoteThread extends BrokenNoteTask {
  readonly outcome: SharedArrayBuffer;
}

/** How the thread ended; 0: it has not. */
export const outcomes = { told: 1, overtaken: 2, failed: 3 } as const;

/** How long a process that is about to end waits for the quorum. */
const patienceMs = 2000;

/**
 * Leaves the note in the log from a thread of its own, while this thread stands still. Answers what became of it, as
 * text for people.
 */
export function noteInThread(task: BrokenNoteTask): string {
  const outcome = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const state = new Int32Array(outcome);
  const workerData: BrokenNoteThread = { ...task, outcome };
  try {
    // The thread needs nothing of this one any more once it is made.
    new Worker(new URL('broken-note-worker.js', compiled), { workerData, execArgv: [] });
    Atomics.wait(state, 0, 0, patienceMs);
  } catch (error) {
    return `The cluster could not be told: ${String(error)}.`;
  }
  switch (Atomics.load(state, 0)) {
    case outcomes.told:
      return 'The cluster was told: the next leader takes it out.';
    case outcomes.overtaken:
      return 'Another node has led since.';
    default:
      return 'The cluster could not be told; the next start of this node does so.';
  }
}
