import { million } from '#base/whole-numbers.ts';
import { shareDown, shareUp } from '#model/fees.ts';
import type { Book } from '#engine/book/book.ts';
import { opposite, sellSide, type SideCode } from '#engine/book/side-code.ts';

/**
 * Market collar: the worst price that a market order may trade at. It is the last price plus or minus the collar,
 * rounded to the tick inside it. Without a last price the best opposing price is used; 0 if there is neither.
 * DEC-ORD-11.
 */
export function collarPrice(book: Book, side: SideCode): number {
  const opposing = opposite(side);
  const reference = book.lastPrice !== 0 ? book.lastPrice : book.best(opposing) < 0 ? 0 : book.bestPrice(opposing);
  if (reference === 0) return 0;
  const { collarPpm } = book;
  if (side === sellSide) return Math.max(1, shareUp(reference, million - collarPpm));
  const price = shareDown(reference, million + collarPpm);
  return Math.min(price, Number.MAX_SAFE_INTEGER);
}
