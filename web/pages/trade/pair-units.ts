import { formatDecimal, parseDecimal } from '#base/decimal.ts';
import type { Pair } from '#web/data/markets.ts';

/** In what a pair's numbers are counted: decimals of each, and fees in parts per million. */
export interface PairUnits {
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  /** Decimals of the assets, at which fees are rounded up. */
  readonly baseScale: number;
  readonly quoteScale: number;
  readonly makerPpm: bigint;
  readonly takerPpm: bigint;
}

/** Fees of the account for a pair, as the API tells them: ratios. */
export interface FeeRates {
  readonly makerCommission: number;
  readonly takerCommission: number;
}

const ppmOf = (rate: number): bigint => BigInt(Math.round(rate * 1_000_000));

/** Units of a pair, with the account's own fees where they are known. */
export const unitsOf = (pair: Pair, rates: FeeRates | null): PairUnits => ({
  priceDecimals: pair.quotePrecision,
  quantityDecimals: pair.baseAssetPrecision,
  baseScale: pair.baseCommissionPrecision,
  quoteScale: pair.quoteCommissionPrecision,
  makerPpm: ppmOf(rates?.makerCommission ?? Number(pair.makerCommission)),
  takerPpm: ppmOf(rates?.takerCommission ?? Number(pair.takerCommission)),
});

/** A decimal that somebody typed, in units; `null`: it is none, or has too many decimals. */
export function typed(text: string, decimals: number): bigint | null {
  const value = parseDecimal(text.trim().replace(/^\./, '0.').replace(/\.$/, ''), decimals);
  return typeof value === 'string' ? null : value;
}

/** A number of units as the API takes it. */
export const plainText = (value: bigint, decimals: number): string => formatDecimal(value, decimals);

/** `value` in units of another number of decimals; what is smaller is cut. */
export const rescaled = (value: bigint, from: number, to: number): bigint =>
  to >= from ? value * 10n ** BigInt(to - from) : value / 10n ** BigInt(from - to);
