import { describe, expect, test } from 'vitest';
import { fairPrice, fundingDue, fundingRate, impactPrice, indexPrice, nextFunding, premium } from './naive-funding.ts';
import type { NaivePosition } from './naive-margin.ts';
import { coin, mark, terms } from './contract-samples.ts';
import {
  backing,
  bankruptcyPrice,
  freeMargin,
  liquidationMark,
  maintenance,
  markValue,
  nearestTick,
  orderHold,
  perTickLot,
  riskRefusal,
  unrealised,
} from './naive-margin.ts';

const held = (lots: bigint, cost: bigint, margin: bigint, more: Partial<NaivePosition> = {}): NaivePosition => ({
  account: 1,
  contract: 1,
  lots,
  cost,
  margin,
  realised: 0n,
  mode: 'isolated',
  leverage: 10n,
  ...more,
});

describe('margin of the naive model', () => {
  test('DEC-FUT-46: an order of 100 contracts at 50,000 holds a tenth of 500 coins and the commission', () => {
    // 100 × 0.0001 × 50,000 = 500 coins; / 10 = 50; × 0.0004 = 0.2.
    expect(perTickLot(terms)).toBe(10_000n);
    expect(orderHold(terms, 500_000n, 100n, 10n)).toBe(50n * coin + coin / 5n);
    // One contract at 0.1 and leverage 3: 10,000 / 3 rounded up is 3,334, 10,000 × 0.0004 is 4.
    expect(orderHold(terms, 1n, 1n, 3n)).toBe(3_338n);
  });

  test('DEC-FUT-46: the risk limit counts the position and all orders of that side', () => {
    expect(riskRefusal(terms, { position: 50n, ordered: 20n, lots: 30n, leverage: 100n })).toBeNull();
    expect(riskRefusal(terms, { position: 50n, ordered: 20n, lots: 31n, leverage: 100n })).toBe('aboveRiskLimit');
    expect(riskRefusal(terms, { position: 50n, ordered: 20n, lots: 31n, leverage: 50n })).toBeNull();
    expect(riskRefusal(terms, { position: -900n, ordered: 0n, lots: -101n, leverage: 1n })).toBe('aboveRiskLimit');
    // What only closes is no risk, however large the rest is.
    expect(riskRefusal(terms, { position: -2_000n, ordered: 500n, lots: 100n, leverage: 1n })).toBeNull();
  });

  test('DEC-FUT-47: 100 long at 50,000 with leverage 10 are liquidated at 45,000 / 0.995', () => {
    const long = held(100n, 500n * coin, 50n * coin);
    // (500 − 50) / (0.01 × 0.995) = 45,226.130653 26…
    const { over, under } = liquidationMark(terms, long);
    expect(over / under).toBe(4_522_613_065_326n);
    const at = 4_522_613_065_326n;
    expect(long.margin + unrealised(terms, long, at) <= maintenance(terms, long, at)).toBe(true);
    expect(long.margin + unrealised(terms, long, at + 100n) <= maintenance(terms, long, at + 100n)).toBe(false);
    // Short: (500 + 50) / (0.01 × 1.005) = 54,726.368159 20…
    const short = liquidationMark(terms, held(-100n, -500n * coin, 50n * coin));
    expect(short.over / short.under).toBe(5_472_636_815_920n);
  });

  test('DEC-FUT-48: the bankruptcy price loses what is behind, to the tick that leaves something', () => {
    // (500 − 50) / 0.01 = 45,000; (500 + 50) / 0.01 = 55,000.
    expect(bankruptcyPrice(terms, 100n, 500n * coin, 50n * coin)).toBe(450_000n);
    expect(bankruptcyPrice(terms, -100n, -500n * coin, 50n * coin)).toBe(550_000n);
    // One unit less behind a long position: a tick higher; behind a short one: a tick lower.
    expect(bankruptcyPrice(terms, 100n, 500n * coin, 50n * coin - 1n)).toBe(450_001n);
    expect(bankruptcyPrice(terms, -100n, -500n * coin, 50n * coin - 1n)).toBe(549_999n);
    expect(bankruptcyPrice(terms, 100n, 500n * coin, 600n * coin)).toBe(1n);
  });

  test('DEC-FUT-48: what others lack beyond their margins does not stand behind a cross position', () => {
    const one = held(100n, 500n * coin, 50n * coin, { mode: 'cross' });
    const other = held(10n, 50n * coin, 5n * coin, { mode: 'cross', contract: 2 });
    const cross = (price: number) => [
      { terms, position: one, mark: mark(50_000), index: mark(50_000) },
      { terms, position: other, mark: mark(price), index: mark(price) },
    ];
    // The other lost 10 of 50 coins and has 5: it lacks 5. With 4 lost it lacks nothing; a profit stands behind none.
    expect(backing(one, 20n * coin, cross(40_000))).toBe(65n * coin);
    expect(backing(one, 20n * coin, cross(46_000))).toBe(70n * coin);
    expect(backing(one, 20n * coin, cross(90_000))).toBe(70n * coin);
    // Free margin: 20 less the loss of 10.
    expect(freeMargin(20n * coin, cross(40_000))).toBe(10n * coin);
    expect(freeMargin(20n * coin, cross(90_000))).toBe(20n * coin);
  });

  test('values round against the position, prices to the nearest tick', () => {
    // A step of 10^-8 is worth 10^9 × 10^-4 × 10^-8 = 0.001 units per contract.
    expect(markValue(terms, 1n, 1n)).toEqual({ over: coin, under: 10n ** 12n });
    expect(unrealised(terms, held(1n, 0n, 0n), 1_999n)).toBe(1n);
    expect(unrealised(terms, held(-1n, 0n, 0n), 1_999n)).toBe(-2n);
    expect([nearestTick(terms, mark(0.14)), nearestTick(terms, mark(0.15)), nearestTick(terms, 0n)]).toEqual([
      1n,
      2n,
      1n,
    ]);
  });
});

