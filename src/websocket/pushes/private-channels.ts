import type { Channel } from '#websocket/channel.ts';
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
import { declareBody } from '#websocket/pushes/push.ts';
import { type ContentOf, declareMessage, field, optional, unsent } from '#websocket/wire/message.ts';

/*
 * The private channels: what their pushes hold, and how that is filled. `private-pushes.ts` decides when there is a
 * push. SPEC-STR-03, SPEC-STR-04, SPEC-STR-05, SPEC-STR-06, DEC-STR-04, DEC-STR-11, DEC-STR-18.
 */

const accountMessage = declareMessage('PrivateAccountV3Api', "A change of one asset's balance.", {
  vcoinName: field(1, 'string', 'The asset, such as USDT.'),
  coinId: field(2, 'string', 'Id of the asset, the same as in GET /api/v3/capital/withdraw/history.'),
  balanceAmount: field(3, 'string', 'Available after the change.'),
  balanceAmountChange: field(4, 'string', 'By how much the available balance changed; negative when it became less.'),
  frozenAmount: field(5, 'string', 'Frozen by open orders and withdrawals after the change.'),
  frozenAmountChange: field(6, 'string', 'By how much the frozen balance changed; negative when it became less.'),
  type: field(
    7,
    'string',
    'Why it changed. ENTRUST_PLACE: frozen for a new order that rests. ENTRUST: paid or received in a fill. ' +
      'TRADE_FEE: commission. ENTRUST_UNFROZEN: frozen for a fill that turned out cheaper. ENTRUST_CANCEL: the rest ' +
      'of a canceled order. DEPOSIT. WITHDRAW and WITHDRAW_FEE. TRANSFER: between accounts. CONTRACT_TRANSFER: ' +
      'between spot and futures. DUST: small balances converted. REBATE: earned by inviting. ADJUSTMENT: by the ' +
      'operator.',
  ),
  time: field(8, 'int64', 'When it changed, milliseconds since 1970 UTC.'),
});

const dealMessage = declareMessage('PrivateDealsV3Api', 'One fill of one side.', {
  price: field(1, 'string', 'Price of the fill.'),
  quantity: field(2, 'string', 'Filled quantity, in the base asset.'),
  amount: field(3, 'string', 'Price times quantity, in the quote asset.'),
  tradeType: field(4, 'int32', "Side of the account's order: 1 buy, 2 sell."),
  isMaker: field(5, 'bool', "Whether the account's order rested in the book."),
  isSelfTrade: field(
    6,
    'bool',
    'Whether the other side is an order of the same account: then there is one push for each side.',
  ),
  tradeId: field(7, 'string', 'Id of the trade, the same for both sides.'),
  clientOrderId: field(8, 'string', "The client's own id of the order; empty if it gave none."),
  orderId: field(9, 'string', 'Id of the order that was filled.'),
  feeAmount: field(10, 'string', 'Commission paid for this fill, in feeCurrency.'),
  feeCurrency: field(11, 'string', 'The asset of the commission.'),
  time: field(12, 'int64', 'When it traded, milliseconds since 1970 UTC.'),
});

