// An exchange in this process: a key signs an order, the clock moves, and a fault hits a bot.
// node examples/test-in-process.mjs
import { createHmac } from 'node:crypto';
import { OperatorProblem, startBourse } from 'bourse/testing';

const exchange = await startBourse({ seed: '7', now: '2026-01-01T00:00:00Z' });
try {
  const { alice } = exchange.accounts;

  const signed = async (method, path, parameters = {}) => {
    const { serverTime } = await (await fetch(`${exchange.baseUrl}/api/v3/time`)).json();
    const query = new URLSearchParams({ ...parameters, timestamp: serverTime }).toString();
    const signature = createHmac('sha256', alice.secretKey).update(query).digest('hex');
    const url = `${exchange.baseUrl}${path}?${query}&signature=${signature}`;
    const answer = await fetch(url, { method, headers: { 'X-SVC-APIKEY': alice.apiKey } });
    return { status: answer.status, body: await answer.json() };
  };

  // An order, as a bot sends it.
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
  const placed = await signed('POST', '/api/v3/order', order);
  console.log(`placed: ${placed.status}`);

  // The clock stands until it is told to move.
  const { now } = await exchange.operator.advanceClock({ ms: 60_000 });
  console.log(`the clock shows ${new Date(now).toISOString()}`);

  // The next order is taken, and its answer is lost.
  await exchange.operator.addFault({
    match: { path: '/api/v3/order', method: 'POST', nth: 1 },
    fault: { kind: 'failAfter', status: 504 },
  });
  const lost = await signed('POST', '/api/v3/order', order);
  const { body: open } = await signed('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
  console.log(`answered ${lost.status}, and ${open.length} orders are open`);

  // What is refused is thrown.
  await exchange.operator.restoreState({ name: 'never-saved' }).catch((error) => {
    if (!(error instanceof OperatorProblem)) throw error;
    console.log(`${error.status} ${error.code}`);
  });
} finally {
  await exchange.close();
}
