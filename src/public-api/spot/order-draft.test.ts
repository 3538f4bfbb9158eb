import { describe, expect, test } from 'vitest';
import { errors } from '#http/errors.ts';
import type { OrderDraft } from '#public-api/spot/order-draft.ts';
import { draftOrder } from '#public-api/spot/order-draft.ts';

const limitOrder = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '11' } as const;
const market = (side: string, amounts: Record<string, string>) =>
  draftOrder({ symbol: 'BTCUSDT', side, type: 'MARKET', ...amounts });
const codeOf = ({ fault }: OrderDraft): number | null => (fault === null ? null : errors[fault.errorName].code);

test('SPEC-ORD-01: a limit order keeps its terms as text', () => {
  expect(draftOrder({ ...limitOrder, newClientOrderId: 'a-1', stpMode: 'cancel_both' })).toEqual({
    fault: null,
    symbol: 'BTCUSDT',
    side: 'buy',
    kind: 'limit',
    terms: { price: '11', quantity: '1', budget: null, clientOrderId: 'a-1', stpMode: 'cancelBoth' },
  });
});

describe('SPEC-ORD-02: priced types need quantity and price (E01)', () => {
  test.each(['LIMIT', 'LIMIT_MAKER', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL', 'LIMIT_ORDER', 'POST_ONLY'])(
    '%s',
    (type) => {
      expect(codeOf(draftOrder({ ...limitOrder, type, price: undefined }))).toBe(44444);
      expect(codeOf(draftOrder({ ...limitOrder, type, price: '' }))).toBe(44444);
      expect(codeOf(draftOrder({ ...limitOrder, type, quantity: undefined }))).toBe(44444);
      expect(codeOf(draftOrder({ ...limitOrder, type, price: '0.00' }))).toBe(33333);
    },
  );
});

describe('SPEC-ORD-03, DEC-ORD-12: what a market order goes by', () => {
  test('neither amount: 44444', () => expect(codeOf(market('BUY', {}))).toBe(44444));
  test.each([
    ['BUY', { quantity: '2', quoteOrderQty: '5' }, { quantity: null, budget: '5' }],
    ['BUY', { quantity: '2' }, { quantity: '2', budget: null }],
    ['SELL', { quantity: '2', quoteOrderQty: '5' }, { quantity: '2', budget: null }],
    ['SELL', { quoteOrderQty: '5' }, { quantity: null, budget: '5' }],
  ])('%s %o', (side, amounts, terms) => {
    const draft = market(side, amounts);
    expect(draft.fault === null && draft.terms).toMatchObject({ ...terms, price: null });
  });
});

describe('DEC-ORD-04: what is malformed does not hide the symbol, side and type that are not', () => {
  test.each([
    [{ ...limitOrder, quantity: '1e3' }, 33333, { symbol: 'BTCUSDT', side: 'buy', kind: 'limit' }],
    [{ ...limitOrder, side: 'buy' }, 33333, { symbol: 'BTCUSDT', side: null, kind: 'limit' }],
    [{ ...limitOrder, type: 'limit' }, 33333, { symbol: 'BTCUSDT', side: 'buy', kind: null }],
    [{ ...limitOrder, newClientOrderId: 'a b' }, 700008, { symbol: 'BTCUSDT' }],
    [{ ...limitOrder, symbol: 'btcusdt' }, 30014, { symbol: null }],
    [{ ...limitOrder, symbol: '' }, 44444, { symbol: null }],
    [{}, 44444, { symbol: null, side: null, kind: null }],
  ])('%o', (parameters, code, known) => {
    const draft = draftOrder(parameters);
    expect(codeOf(draft)).toBe(code);
    expect(draft).toMatchObject(known);
  });
});

describe('DEC-ORD-20: an unknown mode of self-trade prevention is refused, an empty one is none (E11, A32)', () => {
  test.each(['CANCEL_TAKER', 'cancel_taker ', 'none'])('%s', (stpMode) => {
    expect(codeOf(draftOrder({ ...limitOrder, stpMode }))).toBe(33333);
  });
  test('empty', () => {
    const draft = draftOrder({ ...limitOrder, stpMode: '' });
    expect(draft.fault === null && draft.terms.stpMode).toBe('none');
  });
});
