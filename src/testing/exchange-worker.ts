import { parentPort, workerData } from 'node:worker_threads';
import { startBourse, type TestExchangeOptions } from '#testing/testing.ts';
import type { ThreadReply, ThreadRequest } from '#testing/thread-messages.ts';

/** The thread of an exchange for a test: see `exchange-thread.ts`. */
const reply = (message: ThreadReply): void => parentPort?.postMessage(message);

function fail(error: unknown): void {
  const { name, message } = error as Error;
  reply({ kind: 'failed', name, message });
}

try {
  const exchange = await startBourse(workerData as TestExchangeOptions);
  const { baseUrl, futuresBaseUrl, wsUrl, operatorUrl, operatorToken, accounts } = exchange;
  reply({ kind: 'running', facts: { baseUrl, futuresBaseUrl, wsUrl, operatorUrl, operatorToken, accounts } });
  parentPort?.on('message', async (request: ThreadRequest) => {
    const isLast = request === 'close';
    await (isLast ? exchange.close() : exchange.restart(request.restart)).then(() => reply({ kind: 'done' }), fail);
    // Nothing keeps the thread then.
    if (isLast) parentPort?.close();
  });
} catch (error) {
  fail(error);
}
