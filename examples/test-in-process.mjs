// An exchange in this process: a client places an order, the clock moves, and a fault hits it.
// node examples/test-in-process.mjs
import { UnknownOutcome } from 'bourse/client';
import { OperatorProblem, startBourse } from 'bourse/testing';

const exchange = await startBourse({ seed: '7', now: '2026-01-01T00:00:00Z' });
try {
  const alice = exchange.client('alice', { outcomeWaitMs: 200 });
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
  const placed = await alice.placeOrder(order);
  console.log(`placed at ${placed.price}`);

  // The clock stands until it is told to move.
  const { now } = await exchange.operator.advanceClock({ ms: 60_000 });
  console.log(`the clock shows ${new Date(now).toISOString()}`);
  // The client would find out with its next request, and send it again.
  await alice.measureClock();

  // The next order is taken, and its answer is lost; the one after that never arrives.
  const match = { path: '/api/v3/order', method: 'POST' };
  await exchange.operator.addFault({ match, count: 1, fault: { kind: 'failAfter', status: 504 } });
  await alice.placeOrder(order);
  await exchange.operator.addFault({ match, count: 1, fault: { kind: 'drop', at: 'request' } });
  await alice.placeOrder(order).catch((error) => {
    if (!(error instanceof UnknownOutcome)) throw error;
    console.log(error.name);
  });
  const open = await alice.openOrders({ symbol: 'BTCUSDT' });
  console.log(`${open.length} orders are open`);

  // What is refused is thrown.
  await exchange.operator.restoreState({ name: 'never-saved' }).catch((error) => {
    if (!(error instanceof OperatorProblem)) throw error;
    console.log(`${error.status} ${error.code}`);
  });
} finally {
  await exchange.close();
}