const orderMessage = declareMessage('PrivateOrdersV3Api', 'The state of an order after a change.', {
  id: field(1, 'string', 'Id of the order, as the answer to placing it has it.'),
  clientId: field(2, 'string', "The client's own id if it gave one, else the order id."),
  price: field(3, 'string', 'Limit price; of a market order the worst price that it may trade at.'),
  quantity: field(4, 'string', 'Ordered quantity, in the base asset; of an order by quote amount what it traded.'),
  amount: field(
    5,
    'string',
    'Price times ordered quantity, in the quote asset; of an order by quote amount that amount; of a market order ' +
      'by quantity 0.',
  ),
  avgPrice: field(6, 'string', 'Average price of all fills so far, cut to the tick; 0 before the first.'),
  orderType: field(7, 'int32', '1 LIMIT_ORDER, 2 POST_ONLY, 3 IMMEDIATE_OR_CANCEL, 4 FILL_OR_KILL, 5 MARKET_ORDER.'),
  tradeType: field(8, 'int32', '1 buy, 2 sell.'),
  isMaker: field(
    9,
    'bool',
    'Whether the fill of this push was one of a resting order; false in pushes without a fill.',
  ),
  remainAmount: field(10, 'string', 'What is left of amount; of a closed order what its unfilled rest was worth.'),
  remainQuantity: field(11, 'string', 'Unfilled quantity, also of a closed order; 0 of an order by quote amount.'),
  lastDealQuantity: optional(12, 'string', 'Quantity of the fill that caused this push; absent without one.'),
  cumulativeQuantity: field(13, 'string', 'Filled so far, in the base asset.'),
  cumulativeAmount: field(14, 'string', 'Filled so far, in the quote asset.'),
  status: field(15, 'int32', '1 not traded, 2 fully traded, 3 partially traded, 4 canceled, 5 partially canceled.'),
  createTime: field(16, 'int64', 'When the order was accepted, milliseconds since 1970 UTC. It stays the same.'),
  market: unsent(17, 'string'),
  triggerType: unsent(18, 'int32'),
  triggerPrice: unsent(19, 'string'),
  state: unsent(20, 'int32'),
  ocoId: unsent(21, 'string'),
  routeFactor: unsent(22, 'string'),
  symbolId: unsent(23, 'string'),
  marketId: unsent(24, 'string'),
  marketCurrencyId: unsent(25, 'string'),
  currencyId: unsent(26, 'string'),
});

/** The channels of one account, in the order of the documents. */
export const privateChannels = {
  account: {
    stem: 'private.account.v3.api.pb',
    audience: 'private',
    parts: [],
    body: declareBody('privateAccount', 307, accountMessage),
    summary: "Changes of the account's balances.",
    pushedWhen: 'once per posting',
    startsWithState: false,
    weight: 5,
    sequence:
      'Each push has the balance after the change, so the newest one of an asset is its balance. There is no ' +
      'sequence number: after reconnecting read GET /api/v3/account.',
  },
  deals: {
    stem: 'private.deals.v3.api.pb',
    audience: 'private',
    parts: [],
    body: declareBody('privateDeals', 306, dealMessage),
    summary: 'Trades of the account.',
    pushedWhen: 'once per fill and side',
    startsWithState: false,
    weight: 1,
    sequence: "`tradeId` is `id` of GET /api/v3/myTrades, which has what was missed; `time` is the trade's.",
  },
  orders: {
    stem: 'private.orders.v3.api.pb',
    audience: 'private',
    parts: [],
    body: declareBody('privateOrders', 304, orderMessage),
    summary: "Changes of the account's orders.",
    pushedWhen: 'once per change of state',
    startsWithState: false,
    weight: 1,
    sequence:
      'The first push of an order has `status` 1, also if it trades at once; a fill that ends it is one push with ' +
      'the final status. Then nothing comes any more. After reconnecting read GET /api/v3/openOrders.',
  },
} as const satisfies Readonly<Record<string, Channel>>;
export type PrivateChannel = keyof typeof privateChannels;
/** What a push of a private channel says. */
export type ContentOfChannel<Of extends PrivateChannel> = ContentOf<(typeof privateChannels)[Of]['body']['message']>;
export type OrderContent = ContentOfChannel<'orders'>;

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
  capital: 'CAPITAL',
  revenue: 'REVENUE',
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
    createTime: order.acceptedAt,
    ...(lastLots === null ? {} : { lastDealQuantity: lotsText(symbol, lastLots) }),
  };
}

/** One side of a trade. */
export function dealContent(
  directory: SymbolDirectory,
  trade: Trade,
  { isMaker, at }: { readonly isMaker: boolean; readonly at: number },
): ContentOf<typeof dealMessage> {
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
    time: at,
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
): ContentOf<typeof accountMessage> {
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
    time: at,
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
