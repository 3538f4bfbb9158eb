// Pushes, a lost connection, and a book that stays exact. node examples/client/listen.mjs
import { once } from 'node:events';
import { channels } from 'bourse/client';
import { startBourse } from 'bourse/testing';

const exchange = await startBourse({ seed: '7' });
const [alice, bob] = [exchange.client('alice'), exchange.client('bob')];
const changes = new EventTarget();
const changed = () => changes.dispatchEvent(new Event('change'));
/** Waits until something is so, looking whenever something was pushed. */
const until = async (isSo) => {
  while (!isSo()) await once(changes, 'change');
};
try {
  // Everything that becomes of alice's orders.
  const fills = [];
  const take = (deal) => {
    fills.push(deal);
    changed();
  };
  await alice.subscribe(channels.deals(), take).ready;

  // The order book: ready once it is exact, and again after every gap.
  const book = alice.book('BTCUSDT', { speed: '10ms', onChange: changed });
  await book.ready;

  await alice.placeOrder({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' });
  await until(() => book.bestBid !== null);
  console.log(`best bid ${book.bestBid.join(' x ')}`);

  await bob.placeOrder({ symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', quantity: '0.004' });
  await until(() => fills.length > 0);
  console.log(`alice bought ${fills[0].quantity} at ${fills[0].price}`);

  // The connection is cut. It is made again, and the book with it.
  await exchange.operator.addFault({
    match: { channel: 'spot@public.aggre.depth.v3.api.pb@*', nth: 1 },
    fault: { kind: 'close', code: null },
  });
  await bob.placeOrder({ symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', quantity: '0.5', price: '60000' });
  await until(() => book.isReady && book.bestAsk !== null);
  console.log(`${book.counts.gaps} gap, best ask ${book.bestAsk.join(' x ')}`);
} finally {
  await exchange.close(); // Its clients end with it.
}
