import type { OrderView } from '#model/order.ts';
import {
  orderIdText,
  orderKindWord,
  orderStatusWord,
  sideWord,
  stpCancelWord,
  stpModeWord,
  timeInForceWord,
  tradeIdText,
} from '#http/words.ts';
import type { AssetRules } from '#model/asset.ts';
import { formatDecimal } from '#base/decimal.ts';
import { quoteAmountText } from '#public-api/spot/order-request.ts';
import { type ListedSymbol, lotsText, priceText, quoteText } from '#market-data/symbol-directory.ts';
import type { FillRow } from '#history/tables/history-tables.ts';
import { BoundedCache } from '#base/bounded-cache.ts';
import type { OrderNumber } from '#model/units.ts';

/*
 * Orders and account trades as JSON, written without intermediate objects, because these responses are most of the
 * traffic. No value needs escaping: client order ids contain letters, digits, '-' and '_' only, all else is generated
 * here.
 */

const textOrNull = (text: string | null): string => (text === null ? 'null' : `"${text}"`);

/** Response of POST order. */
export const placedOrderText = (symbol: ListedSymbol, order: OrderView): string =>
  `{"symbol":"${symbol.rules.name}","orderId":"${orderIdText(order.order)}","orderListId":-1,` +
  `"price":"${priceText(symbol, order.price)}","origQty":"${lotsText(symbol, order.quantity)}",` +
  `"type":"${orderKindWord[order.kind]}","side":"${sideWord[order.side]}",` +
  `"stpMode":"${stpModeWord[order.stpMode]}","transactTime":${order.acceptedAt}}`;

/** Entry of a batch response for an accepted order. DEC-ORD-43. */
export const placedEntryText = (symbol: ListedSymbol, order: OrderView): string => {
  const clientId = order.clientOrderId === null ? '' : `,"newClientOrderId":"${order.clientOrderId}"`;
  return `{"symbol":"${symbol.rules.name}","orderId":"${orderIdText(order.order)}","orderListId":-1${clientId}}`;
};

/** Fields that cancels and queries have in common, from the price on. */
const progressText = (symbol: ListedSymbol, order: OrderView, status: OrderView['status']): string =>
  `"price":"${priceText(symbol, order.price)}","origQty":"${lotsText(symbol, order.quantity)}",` +
  `"executedQty":"${lotsText(symbol, order.executed)}",` +
  `"cummulativeQuoteQty":"${quoteText(symbol, order.executedQuote)}","status":"${orderStatusWord[status]}",` +
  `"timeInForce":"${timeInForceWord[order.kind]}","type":"${orderKindWord[order.kind]}",` +
  `"side":"${sideWord[order.side]}"`;

/** Fields of a canceled order that depend on the endpoint. */
export interface CancelFields {
  /** The client's id of the cancel request itself. DEC-ORD-46. */
  readonly cancelId: string | null;
  readonly status: OrderView['status'];
  readonly withListId: boolean;
}

/** Response of DELETE order, and entry of DELETE openOrders. */
export const canceledOrderText = (symbol: ListedSymbol, order: OrderView, fields: CancelFields): string =>
  `{"symbol":"${symbol.rules.name}","origClientOrderId":${textOrNull(order.clientOrderId)},` +
  `"orderId":"${orderIdText(order.order)}",${fields.withListId ? '"orderListId":-1,' : ''}` +
  `"clientOrderId":${textOrNull(fields.cancelId ?? order.clientOrderId)},` +
  `${progressText(symbol, order, fields.status)}}`;

/** Price times quantity, or the quote amount of a market order placed by quote amount. DEC-ORD-39. */
const origQuoteText = (symbol: ListedSymbol, order: OrderView): string =>
  order.budget === null ? quoteAmountText(symbol, order.price, order.quantity) : quoteText(symbol, order.budget);

/**
 * An order in responses of queries; `withQty` adds the field that only the single-order query has. DEC-ORD-24,
 * SPEC-STP-09, DEC-ORD-45.
 */
export const orderText = (symbol: ListedSymbol, order: OrderView, withQty = false): string =>
  `{"symbol":"${symbol.rules.name}","orderId":"${orderIdText(order.order)}","orderListId":-1,` +
  `"clientOrderId":${textOrNull(order.clientOrderId)},"origClientOrderId":${textOrNull(order.clientOrderId)},` +
  `${progressText(symbol, order, order.status)},"stopPrice":null,"icebergQty":null,` +
  `"time":${order.acceptedAt},"updateTime":${order.updatedAt},"isWorking":${order.closeReason === null},` +
  `"stpMode":"${stpModeWord[order.stpMode]}",` +
  `"cancelReason":${order.closeReason === 'stp' ? `"${stpCancelWord}"` : 'null'},` +
  `"origQuoteOrderQty":"${origQuoteText(symbol, order)}"` +
  `${withQty ? `,"Qty":"${lotsText(symbol, order.quantity)}"` : ''}}`;

/** A fill as its account sees it; it has no isBuyerMaker: DEC-ORD-25. */
export const accountTradeText = (symbol: ListedSymbol, fill: FillRow, feeAsset: AssetRules): string =>
  `{"symbol":"${symbol.rules.name}","id":"${tradeIdText(fill.taker, fill.fillOfTaker)}",` +
  `"orderId":"${orderIdText(fill.order)}","orderListId":-1,"price":"${priceText(symbol, fill.price)}",` +
  `"qty":"${lotsText(symbol, fill.lots)}","quoteQty":"${quoteText(symbol, fill.quoteAmount)}",` +
  `"commission":"${formatDecimal(fill.fee, feeAsset.scale)}","commissionAsset":"${feeAsset.code}","time":${fill.at},` +
  `"isBuyer":${fill.side === 'buy'},"isMaker":${fill.isMaker},"isBestMatch":true,` +
  `"isSelfTrade":${fill.isSelfTrade},"clientOrderId":${textOrNull(fill.clientOrderId)}}`;

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
