import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { BaselineTask } from './baseline-server.ts';

/** Starts the baseline server; `stop` ends it. */
export async function startBaseline(task: BaselineTask): Promise<{ port: number; pid: number; stop(): void }> {
  const child = fork(join(import.meta.dirname, 'baseline-server.js'), { execArgv: [] });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)));
    child.once('close', (code) => reject(new Error(`the baseline server ended with ${code}`)));
    child.send(task);
  });
  return { port, pid: child.pid!, stop: () => void child.kill() };
}
