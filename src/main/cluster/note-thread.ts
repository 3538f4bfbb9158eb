import { Worker } from 'node:worker_threads';
import type { Epoch } from '#model/units.ts';
import type { BrokenNote } from '#cluster/command-log.ts';
import type { ClusterFile } from '#main/cluster/cluster-file.ts';
import { compiled } from '#main/task-thread.ts';

/** What the thread is started with. */
export interface NoteThreadData {
  readonly cluster: ClusterFile;
  /** Where the thread says what became of the note: one of `outcomes`. */
  readonly outcome: SharedArrayBuffer;
}

/** What the thread is asked for. */
export interface NoteTask {
  /** Epoch of the term that ends with the note. */
  readonly term: Epoch;
  readonly note: BrokenNote;
}

/** What became of the note; 0: nothing yet. */
export const outcomes = { told: 1, overtaken: 2, failed: 3 } as const;

/** How long a process that is about to end waits for the quorum. */
const patienceMs = 2000;

/**
 * A thread that waits for the engine to break, and then leaves a note in the log while the main thread stands still. It
 * runs from the start of the node on: a busy machine takes seconds to start one. DEC-CLU-11.
 */
export class NoteThread {
  private readonly cluster: ClusterFile;
  private readonly outcome = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  private readonly onTrouble: (what: string, error: unknown) => void;
  private worker: Worker | null;

  constructor(cluster: ClusterFile, onTrouble: (what: string, error: unknown) => void) {
    this.cluster = cluster;
    this.onTrouble = onTrouble;
    this.worker = this.start();
  }

  private start(): Worker {
    const workerData: NoteThreadData = { cluster: this.cluster, outcome: this.outcome };
    const worker = new Worker(new URL('broken-note-worker.js', compiled), { workerData, execArgv: [] });
    worker.unref();
    worker.on('error', (error) => this.onTrouble('the thread for notes about broken entries', error));
    worker.on('exit', () => {
      if (this.worker === worker) this.worker = null;
    });
    return worker;
  }

  /** Leaves the note; nothing else of this thread runs meanwhile. Answers what became of it, as text for people. */
  leave(task: NoteTask): string {
    const state = new Int32Array(this.outcome);
    try {
      this.worker ??= this.start();
      this.worker.postMessage(task);
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
        return 'The cluster could not be told; the next start of this node sees to it.';
    }
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }
}
