import type { OrderNumber } from '#domain/units.ts';
import type { OrderView } from '#domain/order.ts';
import { orderText } from '#gateway/handlers/order-texts.ts';
import type { ListedSymbol } from '#gateway/symbol-directory.ts';

/** Orders of one generation: together they take some 12 MB at most. */
const ordersKept = 10_000;

interface PrintedOrder {
  readonly symbol: ListedSymbol;
  readonly order: OrderView;
  readonly text: string;
}

/** Whether nothing happened in between that an answer would show. All else of an order never changes. */
const isUnchanged = (before: OrderView, now: OrderView): boolean =>
  before.executed === now.executed &&
  before.executedQuote === now.executedQuote &&
  before.quantity === now.quantity &&
  before.status === now.status &&
  before.closeReason === now.closeReason &&
  before.updatedAt === now.updatedAt;

/**
 * Orders as queries print them. Bots ask for their open orders over and over, and most orders are as they were. Two
 * generations; the older one makes room as a whole.
 */
export class OpenOrderTexts {
  #young = new Map<OrderNumber, PrintedOrder>();
  #old = new Map<OrderNumber, PrintedOrder>();

  /** As `orderText`. */
  of(symbol: ListedSymbol, order: OrderView): string {
    const young = this.#young.get(order.order);
    const known = young ?? this.#old.get(order.order);
    const isKnown = known !== undefined && known.symbol === symbol && isUnchanged(known.order, order);
    if (isKnown && young !== undefined) return known.text;
    const text = isKnown ? known.text : orderText(symbol, order);
    if (this.#young.size >= ordersKept) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(order.order, { symbol, order, text });
    return text;
  }
}
