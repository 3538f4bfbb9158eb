/** A test of a bot as a pipeline runs it: `npm ci && npm run build && node examples/market-maker/ci.mjs`. */
import assert from 'node:assert/strict';
import { placeOrder } from './orders.mjs';
import { fundBook, startSandbox } from './sandbox.mjs';

const exchange = await startSandbox({ seed: 'ci' });
try {
  const symbol = 'BTCUSDT';
  await fundBook(exchange.rest('bob'), { symbol, price: 60_000, tick: 0.01, quantity: '0.5', levels: 10 });

  // Your bot goes here. This one takes the best ask.
  const alice = exchange.rest('alice');
  const order = { symbol, side: 'BUY', type: 'MARKET', quantity: '0.2', newClientOrderId: 'take-1' };
  await placeOrder(alice, order);

  const [fill] = await alice.signed('GET', '/api/v3/myTrades', { symbol });
  assert.equal(fill.price, '60000.01');
  assert.equal(fill.qty, '0.2');
  const { asks } = await alice.get('/api/v3/depth', { symbol, limit: 1 });
  assert.deepEqual(asks, [['60000.01', '0.3']]);
  console.log('passed');
} finally {
  await exchange.stop();
}
