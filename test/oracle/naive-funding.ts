import type { Fraction } from './fraction.ts';
import { isAtMost, roundedDown, roundedUp } from './fraction.ts';
import type { NaivePosition, NaiveTerms } from './naive-margin.ts';
import { floored, greater, lesser, magnitude, markValue } from './naive-margin.ts';

// Index, fair price and funding, written from the rules. Marks in steps of 10^-8 of the settle coin, rates in parts per
// 10^8.

/** A source of an index. */
export interface NaiveSource {
  readonly price: bigint;
  readonly weight: bigint;
  readonly live: boolean;
}

const byPrice = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

/** The middle one; of an even count the mean of the two in the middle. Of at least one. */
export function median(values: readonly bigint[]): Fraction {
  const sorted = [...values].sort(byPrice);
  const upper = sorted[Math.floor(sorted.length / 2)] as bigint;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] as bigint;
  return { over: lower + upper, under: 2n };
}

/** Whether a price is at most 3 % off the median. */
function isNear(price: bigint, { over, under }: Fraction): boolean {
  return isAtMost({ over: magnitude(price * under - over) * 100n, under: 1n }, { over: 3n * over, under: 1n });
}

/** The weighted mean of the sources that count, a half rounded up; `null` where none does. DEC-FUT-03. */
export function indexPrice(sources: readonly NaiveSource[]): bigint | null {
  const live = sources.filter((source) => source.live);
  if (live.length === 0) return null;
  let counted = live;
  if (live.length === 2) {
    const [first, second] = live as [NaiveSource, NaiveSource];
    counted = [second.weight > first.weight ? second : first];
  } else if (live.length > 2) {
    const middle = median(live.map((source) => source.price));
    counted = live.filter((source) => isNear(source.price, middle));
  }
  const weight = counted.reduce((total, source) => total + source.weight, 0n);
  if (weight === 0n) return null;
  const worth = counted.reduce((total, source) => total + source.price * source.weight, 0n);
  return (2n * worth + weight) / (2n * weight);
}

/** What the basis ring takes of a second: mid less index; 0 where a side of the book is empty. Prices in ticks. */
export function basisSample(terms: NaiveTerms, bid: bigint | null, ask: bigint | null, index: bigint): bigint {
  if (bid === null || ask === null) return 0n;
  return ((bid + ask) * 10n ** (8n - terms.priceDecimals)) / 2n - index;
}

/** What the fair price is made of. */
export interface FairInputs {
  readonly index: bigint;
  /** Of the last funding; 0 before the first. */
  readonly lastRate: bigint;
  readonly msLeft: bigint;
  /** The last 300 samples at most. */
  readonly basis: readonly bigint[];
  /** In ticks; `null` before the first trade. */
  readonly last: bigint | null;
}

/**
 * The median of three, each rounded down; before the first trade the index stands for its price. What is further from
 * the index than the contract's limit is moved to the last price within it. DEC-FUT-12, DEC-FUT-100.
 */
export function fairPrice(terms: NaiveTerms, inputs: FairInputs): bigint {
  const reach = inputs.index * BigInt(terms.fairLimitPpm);
  const middle = medianPrice(terms, inputs);
  const distance = (middle - inputs.index) * 1_000_000n;
  if (magnitude(distance) <= reach) return middle;
  return inputs.index + (distance > 0n ? 1n : -1n) * (reach / 1_000_000n);
}

function medianPrice(terms: NaiveTerms, { index, lastRate, msLeft, basis, last }: FairInputs): bigint {
  const cycle = terms.fundingHours * 3_600_000n;
  const held = index + floored({ over: index * lastRate * msLeft, under: cycle * 10n ** 8n });
  const total = basis.reduce((one, other) => one + other, 0n);
  const moved = basis.length === 0 ? index : index + floored({ over: total, under: BigInt(basis.length) });
  const traded = last === null ? index : last * 10n ** (8n - terms.priceDecimals);
  return [held, moved, traded].sort(byPrice)[1] as bigint;
}

/** A level of a book. */
export interface NaiveLevel {
  readonly ticks: bigint;
  readonly lots: bigint;
}

/** The mean price, as a mark, of an order worth so many settle coins; `null` where the side has less. DEC-FUT-13. */
export function impactPrice(terms: NaiveTerms, levels: readonly NaiveLevel[], coins: bigint): Fraction | null {
  const target = coins * 10n ** (terms.priceDecimals + terms.sizeDecimals);
  let left = target;
  // Contracts bought of all whole levels, and of the last one a part: left / (ticks × size).
  let wholeLots = 0n;
  for (const { ticks, lots } of levels) {
    const worth = ticks * lots * terms.size;
    if (worth < left) {
      left -= worth;
      wholeLots += lots;
      continue;
    }
    // mean ticks = target / size / (wholeLots + left / (ticks × size))
    const lotsTimes = wholeLots * ticks * terms.size + left;
    return { over: target * ticks * 10n ** (8n - terms.priceDecimals), under: lotsTimes };
  }
  return null;
}

/** The premium of a second, cut towards zero; a side without depth counts as 0. DEC-FUT-13. */
export function premium(
  terms: NaiveTerms,
  book: { readonly bids: readonly NaiveLevel[]; readonly asks: readonly NaiveLevel[] },
  index: bigint,
): bigint {
  const bid = impactPrice(terms, book.bids, 10_000n);
  const ask = impactPrice(terms, book.asks, 10_000n);
  const above: Fraction =
    bid === null ? { over: 0n, under: 1n } : { over: greater(0n, bid.over - index * bid.under), under: bid.under };
  const below: Fraction =
    ask === null ? { over: 0n, under: 1n } : { over: greater(0n, index * ask.under - ask.over), under: ask.under };
  const over = above.over * below.under - below.over * above.under;
  return (over * 10n ** 8n) / (above.under * below.under * index);
}

/** The funding rate of a cycle with these samples. DEC-FUT-13. */
export function fundingRate(terms: NaiveTerms, samples: readonly bigint[]): bigint {
  const total = samples.reduce((one, other) => one + other, 0n);
  const mean = samples.length === 0 ? 0n : total / BigInt(samples.length);
  const interest = (10_000n * terms.fundingHours) / 8n;
  const rate = mean + greater(-50_000n, lesser(50_000n, interest - mean));
  return greater(terms.minFunding, lesser(terms.maxFunding, rate));
}

/** The first moment after `at` that is a whole number of cycles, UTC; in ms. DEC-FUT-14. */
export function nextFunding(terms: NaiveTerms, at: bigint): bigint {
  const cycle = terms.fundingHours * 3_600_000n;
  return (at / cycle + 1n) * cycle;
}

/** What a position owes at a funding, or below zero is owed: payers rounded up, receivers down. DEC-FUT-14. */
export function fundingDue(terms: NaiveTerms, position: NaivePosition, mark: bigint, rate: bigint): bigint {
  const value = markValue(terms, mark, magnitude(position.lots));
  const due: Fraction = { over: value.over * magnitude(rate), under: value.under * 10n ** 8n };
  const pays = position.lots > 0n === rate > 0n;
  return pays ? roundedUp(due) : -roundedDown(due);
}
