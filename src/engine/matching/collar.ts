import { shareDown, shareUp } from '#domain/fees.ts';
import type { Book } from '#engine/book/book.ts';
import { boundsCollar } from '#engine/rule-changes.ts';
import type { EngineState } from '#engine/state.ts';

const million = 1_000_000;

/**
 * The worst price a market order may reach: last price plus or minus the collar, on the tick inside it. Without a last
 * price the best opposing price stands in; 0 when there is neither. DEC-ORD-11.
 */
export function collarPrice(state: EngineState, book: Book, side: number): number {
  const reference = book.lastPrice !== 0 ? book.lastPrice : book.best(side ^ 1) < 0 ? 0 : book.bestPrice(side ^ 1);
  if (reference === 0) return 0;
  const { collarPpm } = book;
  if (side === 1) return Math.max(1, shareUp(reference, million - collarPpm));
  const price = shareDown(reference, million + collarPpm);
  return boundsCollar(state) ? Math.min(price, Number.MAX_SAFE_INTEGER) : price;
}
