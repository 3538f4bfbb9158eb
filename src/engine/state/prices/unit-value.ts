import type { Book } from '#engine/book/book.ts';

/** Value of one unit of an asset in units of another one, as an exact fraction. */
export interface UnitValue {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** One unit of an asset in units of the same asset. */
export const itself: UnitValue = { numerator: 1n, denominator: 1n };

/** Value of a unit of a book's base asset in its quote asset at the last price; `null` if there is no price. */
export const lastUnitValue = (book: Book | null): UnitValue | null =>
  book === null || book.lastPrice === 0
    ? null
    : {
        numerator: BigInt(book.lastPrice) * BigInt(book.quotePerTickLot),
        denominator: BigInt(book.basePerLot),
      };

/** What a unit of the first is worth in units of the second; both are values in the same asset. */
export const dividedBy = (value: UnitValue, by: UnitValue): UnitValue => ({
  numerator: value.numerator * by.denominator,
  denominator: value.denominator * by.numerator,
});

/** What a unit is worth over one hop: its value in an asset, times the value of that asset. */
export const timesValue = (value: UnitValue, by: UnitValue): UnitValue => ({
  numerator: value.numerator * by.numerator,
  denominator: value.denominator * by.denominator,
});

/** Whether one is below the other; both are values in the same asset. */
export const isBelow = (value: UnitValue, other: UnitValue): boolean =>
  value.numerator * other.denominator < other.numerator * value.denominator;

/** The lower of two. */
export const lowerOf = (value: UnitValue, other: UnitValue): UnitValue => (isBelow(other, value) ? other : value);

/** The higher of two. */
export const higherOf = (value: UnitValue, other: UnitValue): UnitValue => (isBelow(value, other) ? other : value);
