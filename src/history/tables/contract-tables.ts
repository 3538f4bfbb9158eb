import { takeoverReasons } from '#model/contract.ts';
import type { AccountId, Balance, PriceTicks, Quanta, Seq, SymbolId, TradeNumber } from '#model/units.ts';
import { barSpans } from '#history/tables/bar-spans.ts';
import {
  bigInteger,
  declareTable,
  flag,
  integer,
  type RowOf,
  time,
  word,
  keptTradesMsMin,
} from '#history/tables/history-table.ts';

/** What a trade of a contract did to positions: 1 both sides opened, 2 neither, 3 else. DEC-FUT-11. */
export const contractDeals = declareTable('contractDeals', {
  since: 1,
  columns: {
    symbol: integer<SymbolId>(),
    at: time(),
    trade: integer<TradeNumber>(),
    seq: integer<Seq>(),
    openFlag: integer<number>(),
    isSelfTrade: flag(),
  },
  key: ['symbol', 'at', 'trade'],
  indexes: [],
  retention: { keptMsMin: keptTradesMsMin },
  isFinal: true,
  position: 'seq',
});

/** Fundings of contracts. */
export const fundingRates = declareTable('fundingRates', {
  since: 1,
  columns: {
    contract: integer<SymbolId>(),
    at: time(),
    seq: integer<Seq>(),
    /** In parts per 10^8. */
    rate: integer<number>(),
    fair: integer<number>(),
    paid: bigInteger<Balance>(),
    received: bigInteger<Balance>(),
  },
  key: ['contract', 'at'],
  indexes: [],
  retention: null,
  position: 'seq',
});

/** Balances of insurance funds, every four hours. */
export const fundSnapshots = declareTable('fundSnapshots', {
  since: 1,
  columns: {
    contract: integer<SymbolId>(),
    at: time(),
    seq: integer<Seq>(),
    available: bigInteger<Balance>(),
  },
  key: ['contract', 'at'],
  indexes: [],
  retention: null,
  position: 'seq',
});

/** Positions, or parts of them, that were taken from their accounts. */
export const takeovers = declareTable('takeovers', {
  since: 1,
  columns: {
    contract: integer<SymbolId>(),
    at: time(),
    seq: integer<Seq>(),
    line: integer<number>(),
    account: integer<AccountId>(),
    reason: word(takeoverReasons),
    lots: integer<number>(),
    price: integer<PriceTicks>(),
    realised: bigInteger<Balance>(),
    fee: integer<Quanta>(),
    fromFund: bigInteger<Balance>(),
  },
  key: ['contract', 'at', 'seq', 'line'],
  indexes: [],
  retention: null,
  position: 'seq',
});

/** Of which price a bar is. */
export const markKinds = ['index', 'fair'] as const;
export type MarkKind = (typeof markKinds)[number];

/**
 * Index and fair prices by span, in steps of 10^-markDecimals. A bar opens with the close of the one before it, and
 * there is none for a span without prices. DEC-FUT-31.
 */
export const markBars = declareTable('markBars', {
  since: 1,
  columns: {
    contract: integer<SymbolId>(),
    kind: word(markKinds),
    span: word(barSpans),
    openTime: time(),
    /** The last entry that changed it. */
    seq: integer<Seq>(),
    open: integer<number>(),
    high: integer<number>(),
    low: integer<number>(),
    close: integer<number>(),
  },
  key: ['contract', 'kind', 'span', 'openTime'],
  indexes: [],
  retention: null,
  position: 'seq',
});

/** What a trade did to positions. */
export type ContractDealRow = RowOf<typeof contractDeals>;
/** A funding. */
export type FundingRateRow = RowOf<typeof fundingRates>;
/** A balance of an insurance fund. */
export type FundSnapshotRow = RowOf<typeof fundSnapshots>;
/** A takeover. */
export type TakeoverRow = RowOf<typeof takeovers>;
/** A span of index or fair prices. */
export type MarkBarRow = RowOf<typeof markBars>;
