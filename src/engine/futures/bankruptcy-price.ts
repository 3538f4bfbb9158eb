import { dividedUp } from '#base/whole-numbers.ts';

/** Lots with what they cost, both with the same sign, and settle units of one lot at one tick. */
export interface CostedLots {
  readonly lots: number;
  readonly cost: bigint;
  readonly quotePerTickLot: number;
}

/**
 * The price in ticks at which lots lose what is behind them, and no more: rounded up for long ones, down for short
 * ones, at least one tick. DEC-FUT-48.
 */
export function bankruptcyPrice({ lots, cost, quotePerTickLot }: CostedLots, behind: bigint): bigint {
  const unit = BigInt(Math.abs(lots)) * BigInt(quotePerTickLot);
  const price = lots > 0 ? dividedUp(cost - behind, unit) : (behind - cost) / unit;
  return price > 1n ? price : 1n;
}

/** The greatest price in ticks at which one lot is worth a safe integer of settle units. */
export const greatestTicks = (quotePerTickLot: number): bigint =>
  BigInt(Number.MAX_SAFE_INTEGER) / BigInt(quotePerTickLot);
