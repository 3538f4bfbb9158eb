import type { Book } from '#engine/book/book.ts';

/** Value of one unit of an asset in units of another one, as an exact fraction. */
export interface UnitValue {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** One unit of an asset in units of the same asset. */
export const itself: UnitValue = { numerator: 1n, denominator: 1n };

/** Value of a unit of a book's base asset in its quote asset at the last price; `null` if there is no price. */
export const lastUnitValue = (book: Book | undefined): UnitValue | null =>
  book === undefined || book.lastPrice === 0
    ? null
    : {
        numerator: BigInt(book.lastPrice) * BigInt(book.quotePerTickLot),
        denominator: BigInt(book.basePerLot),
      };
