import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { LoadResult, LoadTask } from './load-client.ts';

/** Runs a load in a process of its own. @throws when an answer was not 200: then the figure would mean nothing. */
export async function runLoad(task: LoadTask): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'load-client.js'), { execArgv: [], serialization: 'advanced' });
  const result = await new Promise<LoadResult>((resolve, reject) => {
    child.once('message', (message) => resolve(message as LoadResult));
    child.once('close', (code) => reject(new Error(`the load client ended with ${code}`)));
    child.send(task);
  });
  if (result.failures > 0) throw new Error(`${result.failures} requests failed; the first: ${result.firstFailure}`);
  return result;
}

/** Answers per second. */
export const rateOf = (result: LoadResult): number => result.answers / result.seconds;
