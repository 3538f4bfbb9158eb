import { expect, test } from 'vitest';
import { as } from '#model/units.ts';
import type { OrderView } from '#model/order.ts';
import { OpenOrderTexts, orderText } from '#public-api/spot/order-texts.ts';
import type { ListedSymbol } from '#market-data/symbol-directory.ts';

const symbolOf = (name: string) =>
  ({ rules: { name, priceDecimals: 2, quantityDecimals: 4 }, quote: { scale: 8 } }) as ListedSymbol;
const order: OrderView = {
  order: as(1),
  account: as(5),
  symbol: as(0),
  side: 'buy',
  kind: 'limit',
  status: 'new',
  price: as(1000),
  quantity: as(20_000),
  budget: null,
  executed: as(0),
  executedQuote: as(0),
  stpMode: 'none',
  clientOrderId: null,
  closeReason: null,
  acceptedAt: as(1_700_000_000_000),
  updatedAt: as(1_700_000_000_000),
};

test('an order is printed anew when anything of it changed, or its symbol did', () => {
  const texts = new OpenOrderTexts();
  const symbol = symbolOf('BTCUSDT');
  const states: OrderView[] = [
    order,
    { ...order, executed: as(1), executedQuote: as(2), status: 'partiallyFilled' },
    { ...order, executed: as(2), executedQuote: as(2), status: 'partiallyFilled' },
    { ...order, executed: as(2), executedQuote: as(4), status: 'partiallyFilled' },
    { ...order, executed: as(2), executedQuote: as(4), status: 'partiallyFilled', updatedAt: as(1_700_000_000_001) },
    { ...order, closeReason: 'stp', status: 'canceled' },
    order,
  ];
  for (const state of states) {
    for (let time = 0; time < 2; time += 1) expect(texts.of(symbol, { ...state })).toBe(orderText(symbol, state));
  }
  expect(texts.of(symbolOf('ETHUSDT'), order)).toBe(orderText(symbolOf('ETHUSDT'), order));
});

test('texts of more orders than are kept come out right as well', () => {
  const texts = new OpenOrderTexts();
  const symbol = symbolOf('BTCUSDT');
  for (let round = 0; round < 2; round += 1) {
    for (let number = 1; number <= 25_000; number += 1) {
      const asked = { ...order, order: as<OrderView['order']>(number) };
      const text = texts.of(symbol, asked);
      if (number % 1000 === 0) expect(text).toBe(orderText(symbol, asked));
    }
  }
});
