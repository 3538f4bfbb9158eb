import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import type { EventSink, Fact, Trade } from '#model/events.ts';
import type { OrderView } from '#model/order.ts';
import { MinuteBars, minuteMs, returnsOf } from './minute-bars.ts';
import { markdownTable, plainTable, seamTable, summaryOf } from './fact-tables.ts';
import { facts, type MarketReport, measureMarkets, seamVerdict, verdictOf } from './facts.ts';
import { figuresOf } from './market-figures.ts';
import { drawDay } from './market-picture.ts';
import { type Market, MarketTape } from './market-tape.ts';
import { RoundNumbers, tenthTick, twoDigits } from './round-numbers.ts';

const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const midnight = Date.UTC(2026, 0, 2);

describe('candles of minute bars', () => {
  const minuteBars = new MinuteBars(0, 15);
  minuteBars.add(0, 100, 1, true);
  minuteBars.add(30_000, 120, 2, true);
  minuteBars.add(59_999, 90, 3, false);
  minuteBars.add(4 * minuteMs, 110, 4, true);
  minuteBars.add(10 * minuteMs, 105, 5, true);
  minuteBars.add(15 * minuteMs, 1, 1, true);

  test('are folded from trades; without any, the close before goes on', () => {
    expect(minuteBars.fold(5, 0, 15 * minuteMs)).toEqual({
      times: [0, 5 * minuteMs, 10 * minuteMs],
      opens: [100, 110, 105],
      highs: [120, 110, 105],
      lows: [90, 110, 105],
      closes: [110, 110, 105],
      volumes: [10, 0, 5],
      takers: [3, 0, 1],
      trades: [4, 0, 1],
    });
  });

  test('begin with the first trade, and give one return fewer than there are', () => {
    const folded = minuteBars.fold(1, minuteMs, 6 * minuteMs);
    expect(folded.times).toEqual([4 * minuteMs, 5 * minuteMs]);
    expect(returnsOf(folded)).toEqual([0]);
  });
});

describe('round numbers', () => {
  test('are those with two digits, less those that chance makes so', () => {
    const sizes = new RoundNumbers(twoDigits);
    for (let number = 1; number < 10_000; number += 1) sizes.add(number);
    expect(sizes.excess).toBeCloseTo(0);
    for (let times = 0; times < 9_900; times += 1) sizes.add([5_000, 1_200, 100][times % 3]!);
    // as many again as had three digits or four, all of them round, of which chance makes 2 % so
    expect(sizes.excess).toBeCloseTo(0.48, 1);
  });

  test('of prices are every tenth', () => {
    const prices = new RoundNumbers(tenthTick);
    for (let number = 1; number <= 100; number += 1) prices.add(number);
    expect(prices.excess).toBeCloseTo(0);
    for (let times = 0; times < 100; times += 1) prices.add(500);
    expect(prices.excess).toBeCloseTo(0.45);
    expect(new RoundNumbers(tenthTick).excess).toBeNaN();
  });
});

/** Three pairs that form a triangle, and what happens in them. */
const markets: readonly Market[] = [
  { name: 'BTCUSDT', base: 'BTC', quote: 'USDT', ticksPerUnit: 10 },
  { name: 'ETHUSDT', base: 'ETH', quote: 'USDT', ticksPerUnit: 100 },
  { name: 'ETHBTC', base: 'ETH', quote: 'BTC', ticksPerUnit: 100_000 },
].map((market, id) => ({ ...market, id, isContract: false, takerFeePpm: 1_000, quantaPerUnit: 1 }));

class Script {
  readonly tape: MarketTape;
  readonly #sink: EventSink;
  #seq = 0;
  #order = 0;
  readonly #versions = [0, 0, 0];

  constructor(days: number) {
    this.tape = new MarketTape(markets, {
      from: midnight,
      until: midnight + days * dayMs,
      liveFrom: midnight + dayMs,
    });
    this.#sink = this.tape.sink;
  }

  at(time: number): void {
    this.#sink.entryBegan(as((this.#seq += 1)), as(time));
  }

