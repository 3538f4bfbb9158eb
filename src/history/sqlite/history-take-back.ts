import type { AccountId, OrderNumber, Seq, SymbolId, TimestampMs, TradeNumber } from '#model/units.ts';
import { as } from '#model/units.ts';
import { barSpanMs, barSpans } from '#history/tables/bar-spans.ts';
import { foldBars } from '#history/sqlite/bar-folding.ts';
import { type AnyRow, rowOf, type TableSet } from '#history/tables/history-table.ts';
import { type Bar, historyTables, type RowLists, type TradeRow } from '#history/tables/history-tables.ts';
import { refoldMarkBars } from '#history/sqlite/mark-folding.ts';
import { packRows } from '#history/worker/packed-rows.ts';
import { markRejected, refoldRebateDays } from '#history/sqlite/rebate-folding.ts';
import type { SqliteConnection } from '#history/sqlite/sqlite-connection.ts';
import { columnNames, selection } from '#history/sqlite/table-sql.ts';

/** State of an exchange after an entry. Every row of a later entry exceeds one of these values. */
export interface HistoryMark {
  readonly upTo: Seq;
  /** Time of that entry: later ones are not earlier. */
  readonly at: TimestampMs;
  /** Newest order. */
  readonly lastOrder: OrderNumber;
  /** Orders that were open: history keeps closed ones only. */
  readonly openOrders: readonly OrderNumber[];
  /** Newest trade of each symbol, by `SymbolId`. */
  readonly lastTrades: readonly TradeNumber[];
  /** Rows that a later entry may have replaced, as they were. */
  readonly replaced: Pick<RowLists, 'deposits' | 'subAccountDeposits' | 'withdrawals'>;
}

/** Trades that would be needed to take history back are no longer kept. */
export class HistoryNotReversible extends Error {
  override name = 'HistoryNotReversible';
}

/** Removes what came after the mark, inside a transaction of the caller. @throws HistoryNotReversible */
export function takeBackHistory(database: SqliteConnection, tables: TableSet, mark: HistoryMark): void {
  const hasRebates = 'rebateDays' in tables;
  const unmade = 'SELECT DISTINCT account, day FROM rebateRejections WHERE seq > ?';
  const rejected = hasRebates ? database.all(unmade, [mark.upTo]) : [];
  for (const table of Object.values(tables)) {
    if (table.position === null) continue;
    const position = columnNames(table, [table.position]);
    database.statement(`DELETE FROM ${table.name} WHERE ${position} > ?`).run([mark.upTo]);
  }
  if (hasRebates) refoldRebateDays(database, mark.at);
  for (const [account, day] of rejected as [AccountId, TimestampMs][]) markRejected(database, { account, day });
  if ('markBars' in tables) refoldMarkBars(database, mark.at);
  putBack(database, 'deposits', 'deposit', mark.replaced.deposits);
  putBack(database, 'subAccountDeposits', 'deposit', mark.replaced.subAccountDeposits);
  putBack(database, 'withdrawals', 'withdrawal', mark.replaced.withdrawals);
  const symbols = database.all('SELECT DISTINCT symbol FROM trades WHERE at >= ?', [mark.at]);
  for (const [symbol] of symbols) takeBackSymbol(database, as<SymbolId>(symbol as number), mark);
  database.statement('DELETE FROM orders WHERE order_number > ?').run([mark.lastOrder]);
  const forget = database.statement('DELETE FROM orders WHERE order_number = ?');
  for (const order of mark.openOrders) forget.run([order]);
  database.statement('UPDATE progress SET watermark = min(watermark, ?)').run([mark.upTo]);
}

/** Writes those rows, named by their number, whose later form was removed. */
function putBack<Name extends keyof HistoryMark['replaced']>(
  database: SqliteConnection,
  name: Name,
  number: string,
  rows: HistoryMark['replaced'][Name],
): void {
  const removed = (rows as readonly AnyRow[]).filter(
    (row) => database.one(`SELECT 1 FROM ${name} WHERE ${number} = ?`, [row[number] as number]) === undefined,
  );
  if (removed.length > 0) database.inserter(historyTables[name]).write(packRows(historyTables[name], removed));
}

function takeBackSymbol(database: SqliteConnection, symbol: SymbolId, mark: HistoryMark): void {
  const lastTrade = mark.lastTrades[symbol] ?? 0;
  const later = 'symbol = ? AND at >= ? AND trade > ?';
  const values = [symbol, mark.at, lastTrade];
  const [firstAt] = database.one(`SELECT min(at) FROM trades WHERE ${later}`, values) as [number | null];
  if (firstAt === null) return;
  const minute = Math.floor(firstAt / barSpanMs.minute) * barSpanMs.minute;
  const inMinute = [symbol, minute, minute + barSpanMs.minute - 1];
  const [kept] = database.one('SELECT count(*) FROM trades WHERE symbol = ? AND at BETWEEN ? AND ?', inMinute) as [
    number,
  ];
  const told = database.one('SELECT trades FROM bars WHERE symbol = ? AND span = 0 AND open_time = ?', [
    symbol,
    minute,
  ]);
  if (kept !== told?.[0])
    throw new HistoryNotReversible('trades of the minute in which history would end are no longer kept');
  database.statement(`DELETE FROM trades WHERE ${later}`).run(values);
  database.statement(`DELETE FROM fills WHERE ${later}`).run(values);
  const rest = database
    .all(
      `SELECT ${selection(historyTables.trades)} FROM trades WHERE symbol = ? AND at BETWEEN ? AND ? ORDER BY trade`,
      inMinute,
    )
    .map((row) => rowOf(historyTables.trades, row));
  for (const span of barSpans) {
    const openTime = Math.floor(minute / barSpanMs[span]) * barSpanMs[span];
    const remove = database.statement('DELETE FROM bars WHERE symbol = ? AND span = ? AND open_time >= ?');
    remove.run([symbol, barSpans.indexOf(span), openTime]);
  }
  if (rest.length > 0)
    database.inserter(historyTables.bars).write(packRows(historyTables.bars, [barOf(rest, as(minute))]));
  foldLast(database, symbol, minute);
}

/** Recomputes the coarser bars that covered the minute from the remaining bars. */
function foldLast(database: SqliteConnection, symbol: SymbolId, minute: number): void {
  const newest = database.one(
    'SELECT open_time FROM bars WHERE symbol = ? AND span = 0 AND open_time <= ? ORDER BY open_time DESC LIMIT 1',
    [symbol, minute],
  );
  // Recomputing bars that do not cover the minute does not change them.
  if (newest !== undefined) foldBars(database, [{ symbol, openTime: as(newest[0] as number) }]);
}

function barOf(trades: readonly TradeRow[], openTime: TimestampMs): Bar {
  return {
    symbol: trades[0]!.symbol,
    span: 'minute',
    openTime,
    open: trades[0]!.price,
    high: as(trades.reduce((high, { price }) => Math.max(high, price), 0)),
    low: as(trades.reduce((low, { price }) => Math.min(low, price), Number.MAX_SAFE_INTEGER)),
    close: trades.at(-1)!.price,
    lots: trades.reduce((sum, { lots }) => sum + BigInt(lots), 0n),
    quoteAmount: trades.reduce((sum, { quoteAmount }) => sum + BigInt(quoteAmount), 0n),
    trades: trades.length,
  };
}
