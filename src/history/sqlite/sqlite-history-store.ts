import { assert } from '#base/assert.ts';
import { type AggregatedTrade, TradeMerger } from '#model/aggregated-trade.ts';
import type { OrderRef, OrderView } from '#model/order.ts';
import { type AccountId, as, type Seq, type SymbolId, type TimestampMs } from '#model/units.ts';
import { foldBars } from '#history/sqlite/bar-folding.ts';
import { groupOf, groupQuery } from '#history/sqlite/group-sql.ts';
import { type PackedBatch, packBatch } from '#history/worker/history-messages.ts';
import { pruneTable } from '#history/sqlite/history-pruning.ts';
import {
  accountsFoundMax,
  type AccountText,
  type AccountRange,
  type BalancePage,
  type Group,
  type GroupsOf,
  type HistoryBatch,
  type HistoryRetention,
  type HistoryStore,
  type PageOf,
  type SecondColumns,
  type Where,
  type Window,
} from '#history/history-store.ts';
import { type AnyRow, type RowOf, rowOf, type StoredValue, type TableSet } from '#history/tables/history-table.ts';
import { type Bar, type HistoryTables, historyTables, type TradeRow } from '#history/tables/history-tables.ts';
import { type HistoryMark, takeBackHistory } from '#history/sqlite/history-take-back.ts';
import { type PackedRows, unpackRows } from '#history/worker/packed-rows.ts';
import type { LedgerBalance, LedgerMoment } from '#history/tables/ledger-tables.ts';
import { storedBalances } from '#history/sqlite/stored-balances.ts';
import { countQuery, pageQuery, scanQuery } from '#history/sqlite/page-sql.ts';
import { markRejected, RebateDays } from '#history/sqlite/rebate-folding.ts';
import { SecondBuilder } from '#history/second-builder.ts';
import { type RowInserter, SqliteConnection } from '#history/sqlite/sqlite-connection.ts';
import { rowQuery, schemaMigrations, selection } from '#history/sqlite/table-sql.ts';

/** Rows that one call of `prune` removes at most: a few milliseconds. */
const prunedRowsMax = 10_000;

/** Index and column of texts that lead to accounts. */
const accountTexts = {
  withdrawalAddress: { source: 'withdrawals INDEXED BY withdrawals_by_address', column: 'address' },
  withdrawalTransaction: { source: 'withdrawals INDEXED BY withdrawals_by_transaction', column: 'tx_id' },
  depositTransaction: { source: 'deposits INDEXED BY deposits_by_transaction', column: 'tx_id' },
} as const;

/** Trades read at a time while merging: a merged trade may consist of any number. */
const tradesPerPage = 1000;
/** Trades read at a time while summing them up. */
const tradesPerJsonPage = 50_000;

/**
 * History in one SQLite file, or in memory for `:memory:`. Calls run to their end before they return, so it belongs in
 * a worker (`worker-history-store.ts`) wherever something else must not wait. One connection, the only one to the file.
 */
export class SqliteHistoryStore implements HistoryStore {
  readonly #database: SqliteConnection;
  readonly #tables: TableSet;
  readonly #inserters: readonly (readonly [string, RowInserter])[];
  /** `null`: a database without rebates. */
  readonly #rebateDays: RebateDays | null;
  #watermark: Seq;

  /**
   * `isTemporary`: nobody needs the file after the process.
   * @throws HistoryTooNew when a later version of this software wrote the file.
   */
  constructor(path: string, tables: TableSet = historyTables, { isTemporary = false } = {}) {
    this.#tables = tables;
    this.#database = new SqliteConnection(path, schemaMigrations(tables), { isTemporary });
    this.#inserters = Object.entries(tables).map(([name, table]) => [name, this.#database.inserter(table)]);
    this.#rebateDays = 'rebateDays' in tables ? new RebateDays(this.#database) : null;
    this.#watermark = (this.#database.one('SELECT watermark FROM progress', []) as [Seq])[0];
  }

