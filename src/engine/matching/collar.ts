import { shareDown, shareUp } from '#domain/fees.ts';
import type { Book } from '#engine/book/book.ts';

const million = 1_000_000;

/**
 * The worst price a market order may reach: last price plus or minus the collar, on the tick inside it. Without a last
 * price the best opposing price stands in; 0 when there is neither. decisions.md section 3, MARKET collar.
 */
export function collarPrice(book: Book, side: number): number {
  const reference = book.lastPrice !== 0 ? book.lastPrice : book.best(side ^ 1) < 0 ? 0 : book.bestPrice(side ^ 1);
  if (reference === 0) return 0;
  const { collarPpm } = book;
  return side === 0 ? shareDown(reference, million + collarPpm) : Math.max(1, shareUp(reference, million - collarPpm));
}
