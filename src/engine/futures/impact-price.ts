import type { Book } from '#engine/book/book.ts';
import type { LevelTable } from '#engine/book/level-table.ts';
import type { SideCode } from '#engine/book/side-code.ts';
import { dividedNearest } from '#base/whole-numbers.ts';
import { marksPerTick, toMarkPrice } from '#engine/state/futures/mark-price.ts';

/** Settle coins that an impact price trades. DEC-FUT-13. */
export const impactCoins = 10_000n;

/**
 * The average price, in steps of 10^-markDecimals and rounded to the nearest, at which `notional` units of the settle
 * asset trade against a side of the book, best levels first and the last level in part; 0: the side has no such depth.
 */
export function impactPrice(book: Book, levels: LevelTable, side: SideCode, notional: bigint): number {
  const unit = BigInt(book.quotePerTickLot);
  let fullLots = 0n;
  let left = notional;
  let average = 0;
  book.side(side).every((level) => {
    const price = BigInt(levels.price(level));
    const lots = BigInt(levels.lots(level));
    const value = price * lots * unit;
    if (value < left) {
      fullLots += lots;
      left -= value;
      return true;
    }
    // The lots traded are fullLots + left / (price × unit), and the average is notional / unit over them.
    const marks = marksPerTick(book.rules.priceDecimals);
    average = toMarkPrice(dividedNearest(notional * price * marks, fullLots * price * unit + left));
    return false;
  });
  return average;
}
