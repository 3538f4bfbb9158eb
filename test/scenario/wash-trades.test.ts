import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { innerHouse } from '#model/account.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { higherValue, lowerValue } from '#engine/money/valuation.ts';
import { assets, openRules, people, WalletHarness } from './wallet-harness.ts';

const { BTC, TKN, USDT } = assets;
const { alice, bob, carol } = people;
const minuteMs = 60_000;
const hourMs = 3_600_000;
/** What BTC and TKN are worth to honest people, in ticks: 2 USDT and half a USDT. */
const honest = { BTC: 20_000, TKN: 5000 } as const;
type Pair = keyof typeof honest;
const symbols = { TKN: 0, BTC: 1 } as const;
/** Whole coins in smallest units. */
const coins = (amount: number): bigint => BigInt(amount) * 10_000n;

/** An exchange with two thin pairs; no price was set by anybody. */
class ThinMarket extends WalletHarness {
  constructor() {
    super({ ...openRules, dustBelow: as(coins(5)), dustCallMax: as(coins(50)) });
    for (const person of [alice, bob, carol])
      for (const asset of [BTC, TKN, USDT]) this.give(person, asset, coins(1_000_000_000));
    this.give(innerHouse.dust, TKN, coins(1_000_000_000));
  }

  order(account: AccountId, pair: Pair, side: 'buy' | 'sell', [lots, ticks]: readonly [number, number]): void {
    const symbol = as<never>(symbols[pair] as never);
    const terms = { symbol, side, kind: 'limit', price: as<never>(ticks as never) } as const;
    const rest = { quantity: as<never>(lots as never), budget: null, clientOrderId: null, stpMode: 'none' } as const;
    this.run({ kind: 'placeOrder', account, order: { ...terms, ...rest } });
  }

  /** A trade of two strangers at a price of theirs. */
  wash(pair: Pair, lots: number, ticks: number): void {
    this.run({ kind: 'cancelOrders', account: alice, symbols: [as(symbols[pair])] });
    this.run({ kind: 'cancelOrders', account: bob, symbols: [as(symbols[pair])] });
    this.order(alice, pair, 'sell', [lots, ticks]);
    this.order(bob, pair, 'buy', [lots, ticks]);
  }

  /** Honest people trade both pairs for so many minutes. */
  tradeHonestly(minutes: number): void {
    for (let minute = 0; minute < minutes; minute += 1) {
      for (const pair of ['BTC', 'TKN'] as const) {
        this.order(carol, pair, 'sell', [10, honest[pair]]);
        this.order(carol, pair, 'buy', [10, honest[pair]]);
      }
      this.at += minuteMs;
    }
  }

  /** What converting one unit of BTC less than 5 USDT's worth by honest prices gives of the token; 0: nothing. */
  convert(account: AccountId): { readonly given: bigint; readonly got: bigint } {
    const before = [this.free(account, BTC), this.free(account, TKN)] as const;
    this.run({ kind: 'convertDust', account, assets: [BTC] });
    return { given: before[0] - this.free(account, BTC), got: this.free(account, TKN) - before[1] };
  }
}

/** Worth by honest prices, in ten thousandths of a unit of USDT. */
const worthOf = (pair: Pair, amount: bigint): bigint => amount * BigInt(honest[pair]);

describe('DEC-WAL-140, DEC-WAL-141: prices that trades cannot make', () => {
  test('one trade makes no price: nothing is dust, and a deposit or withdrawal waits', () => {
    const market = new ThinMarket();
    market.wash('BTC', 1, 1);
    market.wash('TKN', 1_000_000, 1);
    market.at += 10 * minuteMs;
    const { state } = market.engine;
    expect([lowerValue(state, BTC, 1n), higherValue(state, BTC, 1n)]).toEqual([null, null]);
    expect(market.convert(people.child)).toEqual({ given: 0n, got: 0n });
  });

  test('the median of last price, weighted price and middle counts; of two both; of one none', () => {
    const market = new ThinMarket();
    const values = () => [
      lowerValue(market.engine.state, BTC, 10_000n),
      higherValue(market.engine.state, BTC, 10_000n),
    ];
    // The last price, and a middle of 2.05 with depth on both sides: 500 BTC are worth 1,000 USDT and more.
    market.wash('BTC', 1, 20_000);
    market.order(carol, 'BTC', 'buy', [500, 20_300]);
    market.order(carol, 'BTC', 'sell', [500, 20_700]);
    expect(values()).toEqual([20_000n, 20_500n]);
    // A middle without depth within 2 % does not count.
    market.run({ kind: 'cancelOrders', account: carol, symbols: [as(symbols.BTC)] });
    market.order(carol, 'BTC', 'buy', [491, 20_300]);
    market.order(carol, 'BTC', 'sell', [500, 20_700]);
    expect(values()).toEqual([null, null]);
    market.order(carol, 'BTC', 'buy', [2, 20_090]);
    expect(values()).toEqual([20_000n, 20_500n]);
    // Weighted by volume over three minutes: (3 × 2 + 1 × 2.4) / 4 = 2.1, where two minutes are not enough.
    market.run({ kind: 'cancelOrders', account: carol, symbols: [as(symbols.BTC)] });
    market.at += minuteMs;
    market.wash('BTC', 1, 20_000);
    expect(values()).toEqual([null, null]);
    market.at += minuteMs;
    market.wash('BTC', 1, 20_000);
    market.wash('BTC', 1, 24_000);
    market.restore();
    expect(values()).toEqual([21_000n, 24_000n]);
    market.order(carol, 'BTC', 'buy', [500, 21_900]);
    market.order(carol, 'BTC', 'sell', [500, 22_100]);
    expect(values()).toEqual([22_000n, 22_000n]);
    // After 15 minutes without a trade it is gone.
    market.at += 13 * minuteMs;
    market.run({ kind: 'advanceClock' });
    expect(values()).toEqual([22_000n, 24_000n]);
  });

  test('DEC-WAL-142: an hour ago counts too: the higher for what protects, the lower for what the house buys', () => {
    const market = new ThinMarket();
    market.tradeHonestly(75);
    const values = () => [
      lowerValue(market.engine.state, BTC, 10_000n),
      higherValue(market.engine.state, BTC, 10_000n),
    ];
    expect(values()).toEqual([20_000n, 20_000n]);
    for (let minute = 0; minute < 16; minute += 1) {
      market.wash('BTC', 1000, 40_000);
      market.at += minuteMs;
    }
    expect(values()).toEqual([20_000n, 40_000n]);
    for (let minute = 0; minute < 16; minute += 1) {
      market.wash('BTC', 1000, 10_000);
      market.at += minuteMs;
      market.restore();
    }
    expect(values()).toEqual([10_000n, 20_000n]);
    // Whoever keeps it up for an hour has made a price.
    for (let minute = 0; minute < 80; minute += 1) {
      market.wash('BTC', 1000, 10_000);
      market.at += minuteMs;
    }
    expect(values()).toEqual([10_000n, 10_000n]);
  });
});

