import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { as, type AccountId } from '#model/units.ts';
import { ContractMark } from '#engine/state/futures/contract-mark.ts';
import { fundingPayments } from '#engine/futures/funding-payments.ts';
import { fundingCycleMs } from '#engine/state/futures/funding-rate.ts';
import { updateMark } from '#engine/futures/update-mark.ts';
import type { Fraction } from '../oracle/fraction.ts';
import { dividedBy, isAtMost, times, whole } from '../oracle/fraction.ts';
import { bitcoinRules, ContractMarket, type Level } from '../scenario/contract-market.ts';

// The model keeps everything that was ever told and computes in USDT, with fractions that are rounded where the rules
// say so.

const zero = whole(0n);
const of = (over: number, under: number): Fraction => ({ over: BigInt(over), under: BigInt(under) });
const minus = ({ over, under }: Fraction): Fraction => ({ over: -over, under });
const plus = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.under + other.over * one.under,
  under: one.under * other.under,
});
const least = (one: Fraction, other: Fraction): Fraction => (isAtMost(one, other) ? one : other);
const most = (one: Fraction, other: Fraction): Fraction => (isAtMost(one, other) ? other : one);
const total = (all: readonly Fraction[]): Fraction => all.reduce(plus, zero);
const mean = (all: readonly Fraction[]): Fraction => dividedBy(total(all), whole(BigInt(all.length)));

/** The greatest whole number that is not above a fraction of either sign. */
function floored({ over, under }: Fraction): bigint {
  const rest = ((over % under) + under) % under;
  return (over - rest) / under;
}

/** To the nearest 10^-8, halves away from zero. */
function rounded(value: Fraction): Fraction {
  if (value.over < 0n) return minus(rounded(minus(value)));
  const half = { over: 1n, under: 2n };
  return { over: floored(plus(times(value, whole(steps)), half)), under: steps };
}
const steps = 100_000_000n;
const inSteps = (value: Fraction): number => Number(floored(times(value, whole(steps))));

