import { putPlaced } from '#web/data/account.ts';
import type { Order } from '#web/data/orders.ts';
import { signedClient } from '#web/data/session.ts';
import type { OrderDraft } from '#web/pages/trade/order-cost.ts';
import { type PairUnits, plainText } from '#web/pages/trade/pair-units.ts';
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

/**
 * Cancels an order and places what is left of it at another price: a new order, behind those that are there already.
 * If the second step is refused, the first one stands.
 */
export async function moveOrder(order: Order, price: bigint, left: bigint, units: PairUnits): Promise<Order> {
  await cancelOrder(order);
  const draft: OrderDraft = { side: order.side, type: order.type, price, quantity: left, amount: null };
  return placeOrder(order.symbol, draft, units, '');
}
