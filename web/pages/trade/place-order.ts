import { putPlaced } from '#web/data/account.ts';
import type { Order } from '#web/data/orders.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { signedClient } from '#web/data/session.ts';
import type { OrderDraft } from '#web/pages/trade/order-cost.ts';
import { type PairUnits, plainText, typed } from '#web/pages/trade/pair-units.ts';
import type { StpMode } from '#web/pages/trade/ticket-state.ts';

/**
 * Sends an order of a pair, once: where the answer is lost, the exchange is asked for the order under the id that the
 * client gave it. DEC-WEB-16.
 * @throws BourseError where it was not placed, UnknownOutcome where nobody can tell
 */
export async function placeOrder(
  symbol: string,
  draft: OrderDraft,
  units: PairUnits,
  stpMode: StpMode,
): Promise<Order> {
  const { side, type, price, quantity, amount } = draft;
  const text = (value: bigint | null, decimals: number): string | undefined =>
    value === null ? undefined : plainText(value, decimals);
  const placed = await signedClient().placeOrder({
    symbol,
    side,
    type,
    price: text(price, units.priceDecimals),
    quantity: text(quantity, units.quantityDecimals),
    quoteOrderQty: text(amount, units.quoteScale),
    stpMode: stpMode === '' ? undefined : stpMode,
  });
  const order: Order = {
    symbol,
    id: placed.orderId,
    side: placed.side,
    type: placed.type,
    price: placed.price,
    quantity: placed.origQty,
    executed: '0',
    executedQuote: '0',
    status: 'NEW',
    at: placed.transactTime,
  };
  // Orders of other types never stay.
  if (type === 'LIMIT' || type === 'LIMIT_MAKER') putPlaced(order);
  return order;
}

/** Cancels an order. */
export const cancelOrder = ({ symbol, id }: Order): Promise<unknown> =>
  signedClient().cancelOrder({ symbol, orderId: id });

/** Cancels all open orders of a pair. */
export const cancelAll = (symbol: string): Promise<readonly unknown[]> => signedClient().cancelOpenOrders({ symbol });

/** An order was cancelled, and what was left of it could not be placed again. */
export class MovedHalf extends Error {
  override name = 'MovedHalf';
}

/**
 * Cancels an order and places what is left of it at another price: a new order with the same kind and mode for
 * self-trades, behind those that are there already. Answers `null` where nothing was left.
 * @throws MovedHalf if the second step is refused: the first one stands
 */
export async function moveOrder(order: Order, price: bigint, units: PairUnits): Promise<Order | null> {
  const { symbol, id: orderId, side, type } = order;
  const { stpMode } = await signedClient().order({ symbol, orderId });
  // What traded until then is told by the cancel: the list may be older.
  const { origQty, executedQty } = await signedClient().cancelOrder({ symbol, orderId });
  const lots = (text: string): bigint => typed(text, units.quantityDecimals) ?? 0n;
  const quantity = lots(origQty) - lots(executedQty);
  if (quantity <= 0n) return null;
  try {
    return await placeOrder(symbol, { side, type, price, quantity, amount: null }, units, stpMode);
  } catch (error) {
    throw new MovedHalf(`The order was cancelled. Placing it again: ${reasonOf(error)}`);
  }
}
