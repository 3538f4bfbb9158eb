import { createRequire } from 'node:module';
import { timed } from './harness.ts';
import type { W1 } from './w1-workload.ts';
import { w1Operation } from './w1-workload.ts';

interface PeerBook {
  limit(order: { id: string; side: 'buy' | 'sell'; size: number; price: number }): unknown;
  market(order: { side: 'buy' | 'sell'; size: number }): unknown;
  cancel(id: string): unknown;
}

const { OrderBook } = createRequire(import.meta.url)('nodejs-order-book') as { OrderBook: new () => PeerBook };

/** So many operations are made at a time. */
const piece = 256;

/**
 * Runs operations of W1 on nodejs-order-book: a book alone, without ledger, fees, checks or events. Answers the seconds
 * it took, without making what it is called with.
 */
export function createPeer(w1: W1): (from: number, to: number) => number {
  const book = new OrderBook();
  const orders: Parameters<PeerBook['limit']>[0][] = [];
  const apply = (first: number): void => {
    for (let at = 0; at < orders.length; at += 1) {
      const operation = w1.operation[first + at];
      if (operation === w1Operation.cancel) book.cancel(orders[at]!.id);
      else if (operation === w1Operation.market) book.market(orders[at]!);
      else book.limit(orders[at]!);
    }
  };
  return (from, to) => {
    let seconds = 0;
    for (let first = from; first < to; first += piece) {
      orders.length = 0;
      for (let index = first; index < Math.min(to, first + piece); index += 1) orders.push(orderOf(w1, index));
      seconds += timed(() => apply(first));
    }
    return seconds;
  };
}

const orderOf = (w1: W1, index: number): Parameters<PeerBook['limit']>[0] => ({
  id: String(w1.order[index]!),
  side: w1.side[index] === 0 ? 'buy' : 'sell',
  size: w1.quantity[index]!,
  price: w1.price[index]!,
});
