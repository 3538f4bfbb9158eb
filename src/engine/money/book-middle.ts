import type { Book } from '#engine/book/book.ts';
import { buySide, sellSide, type SideCode } from '#engine/book/side-code.ts';
import type { UnitValue } from '#engine/state/prices/unit-value.ts';
import type { EngineState } from '#engine/state/state.ts';

/** How far from the middle a level may be to count, in parts per hundred. */
const withinPercent = 2n;
/** Levels of a side that are read. */
const levelsMost = 1000;

/**
 * Value of a unit of a book's base asset at the middle of best bid and ask; `null` unless each side has orders of at
 * least `depth` quote units within 2 % of it. DEC-WAL-141.
 */
export function middleValue(state: EngineState, book: Book, depth: bigint): UnitValue | null {
  if (book.best(buySide) < 0 || book.best(sellSide) < 0) return null;
  const twice = BigInt(book.bestPrice(buySide)) + BigInt(book.bestPrice(sellSide));
  const lowest = ((100n - withinPercent) * twice + 199n) / 200n;
  const highest = ((100n + withinPercent) * twice) / 200n;
  const isDeep =
    hasDepth(state, book, buySide, { from: Number(lowest), to: Number(highest), depth }) &&
    hasDepth(state, book, sellSide, { from: Number(lowest), to: Number(highest), depth });
  if (!isDeep) return null;
  return { numerator: twice * BigInt(book.quotePerTickLot), denominator: 2n * BigInt(book.basePerLot) };
}

/** Prices that count, and the quote units that are needed there. */
interface NeededDepth {
  readonly from: number;
  readonly to: number;
  readonly depth: bigint;
}

function hasDepth({ tables }: EngineState, book: Book, side: SideCode, { from, to, depth }: NeededDepth): boolean {
  const { levels } = tables;
  let missing = depth;
  let left = levelsMost;
  book.side(side).every((level) => {
    const price = levels.price(level);
    if (price < from || price > to) return false;
    missing -= BigInt(price) * BigInt(levels.lots(level)) * BigInt(book.quotePerTickLot);
    left -= 1;
    return missing > 0n && left > 0;
  });
  return missing <= 0n;
}
