import { hearOrders } from '#web/data/account.ts';
import { pairsByName } from '#web/data/markets.ts';
import { averagePrice, isOpen, type Order } from '#web/data/orders.ts';
import { grouped } from '#web/design/number-text.ts';
import { say } from '#web/design/toasts.tsx';

/*
 * What became of orders, in words. An order that fills in many trades is told once, and so are many orders together:
 * a program that trades for the account must not fill the page with notes. DEC-WEB-13.
 */

const gatherMs = 250;
const toldApartMax = 3;
const knownMax = 200;

/** The last that was heard of each order, of the newest ones. */
const known = new Map<string, Order>();
/** Orders that traded and are not told yet. */
const gathered = new Map<string, Order>();

/** What an order traded at its average price, such as `Bought 0.004 of 0.01 BTC at 105,654.69.` */
export function fillText(order: Order, baseAsset: string, priceDecimals: number): string {
  const { side, type, executed, quantity } = order;
  const isPartly = type !== 'MARKET' && Number(executed) < Number(quantity);
  const lots = isPartly ? `${grouped(executed)} of ${grouped(quantity)}` : grouped(executed);
  const price = grouped(averagePrice(order) ?? '', priceDecimals);
  return `${side === 'BUY' ? 'Bought' : 'Sold'} ${lots} ${baseAsset} at ${price}.`;
}

function textOf(order: Order): string {
  const pair = pairsByName.peek().get(order.symbol);
  return fillText(order, pair?.baseAsset ?? order.symbol, pair?.quotePrecision ?? 2);
}

function tell(): void {
  const orders = [...gathered.values()];
  gathered.clear();
  if (orders.length > toldApartMax) say(`${orders.length} of your orders traded.`, 'good');
  else for (const order of orders) say(textOf(order), 'good');
}

function take(order: Order, executedBefore: string): void {
  const before = known.get(order.id)?.executed ?? executedBefore;
  known.delete(order.id);
  known.set(order.id, order);
  if (known.size > knownMax) known.delete(known.keys().next().value as string);
  if (Number(order.executed) <= Number(before)) return;
  if (gathered.size === 0) setTimeout(tell, gatherMs);
  gathered.set(order.id, order);
}

/** Tells from now on what orders of whoever is signed in trade. */
export function tellFills(): void {
  hearOrders(take);
}

/** What is to be said of an order that was just placed, if its trades do not tell it; `null`: they do. */
export function placedText(placed: Order, heard: Order | undefined, baseAsset: string): string | null {
  if (heard !== undefined && Number(heard.executed) > 0) return null;
  if (heard !== undefined && !isOpen(heard)) return 'The order was cancelled: nothing of it could trade.';
  return `${placed.side === 'BUY' ? 'Buy' : 'Sell'} order of ${baseAsset} placed.`;
}

/** Says that an order was placed, once its trades had time to say more. */
export function tellPlaced(placed: Order, baseAsset: string): void {
  setTimeout(() => {
    const text = placedText(placed, known.get(placed.id), baseAsset);
    if (text !== null) say(text, 'good');
  }, gatherMs);
}
