import { Worker } from 'node:worker_threads';

/** Worker threads run compiled code, also when tests run the sources. */
const compiled = new URL('../../dist/main/', import.meta.url);

/**
 * Does one piece of work on a thread of its own, whose memory goes with it; rejects with what went wrong there. `name`
 * is that of the file, without `-worker`.
 */
export function runInThread<Task>(name: string, task: Task, notice: (message: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`${name}-worker.js`, compiled), { workerData: task, execArgv: [] });
    worker.on('message', (message: { notice: string }) => notice(message.notice));
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the ${name} thread ended with ${code}`));
    });
  });
}
