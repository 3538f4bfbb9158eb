import { clamped, dividedNearest } from '#base/whole-numbers.ts';
import type { ContractRules } from '#model/contract.ts';
import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import type { LevelTable } from '#engine/book/level-table.ts';
import { buySide, sellSide } from '#engine/book/side-code.ts';
import type { ContractMark } from '#engine/state/futures/contract-mark.ts';
import { fairPrice } from '#engine/futures/fair-price.ts';
import { fundingCycleMs, fundingRate, nextFundingAfter, rateScale } from '#engine/state/futures/funding-rate.ts';
import { impactCoins, impactPrice } from '#engine/futures/impact-price.ts';
import { markOfTicks } from '#engine/state/futures/mark-price.ts';

/** How long a contract trades on without an index. DEC-FUT-03. */
export const indexMissingMs = 60_000;

/** The market of a contract, as far as its prices follow from it. */
export interface MarkedMarket {
  readonly rules: ContractRules;
  readonly book: Book;
  readonly levels: LevelTable;
  /** Decimals of the settle asset. */
  readonly settleScale: number;
}

/** A funding that is due now. */
export interface DueFunding {
  /** When the cycle ended. */
  readonly at: TimestampMs;
  /** In parts per 10^8. */
  readonly rate: number;
  readonly fair: number;
}

/** What follows from an update. */
export interface MarkUpdate {
  /** `null`: no cycle has ended. */
  readonly funding: DueFunding | null;
  /** Whether no index was told for so long that the contract must pause. */
  readonly isPauseDue: boolean;
}

/**
 * Takes up the index of a second, `null` if no source is live: the last one stays then, and nothing is sampled. Gives
 * the fair price, and ends the cycle of funding when its time has come; a cycle ends once, however late. A cycle that
 * was changed applies at once: its next end is the nearer of the two. DEC-FUT-03, DEC-FUT-12, DEC-FUT-13, DEC-FUT-28.
 */
export function updateMark(
  mark: ContractMark,
  market: MarkedMarket,
  indexPrice: number | null,
  now: TimestampMs,
): MarkUpdate {
  const cycleMs = fundingCycleMs(market.rules);
  if (indexPrice !== null) {
    mark.index = indexPrice;
    mark.indexAt = now;
  }
  mark.at = now;
  // DEC-FUT-27: one sample a second
  const second = Math.floor(now / 1000);
  const isSampled = indexPrice !== null && second > mark.sampledSecond;
  mark.basis.moveTo(second);
  if (isSampled) sampleBasis(mark, market);
  if (mark.index > 0) mark.fair = fairPriceNow(mark, market, cycleMs);
  const funding = endCycle(mark, market.rules, cycleMs);
  if (isSampled) {
    samplePremium(mark, market);
    mark.sampledSecond = second;
  }
  return { funding, isPauseDue: now - mark.indexAt >= indexMissingMs };
}

/** The rate in parts per 10^8 that would be paid if the cycle ended now. */
export const predictedRate = (mark: ContractMark, rules: ContractRules): number =>
  fundingRate(BigInt(mark.premiumSum), mark.premiumCount, rules);

function fairPriceNow(mark: ContractMark, { book, rules }: MarkedMarket, cycleMs: number): number {
  return fairPrice({
    index: mark.index,
    lastRate: mark.lastRate,
    timeLeftMs: Math.min(Math.max(mark.nextFundingAt - mark.at, 0), cycleMs),
    cycleMs,
    basisTwiceSum: mark.basis.twiceSum,
    basisCount: mark.basis.count,
    limitPpm: rules.fairLimitPpm,
    last: book.lastPrice === 0 ? 0 : markOfTicks(book.lastPrice, rules.priceDecimals),
  });
}

/** A book with an empty side has no mid, and the second no sample. */
function sampleBasis(mark: ContractMark, { book, rules }: MarkedMarket): void {
  if (book.best(buySide) < 0 || book.best(sellSide) < 0) return;
  const bid = markOfTicks(book.bestPrice(buySide), rules.priceDecimals);
  const ask = markOfTicks(book.bestPrice(sellSide), rules.priceDecimals);
  mark.basis.put(BigInt(bid) + BigInt(ask) - 2n * BigInt(mark.index));
}

/** Without a fair price nothing is paid, but the cycle ends. DEC-FUT-28. */
function endCycle(mark: ContractMark, rules: ContractRules, cycleMs: number): DueFunding | null {
  const endedAt = mark.nextFundingAt;
  const next = nextFundingAfter(mark.at, cycleMs);
  if (mark.at < endedAt) {
    mark.nextFundingAt = as(Math.min(endedAt, next));
    return null;
  }
  const rate = mark.fair === 0 ? 0 : predictedRate(mark, rules);
  mark.beginCycle(rate, next);
  return mark.fair === 0 ? null : { at: endedAt, rate, fair: mark.fair };
}

function samplePremium(mark: ContractMark, { book, levels, settleScale }: MarkedMarket): void {
  const notional = impactCoins * 10n ** BigInt(settleScale);
  const bid = impactPrice(book, levels, buySide, notional);
  const ask = impactPrice(book, levels, sellSide, notional);
  mark.premiumSum += premiumSample(mark.index, bid, ask);
  mark.premiumCount += 1;
}

/**
 * The premium of a contract over its index, in parts per 10^8 and rounded to the nearest: (max(0, impact bid − index) −
 * max(0, index − impact ask)) / index, within ±100 %. A side without depth, whose impact price is 0, counts as 0.
 * DEC-FUT-13, DEC-FUT-26.
 */
export function premiumSample(index: number, impactBid: number, impactAsk: number): number {
  const above = impactBid > index ? BigInt(impactBid - index) : 0n;
  const below = impactAsk > 0 && impactAsk < index ? BigInt(index - impactAsk) : 0n;
  return Number(clamped(dividedNearest((above - below) * rateScale, BigInt(index)), -rateScale, rateScale));
}
