import { orderIdText, tradeIdText } from '#api/words.ts';
import type { PostingKind } from '#domain/account.ts';
import type { Trade } from '#domain/events.ts';
import { orderKinds, orderStatuses, type OrderStatus, type OrderView, type Side } from '#domain/order.ts';
import type { AssetId, Lots } from '#domain/units.ts';
import type { FreeAndHeld } from '#streams/account-balances.ts';
import type { ListingDirectory } from '#streams/listing-directory.ts';
import type { PushBody } from '#streams/push.ts';

/** What private pushes say, field by field: reference-facts 2.10 and 2.11, decisions.md section 7. */

type ContentOf<Case extends PushBody['case']> = Extract<PushBody, { case: Case }>['value'];
export type OrderContent = ContentOf<'privateOrders'>;

/** Change types that existing clients know; other movements have plain names. */
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
  listing: ListingDirectory,
  order: OrderView,
  change: { readonly status: OrderStatus; readonly lastLots: Lots | null; readonly isMaker: boolean },
): OrderContent {
  const { symbol } = order;
  const { status, lastLots, isMaker } = change;
  const id = orderIdText(order.order);
  const amount = orderAmount(order, listing);
  return {
    id,
    clientId: order.clientOrderId ?? id,
    price: listing.formatPrice(symbol, order.price),
    quantity: listing.formatQuantity(symbol, order.quantity),
    amount: listing.formatQuote(symbol, amount),
    avgPrice: listing.formatPrice(symbol, averagePrice(order, listing)),
    orderType: orderKinds.indexOf(order.kind) + 1,
    tradeType: tradeTypes[order.side],
    isMaker,
    remainAmount: listing.formatQuote(symbol, remainingAmount(order, status, listing)),
    remainQuantity: listing.formatQuantity(symbol, order.budget === null ? order.quantity - order.executed : 0),
    cumulativeQuantity: listing.formatQuantity(symbol, order.executed),
    cumulativeAmount: listing.formatQuote(symbol, order.executedQuote),
    status: orderStatuses.indexOf(status) + 1,
    createTime: BigInt(order.acceptedAt),
    ...(lastLots === null ? {} : { lastDealQuantity: listing.formatQuantity(symbol, lastLots) }),
  };
}

/** One side of a trade. */
export function dealContent(
  listing: ListingDirectory,
  trade: Trade,
  { isMaker, at }: { readonly isMaker: boolean; readonly at: number },
): ContentOf<'privateDeals'> {
  const makerSide: Side = trade.takerSide === 'buy' ? 'sell' : 'buy';
  const feeAsset = isMaker ? trade.makerFeeAsset : trade.takerFeeAsset;
  return {
    price: listing.formatPrice(trade.symbol, trade.price),
    quantity: listing.formatQuantity(trade.symbol, trade.lots),
    amount: listing.formatQuote(trade.symbol, trade.quoteAmount),
    tradeType: tradeTypes[isMaker ? makerSide : trade.takerSide],
    isMaker,
    isSelfTrade: trade.takerAccount === trade.makerAccount,
    tradeId: tradeIdText(trade.taker, trade.fillOfTaker),
    clientOrderId: (isMaker ? trade.makerClientOrderId : trade.takerClientOrderId) ?? '',
    orderId: orderIdText(isMaker ? trade.maker : trade.taker),
    feeAmount: listing.formatAmount(feeAsset, isMaker ? trade.makerFee : trade.takerFee),
    feeCurrency: listing.asset(feeAsset).code,
    time: BigInt(at),
  };
}

/** One posting and the balances after it. */
export function accountContent(
  listing: ListingDirectory,
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
    vcoinName: listing.asset(asset).code,
    coinId: listing.asset(asset).coinId,
    balanceAmount: listing.formatAmount(asset, after.free),
    balanceAmountChange: listing.formatAmount(asset, change.free),
    frozenAmount: listing.formatAmount(asset, after.held),
    frozenAmountChange: listing.formatAmount(asset, change.held),
    type: changeTypes[why],
    time: BigInt(at),
  };
}

/** Price times quantity of a priced order, the quote amount of an order by amount, 0 of a market order by quantity. */
function orderAmount(order: OrderView, listing: ListingDirectory): bigint {
  if (order.budget !== null) return BigInt(order.budget);
  if (order.kind === 'market') return 0n;
  return BigInt(order.price) * BigInt(order.quantity) * listing.quotePerTickLot(order.symbol);
}

/** Of an open order what is left of its amount; of a closed one what its unfilled rest was worth. DEC-STR-11. */
function remainingAmount(order: OrderView, status: OrderStatus, listing: ListingDirectory): bigint {
  const amount = orderAmount(order, listing);
  if (status === 'filled' || amount === 0n) return 0n;
  const isClosed = status === 'canceled' || status === 'partiallyCanceled';
  if (isClosed && order.budget === null) {
    return BigInt(order.price) * BigInt(order.quantity - order.executed) * listing.quotePerTickLot(order.symbol);
  }
  const left = amount - BigInt(order.executedQuote);
  // Sales above the limit price may have brought more than the order's amount.
  return left > 0n ? left : 0n;
}

/** Ticks, cut; 0 before the first fill. */
function averagePrice(order: OrderView, listing: ListingDirectory): number {
  if (order.executed === 0) return 0;
  return Number(BigInt(order.executedQuote) / (BigInt(order.executed) * listing.quotePerTickLot(order.symbol)));
}
