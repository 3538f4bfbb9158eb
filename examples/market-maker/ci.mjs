/** A test of a bot as a pipeline runs it: `npm ci && npm run build && node examples/market-maker/ci.mjs`. */
import assert from 'node:assert/strict';
import { startBourse } from 'bourse/testing';

const exchange = await startBourse({ seed: 'ci' });
try {
  const symbol = 'BTCUSDT';
  // Something to trade against: ten orders on each side.
  const bob = exchange.client('bob');
  for (let level = 1; level <= 10; level += 1) {
    const order = { symbol, type: 'LIMIT', quantity: '0.5' };
    await bob.placeOrders({
      batchOrders: [
        { ...order, side: 'BUY', price: (60_000 - level / 100).toFixed(2) },
        { ...order, side: 'SELL', price: (60_000 + level / 100).toFixed(2) },
      ],
    });
  }

  // Your bot goes here. This one takes the best ask.
  const alice = exchange.client('alice');
  await alice.placeOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: '0.2' });

  const [fill] = await alice.myTrades({ symbol });
  assert.equal(fill.price, '60000.01');
  assert.equal(fill.qty, '0.2');
  const { asks } = await alice.depth({ symbol, limit: 1 });
  assert.deepEqual(asks, [['60000.01', '0.3']]);
  console.log('passed');
} finally {
  await exchange.close();
}
