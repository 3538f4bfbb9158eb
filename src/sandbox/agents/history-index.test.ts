import { expect, test } from 'vitest';
import type { ContractRules } from '#model/contract.ts';
import type { SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Moment } from '#sandbox/agents/agent.ts';
import { createHistoryIndex } from '#sandbox/agents/history-index.ts';
import type { TradedContract } from '#sandbox/agents/traded-market.ts';

const moment: Moment = { now: 0, elapsedMs: 300_000, pace: 'history', whole: false };
/** Prices in whole dollars with two decimals; the narrowest maintenance margin is 0.5 %. */
function contractOf(id: number, quotes: { mid: number; fair: number } | null): TradedContract {
  const spot = quotes && {
    rules: { priceDecimals: 2 },
    get quotedMid() {
      return quotes.mid * 100;
    },
    get quotedBid() {
      return quotes.mid * 100 - 1;
    },
    get quotedAsk() {
      return quotes.mid * 100 + 1;
    },
    lastTick: 0,
    fairTicks: () => quotes.fair * 100,
  };
  const contractRules = { tiers: [{ maintenancePpm: 20_000 }, { maintenancePpm: 5_000 }] } as unknown as ContractRules;
  return { rules: { id: as<SymbolId>(id) }, contractRules, spot } as unknown as TradedContract;
}
const pricesOf = (commands: readonly unknown[]): (number | null)[][] =>
  (commands as { prices: { price: number | null }[] }[]).map(({ prices }) => prices.map(({ price }) => price));

test('DEC-FUT-66: the index of a history goes to what the makers quote in steps below every maintenance margin', () => {
  const quotes = { mid: 1_000, fair: 980 };
  const index = createHistoryIndex([contractOf(1, quotes), contractOf(2, null)]);
  expect(index.onTheWay()).toEqual([]);
  expect(pricesOf(index.act(moment))).toEqual([[1_000e8, null]]);
  const way = pricesOf(index.onTheWay()).map(([price]) => price! / 1e8);
  const steps = [1_000, ...way, quotes.fair];
  expect(steps.length).toBe(7);
  for (const [at, price] of steps.slice(1).entries()) {
    expect(price).toBeLessThan(steps[at]!);
    expect(price / steps[at]!).toBeGreaterThan(1 - 0.8 * 0.005);
  }
  quotes.mid = 980;
  expect(pricesOf(index.act(moment))).toEqual([[980e8, null]]);
  expect(index.onTheWay()).toEqual([]);
});

test('a leap takes twelve steps at most, and live the exchange is told nothing', () => {
  const index = createHistoryIndex([contractOf(1, { mid: 1_000, fair: 500 })]);
  index.act(moment);
  expect(index.onTheWay().length).toBe(11);
  expect(index.act({ ...moment, pace: 'live' })).toEqual([]);
});
