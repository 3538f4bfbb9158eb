import { closeReasons, orderKinds, orderStatuses, sides, stpModes } from '#model/order.ts';
import type { AccountId, AssetId, Lots, OrderNumber, PriceTicks, Quanta, SymbolId, TradeNumber } from '#model/units.ts';
import { barSpans } from '#history/tables/bar-spans.ts';
import { contractDeals, fundingRates, fundSnapshots, markBars, takeovers } from '#history/tables/contract-tables.ts';
import {
  declareTable,
  flag,
  integer,
  nullable,
  type RowOf,
  tableSet,
  text,
  time,
  wideSum,
  word,
  keptTradesMsMin,
} from '#history/tables/history-table.ts';
import {
  inviteClicks,
  inviteeMoves,
  rebateDays,
  rebatePayouts,
  rebateRejections,
  rebates,
  universalTransfers,
} from '#history/tables/rebate-tables.ts';
import { ledgerLines } from '#history/tables/ledger-tables.ts';
import {
  accountNotes,
  adjustments,
  conversions,
  deposits,
  operatorActs,
  sends,
  subAccountDeposits,
  transfers,
  withdrawals,
} from '#history/tables/wallet-tables.ts';
import { webhookEvents } from '#history/tables/webhook-tables.ts';

/** Public trades. */
const trades = declareTable('trades', {
  since: 1,
  columns: {
    symbol: integer<SymbolId>(),
    at: time(),
    trade: integer<TradeNumber>(),
    price: integer<PriceTicks>(),
    lots: integer<Lots>(),
    quoteAmount: integer<Quanta>(),
    takerSide: word(sides),
    taker: integer<OrderNumber>(),
  },
  key: ['symbol', 'at', 'trade'],
  indexes: [],
  retention: { keptMsMin: keptTradesMsMin },
  isFinal: true,
  position: null,
});

/** Sides of trades, as their accounts see them. */
const fills = declareTable('fills', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    symbol: integer<SymbolId>(),
    at: time(),
    trade: integer<TradeNumber>(),
    isMaker: flag(),
    order: integer<OrderNumber>('order_number'),
    clientOrderId: nullable(text()),
    /** Number of the taking order and which of its fills this was: together the public trade id. */
    taker: integer<OrderNumber>(),
    fillOfTaker: integer<number>(),
    price: integer<PriceTicks>(),
    lots: integer<Lots>(),
    quoteAmount: integer<Quanta>(),
    side: word(sides),
    isSelfTrade: flag(),
    fee: integer<Quanta>(),
    feeAsset: integer<AssetId>(),
  },
  key: ['account', 'symbol', 'at', 'trade', 'isMaker'],
  indexes: [{ name: 'fills_of_order', columns: ['order', 'at', 'trade'], isUnique: false }],
  retention: null,
  isFinal: true,
  position: null,
});

/** Closed orders. */
const orders = declareTable('orders', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    symbol: integer<SymbolId>(),
    acceptedAt: time(),
    order: integer<OrderNumber>('order_number'),
    side: word(sides),
    kind: word(orderKinds),
    status: word(orderStatuses),
    price: integer<PriceTicks>(),
    quantity: integer<Lots>(),
    budget: nullable(integer<Quanta>()),
    executed: integer<Lots>(),
    executedQuote: integer<Quanta>(),
    stpMode: word(stpModes),
    clientOrderId: nullable(text()),
    closeReason: nullable(word(closeReasons)),
    updatedAt: time(),
  },
  key: ['account', 'symbol', 'acceptedAt', 'order'],
  indexes: [
    { name: 'orders_by_number', columns: ['order'], isUnique: true },
    { name: 'orders_by_client_id', columns: ['account', 'symbol', 'clientOrderId', 'order'], isUnique: false },
  ],
  retention: null,
  isFinal: true,
  position: null,
});

/** A symbol's trades by minute, and the coarser spans that the store folds of the minutes. */
const bars = declareTable('bars', {
  since: 1,
  columns: {
    symbol: integer<SymbolId>(),
    span: word(barSpans),
    /** Start of the span, a multiple of its length. There is no bar for a span without trades. */
    openTime: time(),
    open: integer<PriceTicks>(),
    high: integer<PriceTicks>(),
    low: integer<PriceTicks>(),
    close: integer<PriceTicks>(),
    lots: wideSum(),
    quoteAmount: wideSum('quote'),
    trades: integer<number>(),
  },
  key: ['symbol', 'span', 'openTime'],
  indexes: [],
  retention: null,
  position: null,
});

/** Every table of history, in the order in which a batch is written. */
export const historyTables = tableSet({
  trades,
  fills,
  orders,
  bars,
  deposits,
  withdrawals,
  transfers,
  sends,
  conversions,
  ledgerLines,
  adjustments,
  accountNotes,
  operatorActs,
  webhookEvents,
  rebates,
  rebateDays,
  inviteeMoves,
  inviteClicks,
  rebatePayouts,
  rebateRejections,
  universalTransfers,
  subAccountDeposits,
  contractDeals,
  fundingRates,
  fundSnapshots,
  takeovers,
  markBars,
});
export type HistoryTables = typeof historyTables;

/** Rows by table, to be gathered. */
export type RowLists = { readonly [Name in keyof HistoryTables]: RowOf<HistoryTables[Name]>[] };

/** No rows of any table. */
export const emptyRows = (): RowLists =>
  Object.fromEntries(Object.keys(historyTables).map((name) => [name, []])) as unknown as RowLists;

/** A public trade. */
export type TradeRow = RowOf<typeof trades>;
/** One side of a trade, as its account sees it. */
export type FillRow = RowOf<typeof fills>;
/** A span's own trades. */
export type Bar = RowOf<typeof bars>;
