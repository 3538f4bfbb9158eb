import { putPlaced } from '#web/data/account.ts';
import type { Order, OrderType, Side } from '#web/data/orders.ts';
import { askAsUser } from '#web/data/session.ts';
import type { OrderDraft } from '#web/pages/trade/order-cost.ts';
import { type PairUnits, plainText } from '#web/pages/trade/pair-units.ts';
import type { StpMode } from '#web/pages/trade/ticket-state.ts';

/** What a placed order answers. */
interface PlacedAnswer {
  readonly orderId: string;
  readonly price: string;
  readonly origQty: string;
  readonly type: OrderType;
  readonly side: Side;
  readonly transactTime: number;
}

/** Sends an order of a pair. It is sent once: after a lost answer the streams tell what became of it. */
export async function placeOrder(
  symbol: string,
  draft: OrderDraft,
  units: PairUnits,
  stpMode: StpMode,
): Promise<Order> {
  const { side, type, price, quantity, amount } = draft;
  const text = (value: bigint | null, decimals: number): string | undefined =>
    value === null ? undefined : plainText(value, decimals);
  const answer = await askAsUser<PlacedAnswer>('POST', '/api/v3/order', {
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
    id: answer.orderId,
    side: answer.side,
    type: answer.type,
    price: answer.price,
    quantity: answer.origQty,
    executed: '0',
    executedQuote: '0',
    status: 'NEW',
    at: answer.transactTime,
  };
  // Orders of other types never stay.
  if (type === 'LIMIT' || type === 'LIMIT_MAKER') putPlaced(order);
  return order;
}

/** Cancels an order. */
export const cancelOrder = ({ symbol, id }: Order): Promise<unknown> =>
  askAsUser('DELETE', '/api/v3/order', { symbol, orderId: id });

/** Cancels all open orders of a pair. */
export const cancelAll = (symbol: string): Promise<readonly unknown[]> =>
  askAsUser<readonly unknown[]>('DELETE', '/api/v3/openOrders', { symbol });

/**
 * Cancels an order and places what is left of it at another price: a new order, behind those that are there already.
 * If the second step is refused, the first one stands.
 */
export async function moveOrder(order: Order, price: bigint, left: bigint, units: PairUnits): Promise<Order> {
  await cancelOrder(order);
  const draft: OrderDraft = { side: order.side, type: order.type, price, quantity: left, amount: null };
  return placeOrder(order.symbol, draft, units, '');
}