  level(symbol: number, side: 'buy' | 'sell', price: number, lots: number): void {
    this.#sink.levelChanged(as(symbol), as((this.#versions[symbol]! += 1)), side, as(price), as(lots));
  }

  /** An order for `quantity` that fills in trades at these prices, each of a value of 100. */
  take(symbol: number, quantity: number, ...prices: readonly number[]): void {
    const order = (this.#order += 1);
    this.#sink.orderAccepted({ order, symbol, price: null, quantity, budget: null } as unknown as OrderView);
    for (const price of prices)
      this.#sink.tradeExecuted({ symbol, taker: order, price, quoteAmount: 100 } as unknown as Trade);
  }
}

describe('a market whose figures were worked out by hand', () => {
  let reports: readonly MarketReport[];
  let tape: MarketTape;

  beforeAll(() => {
    const script = new Script(2);
    tape = script.tape;
    script.at(midnight);
    // spreads of 2, 4 and 10 bp
    for (const [symbol, bid, ask] of [
      [0, 999_900, 1_000_100],
      [1, 299_940, 300_060],
      [2, 2_998.5, 3_001.5],
    ] as const) {
      script.level(symbol, 'buy', bid, 10);
      script.level(symbol, 'sell', ask, 10);
      script.level(symbol, 'buy', bid * 0.99, 1_000);
    }
    for (let candle = 0; candle < 576; candle += 1) {
      const time = midnight + candle * 5 * minuteMs;
      script.at(time);
      // five times the orders in the eighth hour, prices that alternate
      const isBusy = Math.floor((time / hourMs) % 24) === 8;
      for (let order = 0; order < (isBusy ? 5 : 1); order += 1) {
        script.take(0, 1_234, candle % 2 === 0 ? 1_000_000 : 1_001_000, candle % 2 === 0 ? 1_000_000 : 1_001_000);
        script.take(1, 500, candle % 2 === 0 ? 300_000 : 300_300);
      }
      if (candle >= 288) script.take(2, 100, 3_000);
    }
    tape.end();
    reports = measureMarkets(tape, midnight + dayMs);
  });
  const of = (name: string): MarketReport => reports.find(({ market }) => market.name === name)!;

  test('spreads are those of the book at the end of each minute, also while nothing happens', () => {
    expect(reports.map(({ spread50 }) => spread50)).toEqual([2, 4, 10].map((spread) => expect.closeTo(spread, 6)));
    expect(of('BTCUSDT').spreadWidening).toBeCloseTo(1);
    expect(tape.records[0]!.bids.every((price) => price === 999_900)).toBe(true);
    // levels a hundredth away do not count
    expect(new Set(tape.records[0]!.depths)).toEqual(new Set([20_000_000]));
  });

  test('volumes by hour, their variation and their largest', () => {
    const { hourlyProfile, volumeVariation, volumeSpike, dense1m, dense5m } = of('BTCUSDT');
    expect(hourlyProfile).toBeCloseTo(5);
    const middle = 28 / 24;
    expect(volumeSpike).toBeCloseTo(5 / middle);
    expect(volumeVariation).toBeCloseTo(Math.sqrt((23 * (1 - middle) ** 2 + (5 - middle) ** 2) / 24) / middle);
    expect([dense5m, dense1m]).toEqual([1, expect.closeTo(0.2, 3)]);
  });

  test('returns that alternate have a negative autocorrelation, and no kurtosis', () => {
    expect(of('BTCUSDT').returnLag1).toBeCloseTo(-1, 2);
    expect(of('BTCUSDT').kurtosis).toBeCloseTo(-2, 2);
    expect(of('BTCUSDT').openGapOfMove).toBeCloseTo(1, 2);
    expect(of('BTCUSDT').openGap).toBeCloseTo(10, 1);
  });

  test('markets that move together are told, crosses are not among them', () => {
    expect(of('BTCUSDT').jointMove).toBeCloseTo(1);
    expect(of('ETHBTC').jointMove).toBeNaN();
  });

  test('fills of one order are one order', () => {
    expect(new Set(tape.records[0]!.takerValues)).toEqual(new Set([200]));
    expect(tape.records[0]!.seconds.reduce((sum, count) => sum + count, 0)).toBe(288 + 12 * 4);
    expect(of('ETHUSDT').roundSizes).toBeCloseTo(0.9);
    expect(of('BTCUSDT').roundSizes).toBeCloseTo(-0.01);
  });

  test('DEC-FUT-68: funding rates of a contract are told by median, parts, bounds and spells; a pair has none', () => {
    const span = { from: midnight, until: midnight + hourMs, liveFrom: midnight };
    const contract: Market = { ...markets[0]!, id: 9, name: 'BTC_USDT', isContract: true };
    const funded = new MarketTape([contract, markets[0]!], span);
    const rates = [10_000, 10_000, 10_000, -60_000, 180_000, 10_000, 51_000, 40_000, 10_000, 10_000];
    for (const rate of rates)
      funded.sink.fact({ kind: 'fundingSettled', funding: { contract: contract.id, rate } } as unknown as Fact);
    const [told, pair] = funded.records.map((record) => figuresOf(record, span));
    const { fundingMedian, fundingNear, fundingFar, fundingBound, fundingSpell } = told!;
    expect({ fundingMedian, fundingNear, fundingFar, fundingBound, fundingSpell }).toEqual({
      fundingMedian: 1,
      fundingNear: 0.6,
      fundingFar: 0.3,
      fundingBound: 0.1,
      fundingSpell: 2,
    });
    expect([pair!.fundingMedian, pair!.fundingNear, pair!.fundingBound, pair!.fundingSpell]).toEqual([
      NaN,
      NaN,
      NaN,
      NaN,
    ]);
  });

  test('a triangle at its fair price loses fees and half spreads', () => {
    const { arbitrage, arbitrageBest } = of('ETHBTC');
    expect(arbitrage).toBe(0);
    expect(arbitrageBest).toBeCloseTo(-30 - (2 + 4 + 10) / 2, 0);
  });

  test('two days alike have no seam, but for what began at it', () => {
    const seam = of('BTCUSDT').seam!;
    expect(seam.after.volume).toBe(seam.before.volume);
    expect(
      (Object.keys(seam.after) as (keyof typeof seam.after)[]).map((each) => seamVerdict(seam, each)),
    ).not.toContain('missed');
    expect(seamVerdict(of('ETHBTC').seam!, 'volume')).not.toBe('met');
  });

  test('there is no seam without a day before or without anything after', () => {
    for (const seam of [midnight + dayMs - 1, midnight + 2 * dayMs]) {
      expect(measureMarkets(tape, seam).map((report) => report.seam)).toEqual([null, null, null]);
    }
  });

  test('tables tell how many markets meet a fact and mark what is missed', () => {
    const spike = facts.find(({ figure }) => figure === 'volumeSpike')!;
    expect(verdictOf(spike, of('BTCUSDT'))).toBe('missed');
    const profile = facts.find(({ figure }) => figure === 'hourlyProfile')!;
    expect(verdictOf(profile, of('BTCUSDT'))).toBe('met');
    expect(markdownTable(summaryOf(reports))).toContain(
      '| volume by hour of day: largest / smallest | ≥ 2 | 2 of 3 ✗ | 1.00 | 5.00 | 5.00 |',
    );
    expect(plainTable(seamTable(reports)).split('\n')).toHaveLength(1 + markets.length);
  });

  test('every target of a fact stands in its reference', () => {
    const reference = readFileSync(new URL('../../docs/reference/simulated-market.md', import.meta.url), 'utf8');
    const stated = summaryOf(reports).rows.filter(([, target]) => target !== '–');
    expect(stated.length).toBeGreaterThan(20);
    expect(stated.filter(([name, target]) => !reference.includes(`| ${name} | ${target} |`))).toEqual([]);
  });

  test('a day is drawn with every candle, and nothing that is not a number', () => {
    const picture = drawDay(tape.records[0]!, tape.span, midnight + dayMs);
    expect(picture).not.toContain('NaN');
    expect(picture.match(/live/g)).toHaveLength(1);
    expect(picture.length).toBeLessThan(80_000);
  });
});
