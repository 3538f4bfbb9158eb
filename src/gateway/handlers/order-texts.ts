import type { OrderView } from '#domain/order.ts';
import {
  orderIdText,
  orderKindWord,
  orderStatusWord,
  sideWord,
  stpCancelWord,
  stpModeWord,
  timeInForceWord,
  tradeIdText,
} from '#api/words.ts';
import type { AssetRules } from '#domain/asset.ts';
import { formatDecimal } from '#base/decimal.ts';
import { quoteAmountText } from '#gateway/handlers/order-request.ts';
import type { ListedSymbol } from '#projections/symbol-directory.ts';
import { lotsText, priceText, quoteText } from '#projections/symbol-directory.ts';
import type { FillRow } from '#history/history-tables.ts';

/*
 * Orders and account trades as JSON, written without intermediate objects: these answers make up most of the traffic.
 * No value needs escaping: client ids have letters, digits, '-' and '_' only; the rest is ours.
 */

const textOrNull = (text: string | null): string => (text === null ? 'null' : `"${text}"`);

/** Answer of POST order. */
export const placedOrderText = (symbol: ListedSymbol, order: OrderView): string =>
  `{"symbol":"${symbol.rules.name}","orderId":"${orderIdText(order.order)}","orderListId":-1,` +
  `"price":"${priceText(symbol, order.price)}","origQty":"${lotsText(symbol, order.quantity)}",` +
  `"type":"${orderKindWord[order.kind]}","side":"${sideWord[order.side]}",` +
  `"stpMode":"${stpModeWord[order.stpMode]}","transactTime":${order.acceptedAt}}`;

/** Entry of a batch answer for an order that was taken. DEC-ORD-43. */
export const placedEntryText = (symbol: ListedSymbol, order: OrderView): string => {
  const clientId = order.clientOrderId === null ? '' : `,"newClientOrderId":"${order.clientOrderId}"`;
  return `{"symbol":"${symbol.rules.name}","orderId":"${orderIdText(order.order)}","orderListId":-1${clientId}}`;
};

/** What the answers of cancels and queries have in common, from the price on. */
const progressText = (symbol: ListedSymbol, order: OrderView, status: OrderView['status']): string =>
  `"price":"${priceText(symbol, order.price)}","origQty":"${lotsText(symbol, order.quantity)}",` +
  `"executedQty":"${lotsText(symbol, order.executed)}",` +
  `"cummulativeQuoteQty":"${quoteText(symbol, order.executedQuote)}","status":"${orderStatusWord[status]}",` +
  `"timeInForce":"${timeInForceWord[order.kind]}","type":"${orderKindWord[order.kind]}",` +
  `"side":"${sideWord[order.side]}"`;

/** How a cancelled order is told. */
export interface CancelFace {
  /** The trader's id of the cancel itself. DEC-ORD-46. */
  readonly cancelId: string | null;
  readonly status: OrderView['status'];
  readonly withListId: boolean;
}

/** Answer of DELETE order, and entry of DELETE openOrders. */
export const canceledOrderText = (symbol: ListedSymbol, order: OrderView, face: CancelFace): string =>
  `{"symbol":"${symbol.rules.name}","origClientOrderId":${textOrNull(order.clientOrderId)},` +
  `"orderId":"${orderIdText(order.order)}",${face.withListId ? '"orderListId":-1,' : ''}` +
  `"clientOrderId":${textOrNull(face.cancelId ?? order.clientOrderId)},${progressText(symbol, order, face.status)}}`;

/** Price times quantity, or the budget of a market order that goes by it. DEC-ORD-39. */
const origQuoteText = (symbol: ListedSymbol, order: OrderView): string =>
  order.budget === null ? quoteAmountText(symbol, order.price, order.quantity) : quoteText(symbol, order.budget);

/**
 * An order as queries answer it; `withQty` adds the name that the single-order query prints. DEC-ORD-24, SPEC-STP-09,
 * DEC-ORD-45.
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

/** A fill as its account sees it, without isBuyerMaker: DEC-ORD-25. */
export const accountTradeText = (symbol: ListedSymbol, fill: FillRow, feeAsset: AssetRules): string =>
  `{"symbol":"${symbol.rules.name}","id":"${tradeIdText(fill.taker, fill.fillOfTaker)}",` +
  `"orderId":"${orderIdText(fill.order)}","orderListId":-1,"price":"${priceText(symbol, fill.price)}",` +
  `"qty":"${lotsText(symbol, fill.lots)}","quoteQty":"${quoteText(symbol, fill.quoteAmount)}",` +
  `"commission":"${formatDecimal(fill.fee, feeAsset.scale)}","commissionAsset":"${feeAsset.code}","time":${fill.at},` +
  `"isBuyer":${fill.side === 'buy'},"isMaker":${fill.isMaker},"isBestMatch":true,` +
  `"isSelfTrade":${fill.isSelfTrade},"clientOrderId":${textOrNull(fill.clientOrderId)}}`;
