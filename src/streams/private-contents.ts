import { orderIdText, tradeIdText } from '#api/words.ts';
import type { PostingKind } from '#domain/account.ts';
import type { Trade } from '#domain/events.ts';
import { orderKinds, orderStatuses, type OrderStatus, type OrderView, type Side } from '#domain/order.ts';
import type { AssetId, Lots } from '#domain/units.ts';
import type { FreeAndHeld } from '#streams/account-balances.ts';
import type { ListingWords } from '#streams/listing-words.ts';
import type { PushBody } from '#streams/push.ts';

/**
 * What private pushes say, field by field. SPEC-STR-03, SPEC-STR-04, SPEC-STR-05, SPEC-STR-06, DEC-STR-04, DEC-STR-11,
 * DEC-STR-18.
 */

type ContentOf<Case extends PushBody['case']> = Extract<PushBody, { case: Case }>['value'];
export type OrderContent = ContentOf<'privateOrders'>;

/** Change types that clients know; money that moves otherwise has plain names. */
const changeTypes: Record<PostingKind, string> = {
  orderHold: 'ENTRUST_PLACE',
  fill: 'ENTRUST',
  fee: 'TRADE_FEE',
  surplusRelease: 'ENTRUST_UNFROZEN',
  cancelRelease: 'ENTRUST_CANCEL',
  deposit: 'DEPOSIT',
  withdrawal: 'WITHDRAW',
  withdrawalFee: 'WITHDRAW_FEE',
  transfer: 'TRANSFER',
  dust: 'DUST',
  rebate: 'REBATE',
  adjustment: 'ADJUSTMENT',
};

/** Wire number of a side: 1 buys, 2 sells. */
export const tradeTypes: Record<Side, number> = { buy: 1, sell: 2 };

/** An order as it is after a change; `lastLots` of the fill that the change was. */
export function orderContent(
  words: ListingWords,
  order: OrderView,
  change: { readonly status: OrderStatus; readonly lastLots: Lots | null; readonly isMaker: boolean },
): OrderContent {
  const { symbol } = order;
  const { status, lastLots, isMaker } = change;
  const id = orderIdText(order.order);
  const amount = orderAmount(order, words);
  return {
    id,
    clientId: order.clientOrderId ?? id,
    price: words.price(symbol, order.price),
    quantity: words.quantity(symbol, order.quantity),
    amount: words.quote(symbol, amount),
    avgPrice: words.price(symbol, averagePrice(order, words)),
    orderType: orderKinds.indexOf(order.kind) + 1,
    tradeType: tradeTypes[order.side],
    isMaker,
    remainAmount: words.quote(symbol, remainingAmount(order, status, words)),
    remainQuantity: words.quantity(symbol, order.budget === null ? order.quantity - order.executed : 0),
    cumulativeQuantity: words.quantity(symbol, order.executed),
    cumulativeAmount: words.quote(symbol, order.executedQuote),
    status: orderStatuses.indexOf(status) + 1,
    createTime: BigInt(order.acceptedAt),
    ...(lastLots === null ? {} : { lastDealQuantity: words.quantity(symbol, lastLots) }),
  };
}

/** One side of a trade. */
export function dealContent(
  words: ListingWords,
  trade: Trade,
  { isMaker, at }: { readonly isMaker: boolean; readonly at: number },
): ContentOf<'privateDeals'> {
  const makerSide: Side = trade.takerSide === 'buy' ? 'sell' : 'buy';
  const feeAsset = isMaker ? trade.makerFeeAsset : trade.takerFeeAsset;
  return {
    price: words.price(trade.symbol, trade.price),
    quantity: words.quantity(trade.symbol, trade.lots),
    amount: words.quote(trade.symbol, trade.quoteAmount),
    tradeType: tradeTypes[isMaker ? makerSide : trade.takerSide],
    isMaker,
    isSelfTrade: trade.takerAccount === trade.makerAccount,
    tradeId: tradeIdText(trade.taker, trade.fillOfTaker),
    clientOrderId: (isMaker ? trade.makerClientOrderId : trade.takerClientOrderId) ?? '',
    orderId: orderIdText(isMaker ? trade.maker : trade.taker),
    feeAmount: words.amount(feeAsset, isMaker ? trade.makerFee : trade.takerFee),
    feeCurrency: words.asset(feeAsset).code,
    time: BigInt(at),
  };
}

/** One posting and the balances after it. */
export function accountContent(
  words: ListingWords,
  asset: AssetId,
  posting: {
    readonly change: FreeAndHeld;
    readonly after: FreeAndHeld;
    readonly why: PostingKind;
    readonly at: number;
  },
): ContentOf<'privateAccount'> {
  const { change, after, why, at } = posting;
  return {
    vcoinName: words.asset(asset).code,
    coinId: words.asset(asset).coinId,
    balanceAmount: words.amount(asset, after.free),
    balanceAmountChange: words.amount(asset, change.free),
    frozenAmount: words.amount(asset, after.held),
    frozenAmountChange: words.amount(asset, change.held),
    type: changeTypes[why],
    time: BigInt(at),
  };
}

/** Price times quantity of a priced order, the quote amount of an order by amount, 0 of a market order by quantity. */
function orderAmount(order: OrderView, words: ListingWords): bigint {
  if (order.budget !== null) return BigInt(order.budget);
  if (order.kind === 'market') return 0n;
  return BigInt(order.price) * BigInt(order.quantity) * words.quotePerTickLot(order.symbol);
}

/** Of an open order what is left of its amount; of a closed one what its unfilled rest was worth. DEC-STR-11. */
function remainingAmount(order: OrderView, status: OrderStatus, words: ListingWords): bigint {
  const amount = orderAmount(order, words);
  if (status === 'filled' || amount === 0n) return 0n;
  const isClosed = status === 'canceled' || status === 'partiallyCanceled';
  if (isClosed && order.budget === null) {
    return BigInt(order.price) * BigInt(order.quantity - order.executed) * words.quotePerTickLot(order.symbol);
  }
  const left = amount - BigInt(order.executedQuote);
  // Sales above their limit may have brought more than all of it.
  return left > 0n ? left : 0n;
}

/** Ticks, cut; 0 before the first fill. */
function averagePrice(order: OrderView, words: ListingWords): number {
  if (order.executed === 0) return 0;
  return Number(BigInt(order.executedQuote) / (BigInt(order.executed) * words.quotePerTickLot(order.symbol)));
}
