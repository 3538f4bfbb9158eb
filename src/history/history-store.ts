import type { AggregatedTrade } from '#model/aggregated-trade.ts';
import type { OrderRef, OrderView } from '#model/order.ts';
import type { AccountId, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import type { RowOf, TableSet } from '#history/tables/history-table.ts';
import type { LedgerBalance, LedgerMoment } from '#history/tables/ledger-tables.ts';
import type { Bar, HistoryTables } from '#history/tables/history-tables.ts';

/** A symbol's trades by the second they happened in, oldest first, one row per second that has any; equal lengths. */
export interface SecondColumns {
  /** Whole seconds since 1970. */
  readonly seconds: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly trades: Float64Array;
  /** Sums as `high × 2^30 + low`, see `base/exact-sum.ts`. */
  readonly lotsHigh: Float64Array;
  readonly lotsLow: Float64Array;
  readonly quoteHigh: Float64Array;
  readonly quoteLow: Float64Array;
}

/** Both ends inclusive. */
export interface Window {
  readonly from: TimestampMs;
  readonly to: TimestampMs;
}

/** Values of some fields. */
export type Where<Row> = { readonly [Field in keyof Row]?: NonNullable<Row[Field]> };

/** Which rows of an answer that is newest first. */
export interface PageOf<Row> {
  /** 1 to `pageRowsMax`. */
  readonly limit: number;
  /** So many rows are passed over; 0 unless given. */
  readonly offset?: number;
  /** Only rows that come after this one: the last row of a page, or its key from the time on: `{ at, transfer }`. */
  readonly before?: Partial<Row>;
}
/** What rows are grouped by, and which numbers of them are added up. */
export interface GroupsOf<By extends string, Sum extends string> {
  readonly by: readonly By[];
  readonly sum: readonly Sum[];
}
/** A group: the values that its rows have in common, sums of others, and how many rows there are. */
export type Group<Row, By extends string, Sum extends string> = {
  readonly [Field in By]: Field extends keyof Row ? Row[Field] : never;
} & { readonly [Field in Sum]: bigint } & { readonly rows: number };

/** Greatest number of rows of a page. */
export const pageRowsMax = 1000;
/**
 * Rows that `page` and `count` look at: the newest of one account, or of whatever the key begins with, within the
 * window or `before` a row. What is older is reached by an earlier window or by `before`. DEC-WAL-67.
 */
export const pagedRowsMax = 100_000;

/** Accounts that `accountsWith` answers at most. DEC-OPR-234. */
export const accountsFoundMax = 1000;

/** Texts of the wallet that lead to accounts, each by an index: where withdrawals went, and ids of transactions. */
export interface AccountText {
  readonly of: 'withdrawalAddress' | 'withdrawalTransaction' | 'depositTransaction';
  readonly text: string;
}

/** Groups that `grouped` answers at most, the first in their order. DEC-SUB-46. */
export const groupsMax = 100_000;

/** Rows by table; a table that is not named has none. */
export type HistoryRows<Tables extends TableSet = HistoryTables> = {
  readonly [Name in keyof Tables]?: readonly RowOf<Tables[Name]>[];
};

/**
 * What a run of entries adds to history, written as one: a row replaces the one with its key, or is left out where its
 * table is final. Of bars only minutes are written, each with its whole state; the store itself folds the coarser ones.
 */
export interface HistoryBatch<Tables extends TableSet = HistoryTables> {
  readonly upTo: Seq;
  readonly rows: HistoryRows<Tables>;
}

/** How long rows of a table are kept, in milliseconds; `null` or not named: for ever. Never less than it declares. */
export type HistoryRetention<Tables extends TableSet = HistoryTables> = {
  readonly [Name in keyof Tables]?: number | null;
};

/** Operations on every table. */
export interface RowStore<Tables extends TableSet> {
  /** Writes the batch and moves the watermark to `upTo` in one transaction; a batch at or below it is ignored. */
  write(batch: HistoryBatch<Tables>): Promise<void>;
  /** Last journal position whose effects are visible to the queries below; 0 before the first batch. */
  watermark(): Promise<Seq>;
  /**
   * Rows that hold these values and whose key's time lies within the window, in the order of the key, at most `limit`
   * (default: all): the first from `window.from` if `fromStart` (the default), else the newest, still oldest first.
   * `where` names at least every column of the key before its time.
   */
  rows<Name extends keyof Tables & string>(
    table: Name,
    where: Where<RowOf<Tables[Name]>>,
    window: Window,
    limit?: number,
    fromStart?: boolean,
  ): Promise<readonly RowOf<Tables[Name]>[]>;
  /**
   * Rows that hold these values and whose key's time lies within the window, newest first. `where` names every column
   * of the key before its time. Reads `pagedRowsMax` rows at most, unless `where` names the first column of an
   * index: then at the rows that the index leads to.
   */
  page<Name extends keyof Tables & string>(
    table: Name,
    where: Where<RowOf<Tables[Name]>>,
    window: Window,
    page: PageOf<RowOf<Tables[Name]>>,
  ): Promise<readonly RowOf<Tables[Name]>[]>;
  /** How many rows `page` would answer in all. */
  count<Name extends keyof Tables & string>(
    table: Name,
    where: Where<RowOf<Tables[Name]>>,
    window: Window,
  ): Promise<number>;
  /**
   * Rows in the order of the key, oldest first for each owner: those that hold these values of the first columns of the
   * key, behind a row, or from the first where `after` is `null`; at most `limit`, up to `pageRowsMax`. To read a whole
   * table, or what one owner has, page after page.
   */
  scan<Name extends keyof Tables & string>(
    table: Name,
    where: Where<RowOf<Tables[Name]>>,
    after: Partial<RowOf<Tables[Name]>> | null,
    limit: number,
  ): Promise<readonly RowOf<Tables[Name]>[]>;
  /**
   * Sums of fields over rows that hold these values and whose key's time lies within the window, by the values of other
   * fields, with the number of rows as `rows`; in the order of `by`, words in that of their list, at most `groupsMax`.
   * Reads all rows that the key leads to. `where` names every column of the key before its time.
   */
  grouped<Name extends keyof Tables & string, By extends string, Sum extends string>(
    table: Name,
    where: Where<RowOf<Tables[Name]>>,
    window: Window,
    of: GroupsOf<By, Sum>,
  ): Promise<readonly Group<RowOf<Tables[Name]>, By, Sum>[]>;
  /** Deletes rows beyond their retention at `now`, a bounded number per call. Answers the number deleted. */
  prune(now: TimestampMs, retention: HistoryRetention<Tables>): Promise<number>;
  close(): Promise<void>;
}

/** Ledger accounts by number, both ends inclusive. */
export interface AccountRange {
  readonly from: AccountId;
  readonly to: AccountId;
}

/** Which part of a list of balances. */
export interface BalancePage {
  /** 1 to `pageRowsMax`. */
  readonly limit: number;
  /** Only what comes after this one; `null`: from the first. */
  readonly after: Omit<LedgerBalance, 'balance'> | null;
}

/** Durable answers to questions about the past. A projection of the journal: never read by the engine. */
export interface HistoryStore extends RowStore<HistoryTables> {
  /** A closed order; the newest with that client id. GET /api/v3/order. */
  orderOf(account: AccountId, symbol: SymbolId, ref: OrderRef): Promise<OrderView | null>;
  /**
   * Balances of ledger accounts as of a moment, by asset, then account: of all that ever had a line, 0 where that was
   * later.
   */
  balances(accounts: AccountRange, moment: LedgerMoment, page: BalancePage): Promise<readonly LedgerBalance[]>;
  /** Whose a closed order or a withdrawal is; `null`: there is none of that number. */
  ownerOf(table: 'orders' | 'withdrawals', number: number): Promise<AccountId | null>;
  /** Accounts whose deposits or withdrawals have a text, ascending, at most `accountsFoundMax`; exactly compared. */
  accountsWith(text: AccountText): Promise<readonly AccountId[]>;
  /** Public trades merged per taking order, price and time; no merged trade is cut by `limit`. `fromStart` as above. */
  aggregatedTrades(
    symbol: SymbolId,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly AggregatedTrade[]>;
  /** Newest minute bar that opens before a moment; `null` without trades before it. */
  barBefore(symbol: SymbolId, before: TimestampMs): Promise<Bar | null>;
  /** Oldest minute bar of a symbol, `null` without trades: where its candles begin. */
  firstBar(symbol: SymbolId): Promise<Bar | null>;
  /** Trades within the window by second, to restore the rolling statistics at a start. */
  seconds(symbol: SymbolId, window: Window): Promise<SecondColumns>;
  /** Every symbol that ever traded, ascending. */
  tradedSymbols(): Promise<readonly SymbolId[]>;
  /** Every contract that ever had an index price, ascending. */
  markedContracts(): Promise<readonly SymbolId[]>;
}
/** History cannot answer or write now; the exchange continues without it. `cause` has the error. */
export class HistoryUnavailable extends Error {
  override name = 'HistoryUnavailable';
}
/** The database is damaged; history has to be rebuilt from the journal. */
export class HistoryDamaged extends HistoryUnavailable {
  override name = 'HistoryDamaged';
}
