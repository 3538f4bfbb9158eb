import { BoundedCache } from '#base/bounded-cache.ts';
import type { OrderNumber } from '#model/units.ts';
import type { OrderView } from '#model/order.ts';
import { orderText } from '#public-api/spot/order-texts.ts';
import type { ListedSymbol } from '#market-data/symbol-directory.ts';

/** The cache holds at most twice as many, about 24 MB. */
const ordersKept = 10_000;

interface PrintedOrder {
  readonly symbol: ListedSymbol;
  readonly order: OrderView;
  readonly text: string;
}

/** Whether the order still prints the same text: all other fields never change. */
const isUnchanged = (before: OrderView, now: OrderView): boolean =>
  before.executed === now.executed &&
  before.executedQuote === now.executedQuote &&
  before.quantity === now.quantity &&
  before.status === now.status &&
  before.closeReason === now.closeReason &&
  before.updatedAt === now.updatedAt;

/** Cached JSON of open orders. Trading bots query their open orders often, and most have not changed. */
export class OpenOrderTexts {
  readonly #printed = new BoundedCache<OrderNumber, PrintedOrder>({ entriesKept: ordersKept });

  /** As `orderText`. */
  of(symbol: ListedSymbol, order: OrderView): string {
    const known = this.#printed.get(order.order);
    if (known !== undefined && known.symbol === symbol && isUnchanged(known.order, order)) return known.text;
    const text = orderText(symbol, order);
    this.#printed.set(order.order, { symbol, order, text });
    return text;
  }
}
