import { expect, test } from 'vitest';
import { costOf, lotsOfShare, type OrderDraft, percentOff } from '#web/pages/trade/order-cost.ts';
import { typed } from '#web/pages/trade/pair-units.ts';

/** Prices of 2 decimals, quantities of 6, BTC of 8, USDT of 9; makers pay nothing, takers 0.05 %. */
const units = {
  priceDecimals: 2,
  quantityDecimals: 6,
  baseScale: 8,
  quoteScale: 9,
  makerPpm: 0n,
  takerPpm: 500n,
};
const draft = (changes: Partial<OrderDraft>): OrderDraft => ({
  side: 'BUY',
  type: 'LIMIT',
  price: 3_010_000n,
  quantity: 300_000n,
  amount: null,
  ...changes,
});
const asks = Float64Array.from([3_000_000, 100_000, 3_010_000, 100_000, 3_020_000, 500_000]);

test('DEC-WEB-10: a limit order takes what its price reaches, at the prices of the book, and rests with the remainder', () => {
  expect(costOf(draft({}), asks, units)).toEqual({
    taken: 200_000n,
    takenAmount: 6_010_000_000_000n,
    takerFee: { own: 10_000n, token: 0n },
    rests: 100_000n,
    restsAmount: 3_010_000_000_000n,
    makerFee: { own: 0n, token: 0n },
    worstPrice: 3_010_000n,
  });
});

test('DEC-WEB-10: fees are rounded up, of each level by itself', () => {
  const one = Float64Array.from([3_000_000, 1, 3_000_001, 1]);
  // A lot is 100 units of the base asset: 0.05 % of it is a twentieth of a unit.
  expect(costOf(draft({ price: 4_000_000n, quantity: 2n }), one, units).takerFee.own).toBe(2n);
});

test('DEC-WEB-10: what only rests takes nothing, and what may not rest does not', () => {
  expect(costOf(draft({ type: 'LIMIT_MAKER' }), asks, units)).toMatchObject({ taken: 0n, rests: 300_000n });
  expect(costOf(draft({ type: 'IMMEDIATE_OR_CANCEL' }), asks, units)).toMatchObject({ taken: 200_000n, rests: 0n });
  expect(costOf(draft({ type: 'FILL_OR_KILL' }), asks, units)).toMatchObject({
    taken: 0n,
    rests: 0n,
    takerFee: { own: 0n, token: 0n },
  });
});

test('DEC-WEB-10: a market order by amount never spends more', () => {
  const amount = 4_000n * 10n ** 9n;
  const cost = costOf(draft({ type: 'MARKET', price: null, quantity: null, amount }), asks, units);
  expect(cost.takenAmount <= amount).toBe(true);
  // 0.1 at 30,000 and what 1,000 buys at 30,100.
  expect(cost).toMatchObject({ taken: 133_222n, rests: 0n });
});

test('DEC-WEB-11: a price is asked about from five percent on the wrong side of the best one', () => {
  const cost = costOf(draft({}), new Float64Array(), units);
  expect(percentOff(draft({ price: 3_149_999n }), cost, 3_000_000n)).toBe(0n);
  expect(percentOff(draft({ price: 3_150_000n }), cost, 3_000_000n)).toBe(5n);
  expect(percentOff(draft({ price: 100n }), cost, 3_000_000n)).toBe(0n);
  expect(percentOff(draft({ side: 'SELL', price: 1_500_000n }), cost, 3_000_000n)).toBe(50n);
  expect(percentOff(draft({}), cost, null)).toBe(0n);
});

test('DEC-WEB-10: a share of what is free is never more than that', () => {
  expect(lotsOfShare({ side: 'SELL', price: null }, 25n, 100_000_050n, units)).toBe(250_000n);
  expect(lotsOfShare({ side: 'BUY', price: 3_000_000n }, 100n, 30_000n * 10n ** 9n - 1n, units)).toBe(999_999n);
  expect(lotsOfShare({ side: 'BUY', price: null }, 100n, 1n, units)).toBe(0n);
});

test('what is typed is a decimal or nothing', () => {
  expect([typed('1.50', 2), typed('.5', 2), typed('1.', 2), typed(' 2 ', 0)]).toEqual([150n, 50n, 100n, 2n]);
  expect([typed('1.005', 2), typed('-1', 2), typed('1e5', 2), typed('', 2), typed('1,5', 2)]).toEqual(
    Array(5).fill(null),
  );
});

/** The token has 8 decimals and costs 3.2; fees in it are a fifth less. */
const tokenFees = {
  ...{ asset: 'SVC', scale: 8, paidPpm: 800_000n, price: 3_200_000_000_000_000_000n },
  ...{ receivedPrice: 30_000n * 10n ** 18n, receivedScale: 8, followsPair: true, free: 100_000_000n },
  ...{ isGiven: false, isReceived: false },
};

test('DEC-WEB-18: a fee is paid in the token at the price before each fill, as long as there is enough of it', () => {
  // 0.00005 BTC at 30,000, and 0.00005 BTC at 30,000 again: the first fill made that price. × 0.8 / 3.2.
  const { takerFee } = costOf(draft({ quantity: 200_000n }), asks, units, tokenFees);
  expect(takerFee).toEqual({ own: 0n, token: 75_000_000n });
  const short = costOf(draft({ quantity: 200_000n }), asks, units, { ...tokenFees, free: 50_000_000n });
  expect(short.takerFee).toEqual({ own: 5_000n, token: 37_500_000n });
  const unpriced = costOf(draft({ quantity: 200_000n }), asks, units, { ...tokenFees, receivedPrice: null });
  expect(unpriced.takerFee).toEqual({ own: 5_000n, token: 37_500_000n });
});

test('DEC-WEB-18: what the order gives or receives of the token itself counts', () => {
  const given = { ...tokenFees, isGiven: true, free: 6_010_000_000_000n + 37_500_000n };
  expect(costOf(draft({ quantity: 200_000n }), asks, units, given).takerFee).toEqual({
    own: 5_000n,
    token: 37_500_000n,
  });
  const received = {
    ...tokenFees,
    ...{ free: 0n, isReceived: true, followsPair: false, receivedPrice: tokenFees.price },
  };
  expect(costOf(draft({ quantity: 100_000n }), asks, units, received).takerFee).toEqual({ own: 0n, token: 4_000n });
});