test('DEC-OPR-130: a reference price counts until it is too old, whatever is traded', () => {
  const market = new ThinMarket();
  const price = { asset: BTC, digits: as<never>(3n as never), decimals: 0, validMs: 60_000, reason: 'test' };
  expect(market.say({ kind: 'setReferencePrice', ...price })).toBe('referencePriceSet');
  market.wash('BTC', 1000, 1);
  market.at += 59_999;
  market.run({ kind: 'advanceClock' });
  expect(lowerValue(market.engine.state, BTC, 1n)).toBe(3n);
  market.at += 1;
  market.restore();
  market.run({ kind: 'advanceClock' });
  expect(lowerValue(market.engine.state, BTC, 1n)).toBeNull();
  expect(market.say({ kind: 'setReferencePrice', ...price, asset: USDT })).toBe('invalidConfiguration');
});

describe('DEC-WAL-145: two strangers who trade with each other within an hour', () => {
  test('random trades never make dust conversion pay more than the honest price', { timeout: 300_000 }, () => {
    const chance = createPrng(145);
    const pick = <Value>(values: readonly Value[]): Value => values[chance.below(values.length)] as Value;
    let conversions = 0;
    for (let round = 0; round < 12; round += 1) {
      const market = new ThinMarket();
      market.tradeHonestly(70);
      const endsAt = market.at + hourMs - 6 * minuteMs;
      while (market.at < endsAt) {
        for (const pair of ['BTC', 'TKN'] as const) {
          if (chance.next() < 0.7) continue;
          const factor = pick([0.001, 0.1, 0.5, 0.9, 1, 1.1, 2, 10, 1000]);
          market.wash(pair, pick([1, 10, 10_000, 100_000]), Math.max(1, Math.round(honest[pair] * factor)));
          const sides = { account: pick([alice, bob]), lots: pick([1, 3000, 10 ** 6]) };
          const ticks = Math.max(2, Math.round(honest[pair] * pick([0.001, 0.5, 1, 2, 1000])));
          if (chance.next() < 0.3) market.order(sides.account, pair, 'buy', [sides.lots, ticks - 1]);
          if (chance.next() < 0.3) market.order(sides.account, pair, 'sell', [sides.lots, ticks + 1]);
        }
        if (chance.next() < 0.3) {
          market.give(people.child, BTC, BigInt(1 + chance.below(Number(coins(2)))));
          const { given, got } = market.convert(people.child);
          if (given > 0n) conversions += 1;
          expect(worthOf('TKN', got) <= worthOf('BTC', given)).toBe(true);
        }
        market.at += pick([1, 10_000, minuteMs, 5 * minuteMs]);
      }
    }
    expect(conversions).toBeGreaterThan(20);
  });

  test('nor a cap, a hold or a large deposit count less than the honest price', { timeout: 300_000 }, () => {
    const chance = createPrng(146);
    for (let round = 0; round < 6; round += 1) {
      const market = new ThinMarket();
      market.tradeHonestly(70);
      const endsAt = market.at + hourMs - 6 * minuteMs;
      while (market.at < endsAt) {
        const factor = [0.0001, 0.01, 0.5, 1, 2][chance.below(5)]!;
        market.wash('BTC', 1 + chance.below(10_000), Math.max(1, Math.round(honest.BTC * factor)));
        const value = higherValue(market.engine.state, BTC, coins(100));
        expect(value === null || value >= coins(200)).toBe(true);
        market.at += [1, 30_000, 2 * minuteMs][chance.below(3)]!;
      }
    }
  });
});
