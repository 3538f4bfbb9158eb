import { expect, test } from 'vitest';
import type { Order } from '#web/data/orders.ts';
import { fillText, placedText } from '#web/shell/fill-notes.ts';

const order: Order = {
  symbol: 'BTCUSDT',
  id: 'o-1',
  side: 'BUY',
  type: 'LIMIT',
  price: '106000',
  quantity: '0.01',
  executed: '0.01',
  executedQuote: '1056.5469',
  status: 'FILLED',
  at: 0,
};
const rests: Order = { ...order, executed: '0', executedQuote: '0', status: 'NEW' };

test('DEC-WEB-13: a fill is told with what traded, at its average price, and how much of the order that is', () => {
  expect(fillText(order, 'BTC', 2)).toBe('Bought 0.01 BTC at 105,654.69.');
  const partly: Order = {
    ...order,
    side: 'SELL',
    executed: '0.004',
    executedQuote: '422.61876',
    status: 'PARTIALLY_FILLED',
  };
  expect(fillText(partly, 'BTC', 2)).toBe('Sold 0.004 of 0.01 BTC at 105,654.69.');
  expect(fillText({ ...order, type: 'MARKET', quantity: '' }, 'BTC', 2)).toBe('Bought 0.01 BTC at 105,654.69.');
});

test('DEC-WEB-13: an order that rests is told as placed, one that traded by its trades, one that could not as cancelled', () => {
  expect(placedText(rests, undefined, 'BTC')).toBe('Buy order of BTC placed.');
  expect(placedText(rests, rests, 'BTC')).toBe('Buy order of BTC placed.');
  expect(placedText(rests, order, 'BTC')).toBeNull();
  expect(placedText(rests, { ...rests, status: 'CANCELED' }, 'BTC')).toMatch(/^The order was cancelled/);
});
