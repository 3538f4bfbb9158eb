import type { OrderRequest } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';
import { stpCode } from '#engine/book/order-flags.ts';
import type { Book } from '#engine/book/book.ts';
import { codeOfSide } from '#engine/book/side-code.ts';
import { collarPrice } from '#engine/spot/collar.ts';
import { activeStp } from '#engine/spot/taker.ts';
import { createSimulateMatch, type SimulatedMatch } from '#engine/spot/simulate-match.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Options of a simulation. */
export interface SimulationOptions {
  /** Whether self-trade prevention applies, if the order asks for it. Default: true. */
  readonly preventsSelfTrade?: boolean;
  /** Units that the account can pay: the simulation stops beyond them. Default: no bound. */
  readonly affordable?: number;
}

/** Simulated match: what an order would trade if it were placed now. Nothing changes. */
export type SimulateOrder = (
  book: Book,
  account: AccountId,
  order: OrderRequest,
  options?: SimulationOptions,
) => SimulatedMatch;

/** Creates the simulation of orders for one engine. */
export function createSimulateOrder(state: EngineState): SimulateOrder {
  const simulateMatch = createSimulateMatch(state);
  return (book, account, order, { preventsSelfTrade = true, affordable = Number.POSITIVE_INFINITY } = {}) => {
    const side = codeOfSide(order.side);
    return simulateMatch(book, {
      account,
      side,
      limit: order.price ?? collarPrice(book, side),
      lots: order.quantity ?? Number.POSITIVE_INFINITY,
      budget: order.budget ?? Number.POSITIVE_INFINITY,
      affordable,
      stp: preventsSelfTrade ? activeStp(state, account, stpCode(order.stpMode)) : 0,
    });
  };
}
