import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { LoadResult, LoadTask } from './load-client.ts';

/** A client in a process of its own that runs one load after another; two loads at a time take two clients. */
export class LoadClient {
  private readonly child: ChildProcess = fork(join(import.meta.dirname, 'load-client.js'), {
    execArgv: [],
    serialization: 'advanced',
  });

  /** @throws when an answer was neither 200 nor 201: then the figure would mean nothing. */
  async run(task: LoadTask): Promise<LoadResult> {
    const { child } = this;
    const result = await new Promise<LoadResult>((resolve, reject) => {
      const onClose = (code: number | null): void => reject(new Error(`the load client ended with ${code}`));
      child.once('close', onClose);
      child.once('message', (message) => {
        child.off('close', onClose);
        resolve(message as LoadResult);
      });
      child.send(task);
    });
    if (result.failures > 0) throw new Error(`${result.failures} requests failed; the first: ${result.firstFailure}`);
    return result;
  }

  stop(): void {
    this.child.disconnect();
  }
}

/** Answers per second. */
export const rateOf = (result: LoadResult): number => result.answers / result.seconds;
