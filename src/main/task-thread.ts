import { Worker } from 'node:worker_threads';
import type { CompressSegment } from '#journal/sealed-segment.ts';

/** Worker threads run compiled code from here, also when tests run the sources. */
export const compiled = new URL('../../dist/main/', import.meta.url);

/**
 * Runs one task on a thread of its own, which frees its memory at the end; rejects with the thread's error. `name` is
 * the file's, without `-worker`. `signal` terminates the thread at once.
 */
export function runInThread<Task>(
  name: string,
  task: Task,
  notice: (message: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`${name}-worker.js`, compiled), { workerData: task, execArgv: [] });
    const stop = (): void => void worker.terminate();
    signal?.addEventListener('abort', stop, { once: true });
    worker.on('message', (message: { notice: string }) => notice(message.notice));
    worker.on('error', reject);
    worker.on('exit', (code) => {
      signal?.removeEventListener('abort', stop);
      if (code === 0 || signal?.aborted === true) resolve();
      else reject(new Error(`the ${name} thread ended with ${code}`));
    });
  });
}

/** Compresses segments away from the engine, each on a thread of its own. */
export const compressInThread: CompressSegment = async (task, signal) => {
  await runInThread('segment-compression', task, () => {}, signal);
  return !signal.aborted;
};
