import { expect, test } from 'vitest';
import { parseChannel } from '#websocket/channels.ts';
import type { OrderView } from '#model/order.ts';
import type { SymbolRules } from '#model/symbol.ts';
import { as } from '#model/units.ts';
import { MemoryHistoryStore } from '#test/ports/memory-history-store.ts';
import { createMarketData } from '#market-data/market-data.ts';
import { EventRouter } from '#websocket/pushes/event-router.ts';
import type { Push } from '#websocket/pushes/push.ts';

const symbol: Pick<SymbolRules, 'id' | 'name' | 'base' | 'quote' | 'priceDecimals' | 'quantityDecimals'> = {
  id: as(0),
  name: 'BTCUSDT',
  base: as(1),
  quote: as(0),
  priceDecimals: 2,
  quantityDecimals: 4,
};
const order: OrderView = {
  order: as(1),
  account: as(4),
  symbol: as(0),
  side: 'buy',
  kind: 'limit',
  status: 'new',
  price: as(1),
  quantity: as(1),
  budget: null,
  executed: as(0),
  executedQuote: as(0),
  stpMode: 'none',
  clientOrderId: null,
  closeReason: null,
  acceptedAt: as(0),
  updatedAt: as(0),
};
const orders = parseChannel('spot@private.orders.v3.api.pb')!;

test('who joins gets nothing of what happened before, though it was not sent yet', () => {
  const market = createMarketData({ history: new MemoryHistoryStore(), awaitHistory: async () => {} });
  const router = new EventRouter({
    queries: { balancesAt: async () => ({ seq: as(0), balances: [] }) },
    market,
    clock: { now: () => 0 },
    monotonic: { now: () => 0 },
    setTimer: () => () => {},
    onFact: () => {},
    onTrouble: () => {},
  });
  market.configure({
    assets: [
      { id: as(0), code: 'USDT', fullName: '', scale: 8, cap: as(1n), coinId: '', isDelisted: false },
      { id: as(1), code: 'BTC', fullName: '', scale: 8, cap: as(1n), coinId: '', isDelisted: false },
    ],
    symbols: [symbol as SymbolRules],
    isTradingOpen: true,
    feeToken: null,
  });
  const receiver = () => {
    const pushes: Push[] = [];
    return { pushes, push: (push: Push) => void pushes.push(push) };
  };
  const [early, late] = [receiver(), receiver()];
  router.join(orders, early, as(4));
  router.sink.entryBegan(as(1), as(0));
  router.sink.orderAccepted(order);
  router.join(orders, late, as(4));
  router.sink.entryBegan(as(2), as(0));
  expect([early.pushes.length, late.pushes.length]).toEqual([1, 0]);
  router.sink.orderClosed({ ...order, status: 'canceled' });
  router.privatePushes.flush();
  expect([early.pushes.length, late.pushes.length]).toEqual([2, 1]);
});