interface Told {
  readonly at: number;
  /** USDT. */
  readonly index: Fraction | null;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

const usdtOfTicks = (ticks: number): Fraction => of(ticks, 10);

/** Average price at which 10,000 USDT trade, `null` without the depth. */
function modelImpact(levels: readonly Level[]): Fraction | null {
  let left = whole(10_000n);
  let coins = zero;
  for (const [ticks, lots] of levels) {
    const price = usdtOfTicks(ticks);
    const spent = least(left, times(price, of(lots, 10_000)));
    coins = plus(coins, dividedBy(spent, price));
    left = plus(left, minus(spent));
  }
  return left.over > 0n ? null : rounded(dividedBy(whole(10_000n), coins));
}

function modelPremium({ index, bids, asks }: Told): Fraction {
  const bid = modelImpact(bids);
  const ask = modelImpact(asks);
  const above = bid === null ? zero : most(zero, plus(bid, minus(index!)));
  const below = ask === null ? zero : most(zero, plus(index!, minus(ask)));
  return rounded(dividedBy(plus(above, minus(below)), index!));
}

function modelRate(samples: readonly Told[], hours: number): Fraction {
  const premium = samples.length === 0 ? zero : rounded(mean(samples.map(modelPremium)));
  const interest = times(of(1, 10_000), of(hours, 8));
  const pull = most(of(-5, 10_000), least(of(5, 10_000), plus(interest, minus(premium))));
  return most(of(-18, 10_000), least(of(18, 10_000), plus(premium, pull)));
}

/** One by one: the samples of the last 300 seconds that have a mid. */
function modelBasis(samples: readonly Told[], at: number): Fraction {
  const second = Math.floor(at / 1000);
  const recent = samples.filter((each) => Math.floor(each.at / 1000) > second - 300);
  const bases = recent.flatMap(({ index, bids, asks }) =>
    bids.length === 0 || asks.length === 0
      ? []
      : [plus(times(plus(usdtOfTicks(bids[0]![0]), usdtOfTicks(asks[0]![0])), of(1, 2)), minus(index!))],
  );
  return bases.length === 0 ? zero : rounded(mean(bases));
}

function middle(values: readonly Fraction[]): Fraction {
  const sorted = [...values].sort((one, other) => (isAtMost(one, other) ? -1 : 1));
  return sorted[1]!;
}

describe('a market at random', () => {
  test.each([1, 2, 3, 4])('has the prices and rates of fractions, by DEC-FUT-12, DEC-FUT-13 (seed %i)', (seed) => {
    const { below } = createPrng(seed);
    const hours = [1, 4, 8][below(3)]!;
    const cycleMs = hours * 3_600_000;
    const rules = { ...bitcoinRules, fundingHours: hours };
    const market = new ContractMarket(rules);
    const listedAt = below(100) * 1000;
    const mark = new ContractMark(rules.id, as(listedAt), fundingCycleMs(rules));
    const told: Told[] = [];
    const samples: Told[] = [];
    let cycleFrom = 0;
    let lastRate = zero;
    let fundings = 0;
    let at = listedAt;
    const side = (from: number, step: number): Level[] =>
      Array.from({ length: below(5) }, (_, level) => [from + step * (level * 7 + below(7)), 1 + below(2000)] as const);
    for (let round = 0; round < 400; round += 1) {
      // mostly each second, at times twice in one or much later
      at += [1000, 1000, 1000, 1000, 300, 40_000, below(cycleMs / 10)][below(7)]!;
      const centre = 600_000 + below(2000) - 1000;
      const bids = side(centre, -1);
      const asks = side(centre + 1, 1);
      const last = below(3) === 0 ? 600_000 + below(1000) : market.book.lastPrice;
      market.quote(bids, asks, last);
      const indexSteps = 6_000_000_000_000 + below(10_000_000_000);
      const index = below(10) === 0 ? null : of(indexSteps, Number(steps));
      const now: Told = { at, index, bids, asks };
      told.push(now);

      const { funding } = updateMark(mark, market, index === null ? null : indexSteps, as(at));

      const second = Math.floor(at / 1000);
      const isSampled = index !== null && !samples.some((each) => Math.floor(each.at / 1000) === second);
      if (isSampled) samples.push(now);
      const known = told.findLast((each) => each.index !== null)?.index;
      if (known === undefined || known === null) {
        expect([mark.fair, funding]).toEqual([0, null]);
        continue;
      }
      const cycleEnd = (Math.floor(Math.max(cycleFrom, listedAt) / cycleMs) + 1) * cycleMs;
      const timeLeft = of(Math.max(0, cycleEnd - at), cycleMs);
      const fair = middle([
        rounded(times(known, plus(whole(1n), times(lastRate, timeLeft)))),
        plus(known, modelBasis(samples, at)),
        last === 0 ? known : usdtOfTicks(last),
      ]);
      expect(mark.fair).toBe(inSteps(fair));
      if (at >= cycleEnd) {
        const ended = samples.filter((each) => each.at >= cycleFrom && each.at < at);
        lastRate = modelRate(ended, hours);
        expect(funding).toEqual({ at: cycleEnd, rate: inSteps(lastRate), fair: inSteps(fair) });
        cycleFrom = at;
        fundings += 1;
      } else expect(funding).toBeNull();
    }
    expect(fundings).toBeGreaterThan(0);
  });
});

test('payments are those of fractions, and payers cover receivers, by DEC-FUT-14', () => {
  const { below } = createPrng(7);
  for (let round = 0; round < 200; round += 1) {
    const lots = Array.from({ length: 2 + below(6) }, () => below(1_000_000) - 500_000);
    lots.push(-lots.reduce((sum, each) => sum + each, 0));
    const positions = lots.map((each, account) => ({ account: as<AccountId>(account), lots: each }));
    const rate = below(360_001) - 180_000;
    const fair = 1 + below(2 ** 30) * 8192;
    const { payments, paid, received } = fundingPayments(positions, {
      rate,
      fair,
      quotePerTickLot: 10,
      priceDecimals: 1,
    });
    const paidBy = new Map(payments.map(({ account, amount }) => [account, amount]));
    for (const { account, lots: held } of positions) {
      // coins × fair price × rate in units of 10^-6 USDT
      const units = times(times(of(held, 10_000), of(fair, Number(steps))), of(rate * 1_000_000, Number(steps)));
      expect(paidBy.get(account) ?? 0n).toBe(-floored(minus(units)));
    }
    const sum = payments.reduce((all, { amount }) => all + amount, 0n);
    expect(paid - received).toBe(sum);
    expect(sum >= 0n && sum <= BigInt(lots.length)).toBe(true);
  }
});
