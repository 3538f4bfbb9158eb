import type { OrderRequest } from '#domain/order.ts';
import type { AccountId } from '#domain/units.ts';
import { stpCode } from '#engine/book/order-flags.ts';
import type { Book } from '#engine/book/book.ts';
import { codeOfSide } from '#engine/book/side-code.ts';
import { collarPrice } from '#engine/matching/collar.ts';
import { createWalkOfRules1 } from '#engine/matching/rules-1/walk.ts';
import { activeStp } from '#engine/matching/taker.ts';
import { createWalk, type WalkResult } from '#engine/matching/walk.ts';
import { matchesByRules2 } from '#engine/rule-changes.ts';
import type { EngineState } from '#engine/state.ts';

/** How an order meets a book. */
export interface MeetOptions {
  /** Whether self-trade prevention acts, if the order asks for it; it does unless said otherwise. */
  readonly isPrevented?: boolean;
  /** Units that it can give: beyond them nobody asks. Without a bound unless given. */
  readonly affordable?: number;
}

/** What an order would meet if it came now. */
export type MeetBook = (book: Book, account: AccountId, order: OrderRequest, options?: MeetOptions) => WalkResult;

/** Lets orders meet the books of one engine; nothing changes. Answers one reused object. */
export function createMeetBook(state: EngineState): MeetBook {
  const walk = createWalk(state);
  const walkByRules1 = createWalkOfRules1(state);
  return (book, account, order, { isPrevented = true, affordable = Number.POSITIVE_INFINITY } = {}) => {
    const side = codeOfSide(order.side);
    return (matchesByRules2(state) ? walk : walkByRules1)(book, {
      account,
      side,
      limit: order.price ?? collarPrice(state, book, side),
      lots: order.quantity ?? Number.POSITIVE_INFINITY,
      budget: order.budget ?? Number.POSITIVE_INFINITY,
      affordable,
      stp: isPrevented ? activeStp(state, account, stpCode(order.stpMode)) : 0,
    });
  };
}
