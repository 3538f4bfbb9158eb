import { assert } from '#base/assert.ts';
import { type AggregatedTrade, TradeMerger } from '#domain/aggregated-trade.ts';
import type { OrderRef, OrderView } from '#domain/order.ts';
import type { AccountId, OrderNumber, Seq, SymbolId, TimestampMs } from '#domain/units.ts';
import { foldBars } from '#history/bar-folding.ts';
import {
  barTable,
  type ColumnValue,
  fillTable,
  orderTable,
  type RowTable,
  type SpanBar,
  tradeTable,
} from '#history/history-rows.ts';
import {
  type Bar,
  type BarSpan,
  barSpans,
  type FillRow,
  type HistoryBatch,
  type HistoryRetention,
  type HistoryStore,
  keptTradesMsMin,
  type SecondColumns,
  type TradeRow,
  type Window,
} from '#history/history-store.ts';
import { type HistoryMark, takeBackHistory } from '#history/history-take-back.ts';
import { SecondBuilder } from '#history/second-builder.ts';
import { schemaMigrations } from '#history/schema-migrations.ts';
import { type RowInserter, SqliteConnection } from '#history/sqlite-connection.ts';

/** Rows that one call of `prune` removes at most: a few milliseconds. */
const prunedRowsMax = 10_000;

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
  readonly #orders: RowInserter<OrderView>;
  readonly #trades: RowInserter<TradeRow>;
  readonly #fills: RowInserter<FillRow>;
  readonly #bars: RowInserter<SpanBar>;
  #watermark: Seq;

  /** @throws HistoryTooNew when a later version of this software wrote the file. */
  constructor(path: string) {
    this.#database = new SqliteConnection(path, schemaMigrations);
    this.#orders = this.#database.inserter(orderTable);
    this.#trades = this.#database.inserter(tradeTable);
    this.#fills = this.#database.inserter(fillTable);
    this.#bars = this.#database.inserter(barTable);
    this.#watermark = (this.#database.one('SELECT watermark FROM progress', []) as [Seq])[0];
  }

  async write(batch: HistoryBatch): Promise<void> {
    if (batch.upTo <= this.#watermark) return;
    this.#database.transaction(() => {
      this.#trades.write(batch.trades);
      this.#fills.write(batch.fills);
      this.#orders.write(batch.orders);
      this.#bars.write(batch.bars.map((bar) => ({ span: 'minute', bar })));
      foldBars(this.#database, batch.bars);
      this.#database.statement('UPDATE progress SET watermark = ?').run([batch.upTo]);
    });
    this.#watermark = batch.upTo;
  }

  async watermark(): Promise<Seq> {
    return this.#watermark;
  }

  async ordersOf(
    account: AccountId,
    symbol: SymbolId,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly OrderView[]> {
    return this.#ranged(
      orderTable,
      'orders',
      'account = ? AND symbol = ? AND accepted_at BETWEEN ? AND ?',
      ['accepted_at', 'order_number'],
      [account, symbol, window.from, window.to],
      limit,
      fromStart,
    );
  }

  async orderOf(account: AccountId, symbol: SymbolId, ref: OrderRef): Promise<OrderView | null> {
    const columns = orderTable.columns.join(', ');
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
    return row === undefined ? null : orderTable.fromValues(row);
  }

  async fillsOf(
    account: AccountId,
    symbol: SymbolId,
    order: OrderNumber | null,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly FillRow[]> {
    const sortedBy = ['at', 'trade', 'is_maker'];
    const ofAccount = 'account = ? AND symbol = ? AND at BETWEEN ? AND ?';
    const values = [account, symbol, window.from, window.to];
    if (order === null) return this.#ranged(fillTable, 'fills', ofAccount, sortedBy, values, limit, fromStart);
    return this.#ranged(
      fillTable,
      'fills INDEXED BY fills_of_order',
      `order_number = ? AND ${ofAccount}`,
      sortedBy,
      [order, ...values],
      limit,
      fromStart,
    );
  }

  async trades(symbol: SymbolId, window: Window, limit: number, fromStart: boolean): Promise<readonly TradeRow[]> {
    return this.#ranged(
      tradeTable,
      'trades',
      'symbol = ? AND at BETWEEN ? AND ?',
      ['at', 'trade'],
      [symbol, window.from, window.to],
      limit,
      fromStart,
    );
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

  async bars(symbol: SymbolId, span: BarSpan, window: Window): Promise<readonly Bar[]> {
    const rows = this.#database.all(
      `SELECT ${barTable.columns.join(', ')} FROM bars
      WHERE symbol = ? AND span = ? AND open_time BETWEEN ? AND ? ORDER BY open_time`,
      [symbol, barSpans.indexOf(span), window.from, window.to],
    );
    return rows.map((row) => barTable.fromValues(row).bar);
  }

  async barBefore(symbol: SymbolId, before: TimestampMs): Promise<Bar | null> {
    return this.#minuteBar('open_time < ? ORDER BY open_time DESC LIMIT 1', [symbol, before]);
  }

  async firstBar(symbol: SymbolId): Promise<Bar | null> {
    return this.#minuteBar('TRUE ORDER BY open_time LIMIT 1', [symbol]);
  }

  async seconds(symbol: SymbolId, window: Window): Promise<SecondColumns> {
    const builder = new SecondBuilder();
    let at: number = window.from;
    let trade = 0;
    for (;;) {
      // A page as arrays of JSON: four times less work at the border of the database than a row per trade.
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
    // A step per symbol, not per bar.
    const rows = this.#database.all(
      `
      WITH RECURSIVE found(symbol) AS (
        SELECT min(symbol) FROM bars
        UNION ALL
        SELECT (SELECT min(bars.symbol) FROM bars WHERE bars.symbol > found.symbol) FROM found
        WHERE found.symbol IS NOT NULL
      ) SELECT symbol FROM found WHERE symbol IS NOT NULL ORDER BY symbol`,
      [],
    );
    return rows.map((row) => row[0] as SymbolId);
  }

  async prune(now: TimestampMs, retention: HistoryRetention): Promise<number> {
    if (retention.tradesMs === null) return 0;
    const keptFrom = now - Math.max(retention.tradesMs, keptTradesMsMin);
    let removed = 0;
    for (const symbol of await this.tradedSymbols()) {
      if (removed >= prunedRowsMax) break;
      const last = this.#database.one(
        'SELECT at, trade FROM trades WHERE symbol = ? AND at < ? ORDER BY at, trade LIMIT 1 OFFSET ?',
        [symbol, keptFrom, prunedRowsMax - removed - 1],
      );
      const outcome =
        last === undefined
          ? this.#database.statement('DELETE FROM trades WHERE symbol = ? AND at < ?').run([symbol, keptFrom])
          : this.#database
              .statement('DELETE FROM trades WHERE symbol = ? AND (at, trade) <= (?, ?)')
              .run([symbol, ...last]);
      removed += outcome.changes;
    }
    return removed;
  }

  /**
   * Makes history end where an exchange stood that has seen less than it: what came later goes. For a stopped one.
   * @throws HistoryNotReversible when what is needed for it is no longer kept: then nothing was changed.
   */
  takeBack(to: HistoryMark): void {
    this.#database.transaction(() => takeBackHistory(this.#database, to));
    this.#watermark = Math.min(this.#watermark, to.upTo) as Seq;
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #minuteBar(condition: string, values: readonly ColumnValue[]): Bar | null {
    const row = this.#database.one(
      `SELECT ${barTable.columns.join(', ')} FROM bars WHERE symbol = ? AND span = 0 AND ${condition}`,
      values,
    );
    return row === undefined ? null : barTable.fromValues(row).bar;
  }

  /** A page of trades that come after a place (before it, if not `forward`), nearest first. */
  #tradesBeyond(
    symbol: SymbolId,
    place: { readonly at: number; readonly trade: number; readonly end: number },
    forward: boolean,
  ): TradeRow[] {
    const [beyond, until, direction] = forward ? ['>', '<=', 'ASC'] : ['<', '>=', 'DESC'];
    return this.#database
      .all(
        `SELECT ${tradeTable.columns.join(', ')} FROM trades
       WHERE symbol = ? AND (at, trade) ${beyond} (?, ?) AND at ${until} ?
       ORDER BY at ${direction}, trade ${direction} LIMIT ${tradesPerPage}`,
        [symbol, place.at, place.trade, place.end],
      )
      .map((row) => tradeTable.fromValues(row));
  }

  /** Rows in ascending order: the first `limit` of the range, or the last. */
  #ranged<Row>(
    table: RowTable<Row>,
    source: string,
    condition: string,
    sortedBy: readonly string[],
    values: readonly ColumnValue[],
    limit: number,
    fromStart: boolean,
  ): Row[] {
    const direction = fromStart ? 'ASC' : 'DESC';
    const rows = this.#database
      .all(
        `SELECT ${table.columns.join(', ')} FROM ${source} WHERE ${condition}
       ORDER BY ${sortedBy.map((column) => `${column} ${direction}`).join(', ')} LIMIT ?`,
        [...values, limit],
      )
      .map((row) => table.fromValues(row));
    return fromStart ? rows : rows.reverse();
  }
}

const ordered = (merged: readonly AggregatedTrade[], fromStart: boolean): readonly AggregatedTrade[] =>
  fromStart ? merged : merged.map((trade) => ({ ...trade, first: trade.last, last: trade.first })).reverse();
