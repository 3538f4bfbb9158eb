import { list, natural } from '#model/codec/field-codec.ts';
import { orderRef, orderRequest } from '#model/codec/order-codec.ts';
import { command } from '#model/commands/command-declaration.ts';
import type { AccountId, OrderNumber, SymbolId } from '#model/units.ts';

/** Commands that trading sends all day: declared like all others, and packed by hand in `command-codec.ts`. */
export const orderCommands = {
  placeOrder: command(1, { account: natural<AccountId>(), order: orderRequest }),
  /** Independent results, in order; one symbol. */
  placeOrders: command(2, { account: natural<AccountId>(), orders: list(orderRequest) }),
  /** Replaces a market maker's ladder: cancels (orders that are gone are ignored), then places as `placeOrders`. */
  requote: command(3, {
    account: natural<AccountId>(),
    symbol: natural<SymbolId>(),
    cancel: list(natural<OrderNumber>()),
    place: list(orderRequest),
  }),
  cancelOrder: command(4, { account: natural<AccountId>(), symbol: natural<SymbolId>(), ref: orderRef }),
  /** Every open order of the account on these symbols, oldest first. */
  cancelOrders: command(5, { account: natural<AccountId>(), symbols: list(natural<SymbolId>()) }),
  /**
   * The oldest open orders of the account on these symbols, as many as one entry cancels: an operator's way, for any
   * number of orders. Without symbols on all. DEC-OPR-233.
   */
  cancelSomeOrders: command(126, { account: natural<AccountId>(), symbols: list(natural<SymbolId>()) }),
};