  async write(batch: HistoryBatch): Promise<void> {
    await this.writePacked(packBatch(this.#tables, batch));
  }

  /** The batch as it comes from another thread. */
  async writePacked({ upTo, rows }: PackedBatch): Promise<void> {
    if (upTo <= this.#watermark) return;
    this.#database.transaction(() => {
      for (const [name, inserter] of this.#inserters) inserter.write(rows[name] as PackedRows);
      foldBars(this.#database, unpackRows(historyTables.bars, rows['bars'] as PackedRows));
      if (this.#rebateDays !== null) {
        this.#rebateDays.add(unpackRows(historyTables.rebates, rows['rebates'] as PackedRows));
        const rejections = unpackRows(historyTables.rebateRejections, rows['rebateRejections'] as PackedRows);
        for (const rejection of rejections) markRejected(this.#database, rejection);
      }
      this.#database.statement('UPDATE progress SET watermark = ?').run([upTo]);
    });
    this.#watermark = upTo;
  }

  async watermark(): Promise<Seq> {
    return this.#watermark;
  }

  async rows<Name extends keyof HistoryTables>(
    name: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    window: Window,
    limit = Number.MAX_SAFE_INTEGER,
    fromStart = true,
  ): Promise<readonly RowOf<HistoryTables[Name]>[]> {
    const table = this.#tables[name] as HistoryTables[Name];
    const { sql, values } = rowQuery(table, where, fromStart);
    const rows = this.#database
      .all(sql, [...values, window.from, window.to, limit])
      .map((row) => rowOf<HistoryTables[Name]>(table, row));
    return fromStart ? rows : rows.reverse();
  }

  async page<Name extends keyof HistoryTables>(
    name: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    window: Window,
    page: PageOf<RowOf<HistoryTables[Name]>>,
  ): Promise<readonly RowOf<HistoryTables[Name]>[]> {
    const table = this.#tables[name] as HistoryTables[Name];
    const { sql, values } = pageQuery(table, where, window, page as PageOf<AnyRow>);
    return this.#database.all(sql, values).map((row) => rowOf<HistoryTables[Name]>(table, row));
  }

  async scan<Name extends keyof HistoryTables>(
    name: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    after: Partial<RowOf<HistoryTables[Name]>> | null,
    limit: number,
  ): Promise<readonly RowOf<HistoryTables[Name]>[]> {
    const table = this.#tables[name] as HistoryTables[Name];
    const { sql, values } = scanQuery(table, where, after, limit);
    return this.#database.all(sql, values).map((row) => rowOf<HistoryTables[Name]>(table, row));
  }

  async count<Name extends keyof HistoryTables>(
    name: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    window: Window,
  ): Promise<number> {
    const { sql, values } = countQuery(this.#tables[name] as HistoryTables[Name], where, window);
    return (this.#database.one(sql, values) as [number])[0];
  }

  async grouped<Name extends keyof HistoryTables, By extends string, Sum extends string>(
    name: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    window: Window,
    of: GroupsOf<By, Sum>,
  ): Promise<readonly Group<RowOf<HistoryTables[Name]>, By, Sum>[]> {
    const table = this.#tables[name] as HistoryTables[Name];
    const { sql, values } = groupQuery(table, where, window, of);
    return this.#database.all(sql, values).map((row) => groupOf(table, of, row));
  }

  async orderOf(account: AccountId, symbol: SymbolId, ref: OrderRef): Promise<OrderView | null> {
    const columns = selection(historyTables.orders);
    const row =
      'order' in ref
        ? this.#database.one(
            `SELECT ${columns} FROM orders INDEXED BY orders_by_number
          WHERE order_number = ? AND account = ? AND symbol = ?`,
            [ref.order, account, symbol],
          )
        : this.#database.one(
            `SELECT ${columns} FROM orders INDEXED BY orders_by_client_id
          WHERE account = ? AND symbol = ? AND client_order_id = ? ORDER BY order_number DESC LIMIT 1`,
            [account, symbol, ref.clientOrderId],
          );
    return row === undefined ? null : rowOf(historyTables.orders, row);
  }

  async aggregatedTrades(
    symbol: SymbolId,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly AggregatedTrade[]> {
    const merged: AggregatedTrade[] = [];
    const merger = new TradeMerger((trade) => merged.push(trade));
    let at: number = fromStart ? window.from : window.to;
    let trade = fromStart ? 0 : Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page = this.#tradesBeyond(symbol, { at, trade, end: fromStart ? window.to : window.from }, fromStart);
      for (const row of page) {
        merger.add(row);
        if (merged.length === limit) return ordered(merged, fromStart);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < tradesPerPage) break;
      ({ at, trade } = last);
    }
    merger.finish();
    return ordered(merged, fromStart);
  }

  async barBefore(symbol: SymbolId, before: TimestampMs): Promise<Bar | null> {
    return this.#minuteBar('open_time < ? ORDER BY open_time DESC LIMIT 1', [symbol, before]);
  }

  async ownerOf(table: 'orders' | 'withdrawals', number: number): Promise<AccountId | null> {
    const column = table === 'orders' ? 'order_number' : 'withdrawal';
    const row = this.#database.one(`SELECT account FROM ${table} INDEXED BY ${table}_by_number WHERE ${column} = ?`, [
      number,
    ]);
    return row === undefined ? null : (row[0] as AccountId);
  }

  async accountsWith({ of, text }: AccountText): Promise<readonly AccountId[]> {
    const { source, column } = accountTexts[of];
    const next = `SELECT min(account) FROM ${source} WHERE ${column} = ? AND account > ?`;
    const accounts: AccountId[] = [];
    // From account to account: one of them may have a million rows.
    while (accounts.length < accountsFoundMax) {
      const [account] = this.#database.one(next, [text, accounts.at(-1) ?? -1]) as [number | null];
      if (account === null) break;
      accounts.push(as<AccountId>(account));
    }
    return accounts;
  }

  async balances(accounts: AccountRange, moment: LedgerMoment, page: BalancePage): Promise<readonly LedgerBalance[]> {
    return storedBalances(this.#database, accounts, moment, page);
  }

  async firstBar(symbol: SymbolId): Promise<Bar | null> {
    return this.#minuteBar('TRUE ORDER BY open_time LIMIT 1', [symbol]);
  }

  async seconds(symbol: SymbolId, window: Window): Promise<SecondColumns> {
    const builder = new SecondBuilder();
    let at: number = window.from;
    let trade = 0;
    for (;;) {
      // One page as JSON arrays: a quarter of the cost of returning one row per trade.
      const page = this.#database.one(
        `SELECT count(*), max(at), max(trade), json_group_array(at), json_group_array(price), json_group_array(lots),
           json_group_array(quote_amount)
         FROM (SELECT at, trade, price, lots, quote_amount FROM trades
           WHERE symbol = ? AND (at, trade) > (?, ?) AND at <= ? ORDER BY at, trade LIMIT ${tradesPerJsonPage})`,
        [symbol, at, trade, window.to],
      ) as [number, number, number, string, string, string, string];
      const [ats, prices, lots, quoteAmounts] = page.slice(3).map((text) => JSON.parse(text as string) as number[]) as [
        number[],
        number[],
        number[],
        number[],
      ];
      for (let row = 0; row < ats.length; row += 1) {
        assert(row === 0 || (ats[row] as number) >= (ats[row - 1] as number), 'trades come in the order of time');
        builder.add(ats[row] as number, prices[row] as number, lots[row] as number, quoteAmounts[row] as number);
      }
      if (page[0] < tradesPerJsonPage) return builder.build();
      [, at, trade] = page;
    }
  }

  async tradedSymbols(): Promise<readonly SymbolId[]> {
    return this.#firstKeys('bars', 'symbol');
  }

  async markedContracts(): Promise<readonly SymbolId[]> {
    return this.#firstKeys(historyTables.markBars.name, 'contract');
  }

  async prune(now: TimestampMs, retention: HistoryRetention): Promise<number> {
    const kept: Readonly<Record<string, number | null | undefined>> = retention;
    let removed = 0;
    for (const table of Object.values(this.#tables)) {
      removed += pruneTable(this.#database, table, kept[table.name] ?? null, { now, rowsMax: prunedRowsMax - removed });
    }
    return removed;
  }

  /**
   * Removes everything after the mark, so that history fits a journal that was cut. For a stopped exchange.
   * @throws HistoryNotReversible when what is needed for it is no longer kept: then nothing was changed.
   */
  takeBack(to: HistoryMark): void {
    this.#database.transaction(() => takeBackHistory(this.#database, this.#tables, to));
    this.#watermark = Math.min(this.#watermark, to.upTo) as Seq;
  }

  /** Writes a copy into a new file. */
  async copyTo(path: string): Promise<void> {
    this.#database.copyTo(path);
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** Every value of the first column of a table's key: skips from value to value instead of scanning all rows. */
  #firstKeys(table: string, column: string): SymbolId[] {
    const rows = this.#database.all(
      `
      WITH RECURSIVE found(value) AS (
        SELECT min(${column}) FROM ${table}
        UNION ALL
        SELECT (SELECT min(${column}) FROM ${table} WHERE ${column} > found.value) FROM found
        WHERE found.value IS NOT NULL
      ) SELECT value FROM found WHERE value IS NOT NULL ORDER BY value`,
      [],
    );
    return rows.map((row) => row[0] as SymbolId);
  }

  #minuteBar(condition: string, values: readonly StoredValue[]): Bar | null {
    const row = this.#database.one(
      `SELECT ${selection(historyTables.bars)} FROM bars WHERE symbol = ? AND span = 0 AND ${condition}`,
      values,
    );
    return row === undefined ? null : rowOf(historyTables.bars, row);
  }

  /** A page of trades after a position (before it, if not `forward`), nearest first. */
  #tradesBeyond(
    symbol: SymbolId,
    place: { readonly at: number; readonly trade: number; readonly end: number },
    forward: boolean,
  ): TradeRow[] {
    const [beyond, until, direction] = forward ? ['>', '<=', 'ASC'] : ['<', '>=', 'DESC'];
    return this.#database
      .all(
        `SELECT ${selection(historyTables.trades)} FROM trades
       WHERE symbol = ? AND (at, trade) ${beyond} (?, ?) AND at ${until} ?
       ORDER BY at ${direction}, trade ${direction} LIMIT ${tradesPerPage}`,
        [symbol, place.at, place.trade, place.end],
      )
      .map((row) => rowOf(historyTables.trades, row));
  }
}

const ordered = (merged: readonly AggregatedTrade[], fromStart: boolean): readonly AggregatedTrade[] =>
  fromStart ? merged : merged.map((trade) => ({ ...trade, first: trade.last, last: trade.first })).reverse();
