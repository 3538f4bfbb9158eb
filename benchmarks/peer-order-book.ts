import { createRequire } from 'node:module';
import type { W1 } from './w1-workload.ts';
import { w1Operation } from './w1-workload.ts';

interface PeerBook {
  limit(order: { id: string; side: 'buy' | 'sell'; size: number; price: number }): unknown;
  market(order: { side: 'buy' | 'sell'; size: number }): unknown;
  cancel(id: string): unknown;
}

const { OrderBook } = createRequire(import.meta.url)('nodejs-order-book') as { OrderBook: new () => PeerBook };

/** Runs operations of W1 on nodejs-order-book: a book alone, without ledger, fees, checks or events. */
export function createPeer(w1: W1): (from: number, to: number) => void {
  const book = new OrderBook();
  const sides = ['buy', 'sell'] as const;
  return (from, to) => {
    for (let index = from; index < to; index += 1) {
      const side = sides[w1.side[index] as 0 | 1];
      const id = String(w1.order[index]!);
      const size = w1.quantity[index]!;
      if (w1.operation[index] === w1Operation.cancel) book.cancel(id);
      else if (w1.operation[index] === w1Operation.market) book.market({ side, size });
      else book.limit({ id, side, size, price: w1.price[index]! });
    }
  };
}
