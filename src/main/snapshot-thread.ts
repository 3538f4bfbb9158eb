import { Worker } from 'node:worker_threads';
import type { SnapshotTask } from '#main/snapshot-worker.ts';

/** Worker threads run compiled code, also when tests run the sources. */
const workerFile = new URL('../../dist/main/snapshot-worker.js', import.meta.url);

/** Makes one snapshot on a thread of its own; rejects with what went wrong there. */
export function makeSnapshotInThread(task: SnapshotTask, notice: (message: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: task, execArgv: [] });
    worker.on('message', (message: { notice: string }) => notice(message.notice));
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the snapshot thread ended with ${code}`));
    });
  });
}