describe('prices and funding of the naive model', () => {
  const source = (price: bigint, weight = 1n, live = true) => ({ price, weight, live });

  test('DEC-FUT-03: of three or more the far one is left out, of two the lighter, of none nothing is left', () => {
    // Median 100; 104 is 4 % off. (100 × 1 + 99 × 3) / 4 = 99.25, rounded 99.
    expect(indexPrice([source(100n), source(104n), source(99n, 3n)])).toBe(99n);
    // 103 is exactly 3 % off the median 100 and counts: 302 / 3 = 100.67.
    expect(indexPrice([source(100n), source(103n), source(99n)])).toBe(101n);
    expect(indexPrice([source(100n), source(200n, 2n)])).toBe(200n);
    expect(indexPrice([source(100n), source(200n)])).toBe(100n);
    expect(indexPrice([source(100n), source(200n, 2n, false)])).toBe(100n);
    expect(indexPrice([source(100n, 1n, false)])).toBeNull();
    // Four in two camps: the median 150 is near to none.
    expect(indexPrice([source(100n), source(100n), source(200n), source(200n)])).toBeNull();
  });

  test('DEC-FUT-12: the fair price is the median of held, moved and traded', () => {
    // 50,000 × (1 + 0.001 × 4 h / 8 h) = 50,025; 50,000 + (10 + 30) / 2 = 50,020; last 50,100.
    const inputs = { index: mark(50_000), lastRate: 100_000n, msLeft: 14_400_000n, basis: [mark(10), mark(30)] };
    expect(fairPrice(terms, { ...inputs, last: 501_000n })).toBe(mark(50_025));
    expect(fairPrice(terms, { ...inputs, last: 500_220n })).toBe(mark(50_022));
    expect(fairPrice(terms, { ...inputs, last: null })).toBe(mark(50_020));
    expect(fairPrice(terms, { ...inputs, basis: [], last: null })).toBe(mark(50_000));
  });

  test('DEC-FUT-13: premium from impact prices, clamp and bounds', () => {
    // 1,000 contracts at 50,100 are 5,010 coins; the other 4,990 at 50,050 are 997.002997… contracts.
    const bids = [
      { ticks: 501_000n, lots: 1_000n },
      { ticks: 500_500n, lots: 5_000n },
    ];
    const impact = impactPrice(terms, bids, 10_000n);
    // 10,000 / (0.1 + 0.0997002997) = 50,075.0375
    expect(impact === null ? null : impact.over / impact.under).toBe(5_007_503_751_875n);
    // (50,075.0375 − 50,000) / 50,000 = 0.00150075
    expect(premium(terms, { bids, asks: [] }, mark(50_000))).toBe(150_075n);
    expect(premium(terms, { bids: bids.slice(0, 1), asks: [] }, mark(50_000))).toBe(0n);
    // All asked for at 49,900: −100 / 50,000.
    const asks = [{ ticks: 499_000n, lots: 9_000n }];
    expect(premium(terms, { bids: [], asks }, mark(50_000))).toBe(-200_000n);
    // P 0: 0 + 0.0001. P 0.0003: I − P = −0.0002, so 0.0001. P 0.0008: − 0.0005. P 0.01: bound.
    expect(fundingRate(terms, [])).toBe(10_000n);
    expect(fundingRate(terms, [30_000n, 30_000n])).toBe(10_000n);
    expect(fundingRate(terms, [80_000n])).toBe(30_000n);
    expect(fundingRate(terms, [-80_000n])).toBe(-30_000n);
    expect(fundingRate(terms, [1_000_000n])).toBe(180_000n);
    expect(fundingRate(terms, [-1_000_000n])).toBe(-180_000n);
  });

  test('DEC-FUT-14: longs pay at a positive rate, payers rounded up, receivers down', () => {
    // 100 contracts at 50,000 are 500 coins; × 0.0001 = 0.05.
    expect(fundingDue(terms, held(100n, 0n, 0n), mark(50_000), 10_000n)).toBe(coin / 20n);
    expect(fundingDue(terms, held(-100n, 0n, 0n), mark(50_000), 10_000n)).toBe(-coin / 20n);
    expect(fundingDue(terms, held(100n, 0n, 0n), mark(50_000), -10_000n)).toBe(-coin / 20n);
    // One contract at 1: 100,000 units × 1 / 10^8 = 0.001.
    expect(fundingDue(terms, held(1n, 0n, 0n), mark(1), 1n)).toBe(1n);
    expect(fundingDue(terms, held(-1n, 0n, 0n), mark(1), 1n)).toBe(0n);
    // 08:00 belongs to the cycle that begins there.
    expect(nextFunding(terms, 28_800_000n)).toBe(57_600_000n);
    expect(nextFunding(terms, 28_799_999n)).toBe(28_800_000n);
  });
});
