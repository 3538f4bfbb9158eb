import { orderIdText, tradeIdText } from '#http/words.ts';
import type { PostingKind } from '#model/account.ts';
import type { Trade } from '#model/events.ts';
import { orderKinds, orderStatuses, type OrderStatus, type OrderView, type Side } from '#model/order.ts';
import type { AssetId, Lots } from '#model/units.ts';
import {
  amountText,
  type ListedSymbol,
  lotsText,
  priceText,
  quotePerTickLot,
  quoteText,
  type SymbolDirectory,
} from '#market-data/symbol-directory.ts';
import type { FreeAndHeld } from '#websocket/topics/account-balances.ts';
import type { PushBody } from '#websocket/pushes/push.ts';

/**
 * What private pushes say, field by field. SPEC-STR-03, SPEC-STR-04, SPEC-STR-05, SPEC-STR-06, DEC-STR-04, DEC-STR-11,
 * DEC-STR-18.
 */

type ContentOf<Case extends PushBody['case']> = Extract<PushBody, { case: Case }>['value'];
export type OrderContent = ContentOf<'privateOrders'>;

/** Change types that existing clients know; other movements have plain names. DEC-STR-14, DEC-WAL-30, DEC-WAL-82. */
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
  contractTransfer: 'CONTRACT_TRANSFER',
  networkFee: 'NETWORK_FEE',
  chainLoss: 'CHAIN_LOSS',
  contractProfit: 'CONTRACT_PROFIT',
  funding: 'FUNDING',
  liquidationFee: 'LIQUIDATION_FEE',
  insurance: 'INSURANCE',
};

/** Wire number of a side: 1 buys, 2 sells. */
export const tradeTypes: Record<Side, number> = { buy: 1, sell: 2 };

/** An order as it is after a change; `lastLots` of the fill that the change was. */
export function orderContent(
  directory: SymbolDirectory,
  order: OrderView,
  change: { readonly status: OrderStatus; readonly lastLots: Lots | null; readonly isMaker: boolean },
): OrderContent {
  const symbol = directory.at(order.symbol);
  const { status, lastLots, isMaker } = change;
  const id = orderIdText(order.order);
  const amount = orderAmount(order, symbol);
  return {
    id,
    clientId: order.clientOrderId ?? id,
    price: priceText(symbol, order.price),
    quantity: lotsText(symbol, order.quantity),
    amount: quoteText(symbol, amount),
    avgPrice: priceText(symbol, averagePrice(order, symbol)),
    orderType: orderKinds.indexOf(order.kind) + 1,
    tradeType: tradeTypes[order.side],
    isMaker,
    remainAmount: quoteText(symbol, remainingAmount(order, status, symbol)),
    remainQuantity: lotsText(symbol, order.budget === null ? order.quantity - order.executed : 0),
    cumulativeQuantity: lotsText(symbol, order.executed),
    cumulativeAmount: quoteText(symbol, order.executedQuote),
    status: orderStatuses.indexOf(status) + 1,
    createTime: BigInt(order.acceptedAt),
    ...(lastLots === null ? {} : { lastDealQuantity: lotsText(symbol, lastLots) }),
  };
}

/** One side of a trade. */
export function dealContent(
  directory: SymbolDirectory,
  trade: Trade,
  { isMaker, at }: { readonly isMaker: boolean; readonly at: number },
): ContentOf<'privateDeals'> {
  const makerSide: Side = trade.takerSide === 'buy' ? 'sell' : 'buy';
  const symbol = directory.at(trade.symbol);
  const feeAsset = directory.asset(isMaker ? trade.makerFeeAsset : trade.takerFeeAsset);
  return {
    price: priceText(symbol, trade.price),
    quantity: lotsText(symbol, trade.lots),
    amount: quoteText(symbol, trade.quoteAmount),
    tradeType: tradeTypes[isMaker ? makerSide : trade.takerSide],
    isMaker,
    isSelfTrade: trade.takerAccount === trade.makerAccount,
    tradeId: tradeIdText(trade.taker, trade.fillOfTaker),
    clientOrderId: (isMaker ? trade.makerClientOrderId : trade.takerClientOrderId) ?? '',
    orderId: orderIdText(isMaker ? trade.maker : trade.taker),
    feeAmount: amountText(feeAsset, isMaker ? trade.makerFee : trade.takerFee),
    feeCurrency: feeAsset.code,
    time: BigInt(at),
  };
}

/** One posting and the balances after it. */
export function accountContent(
  directory: SymbolDirectory,
  asset: AssetId,
  posting: {
    readonly change: FreeAndHeld;
    readonly after: FreeAndHeld;
    readonly why: PostingKind;
    readonly at: number;
  },
): ContentOf<'privateAccount'> {
  const { change, after, why, at } = posting;
  const rules = directory.asset(asset);
  return {
    vcoinName: rules.code,
    coinId: rules.coinId,
    balanceAmount: amountText(rules, after.free),
    balanceAmountChange: amountText(rules, change.free),
    frozenAmount: amountText(rules, after.held),
    frozenAmountChange: amountText(rules, change.held),
    type: changeTypes[why],
    time: BigInt(at),
  };
}

/** Price times quantity of a priced order, the quote amount of an order by amount, 0 of a market order by quantity. */
function orderAmount(order: OrderView, symbol: ListedSymbol): bigint {
  if (order.budget !== null) return BigInt(order.budget);
  if (order.kind === 'market') return 0n;
  return BigInt(order.price) * BigInt(order.quantity) * quotePerTickLot(symbol);
}

/** Of an open order what is left of its amount; of a closed one what its unfilled rest was worth. DEC-STR-11. */
function remainingAmount(order: OrderView, status: OrderStatus, symbol: ListedSymbol): bigint {
  const amount = orderAmount(order, symbol);
  if (status === 'filled' || amount === 0n) return 0n;
  const isClosed = status === 'canceled' || status === 'partiallyCanceled';
  if (isClosed && order.budget === null) {
    return BigInt(order.price) * BigInt(order.quantity - order.executed) * quotePerTickLot(symbol);
  }
  const left = amount - BigInt(order.executedQuote);
  // Sales above the limit price may have brought more than the order's amount.
  return left > 0n ? left : 0n;
}

/** Ticks, cut; 0 before the first fill. */
function averagePrice(order: OrderView, symbol: ListedSymbol): number {
  if (order.executed === 0) return 0;
  return Number(BigInt(order.executedQuote) / (BigInt(order.executed) * quotePerTickLot(symbol)));
}
