import { Worker } from 'node:worker_threads';
import type { RunningTestExchange } from '#testing/run-exchange.ts';
import type { TestExchangeOptions } from '#testing/test-exchange.ts';
import type { ThreadReply, ThreadRequest } from '#testing/thread-messages.ts';

/** Threads run compiled code, also when tests run the sources. */
const workerFile = new URL('../../dist/testing/exchange-worker.js', import.meta.url);

/**
 * Runs an exchange for a test in a thread of its own, as `runExchange` does in this one: with globals of its own, too,
 * which runners with globals of their own need. What it throws has name and message of the error there. DEC-KIT-37.
 */
export async function runInOwnThread(options: TestExchangeOptions): Promise<RunningTestExchange> {
  const worker = new Worker(workerFile, { workerData: options, execArgv: [] });
  let failure: Error | null = null;
  worker.on('error', (error) => {
    failure = error as Error;
  });
  const ended = new Promise<never>((_, reject) => {
    worker.once('exit', () => reject(failure ?? new Error('the thread of the exchange ended')));
  });
  const gone = ended.catch(() => undefined);
  const next = (): Promise<ThreadReply> =>
    Promise.race([new Promise<ThreadReply>((resolve) => worker.once('message', resolve)), ended]);
  const begun = await next();
  if (begun.kind !== 'running') {
    await worker.terminate();
    throw errorOf(begun);
  }
  let turn: Promise<void> = Promise.resolve();
  let closing: Promise<void> | null = null;
  /** One call after the other: replies come in their order. */
  const ask = (request: ThreadRequest): Promise<void> => {
    const answered = turn.then(async () => {
      worker.postMessage(request);
      const reply = await next();
      if (reply.kind === 'failed') throw errorOf(reply);
    });
    turn = answered.catch(() => {});
    return answered;
  };
  return {
    facts: begun.facts,
    restart: (downMs = 0) =>
      closing === null ? ask({ restart: downMs }) : Promise.reject(new Error('the exchange was closed')),
    close: () => {
      closing ??= ask('close').finally(() => gone);
      return closing;
    },
  };
}

function errorOf(reply: Exclude<ThreadReply, { readonly kind: 'running' }>): Error {
  const { name, message } = reply.kind === 'failed' ? reply : { name: 'Error', message: 'it was closed' };
  return Object.assign(name === 'TypeError' ? new TypeError(message) : new Error(message), { name });
}
