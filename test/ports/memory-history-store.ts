import { assert } from '#base/assert.ts';
import { ExactSum } from '#base/exact-sum.ts';
import { type AggregatedTrade, TradeMerger } from '#model/aggregated-trade.ts';
import { rebateDayOf } from '#model/rebate.ts';
import type { OrderRef, OrderView } from '#model/order.ts';
import type { AccountId, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { barSpanMs, barSpans } from '#history/tables/bar-spans.ts';
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
  pagedRowsMax,
  pageRowsMax,
  type SecondColumns,
  type Where,
  type Window,
} from '#history/history-store.ts';
import type { LedgerBalance, LedgerLineRow, LedgerMoment } from '#history/tables/ledger-tables.ts';
import type { RebateRejectionRow, RebateRow } from '#history/tables/rebate-tables.ts';
import type { AnyRow, HistoryTable, RowOf, TableSet } from '#history/tables/history-table.ts';
import { type Bar, type HistoryTables, historyTables, type TradeRow } from '#history/tables/history-tables.ts';
import { checkPage } from '#history/sqlite/page-sql.ts';
import { leadingIndex } from '#history/sqlite/table-sql.ts';
import { compareRows, groupRows } from './group-rows.ts';

/** History in plain lists that every query scans. For tests: the oracle of the other stores. */
export class MemoryHistoryStore implements HistoryStore {
  readonly #tables: TableSet;
  /** Rows of each table by key. */
  readonly #rows: ReadonlyMap<string, Map<string, AnyRow>>;
  /** Key of the row that has a value of a unique index, by the index's name and the value. */
  readonly #unique = new Map<string, string>();
  #watermark = as<Seq>(0);

  constructor(tables: TableSet = historyTables) {
    this.#tables = tables;
    this.#rows = new Map(Object.keys(tables).map((name) => [name, new Map<string, AnyRow>()]));
  }

  async write(batch: HistoryBatch): Promise<void> {
    if (batch.upTo <= this.#watermark) return;
    for (const [name, rows] of Object.entries<readonly AnyRow[]>(batch.rows)) {
      const table = this.#tables[name] as HistoryTable;
      for (const row of rows) {
        const copy = Object.fromEntries(Object.keys(table.columns).map((field) => [field, row[field]]));
        const key = textOf(table.key, row);
        if (table.isFinal === true && this.#hasEqual(table, row, key)) continue;
        this.#removeEqual(table, row, key);
        this.#rowsOf(name).set(key, copy);
      }
    }
    this.#watermark = batch.upTo;
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
    const table = this.#tables[name] as HistoryTable;
    const all = this.#allOf(name);
    const rows = [...all]
      .filter((row) => Object.entries(where).every(([field, value]) => row[field] === value))
      .filter((row) => holds(window, row[table.time] as number))
      .sort((left, right) => compareRows(table, table.order, left, right));
    return cut(rows, limit, fromStart) as unknown as readonly RowOf<HistoryTables[Name]>[];
  }

  #allOf(name: keyof HistoryTables): Iterable<AnyRow> {
    if (name === 'bars') return this.#allBars();
    if (name !== 'rebates' && name !== 'rebateDays') return this.#rowsOf(name).values();
    const rebates = markedRebates(
      [...this.#rowsOf('rebates').values()],
      [...this.#rowsOf('rebateRejections').values()],
    );
    return name === 'rebates' ? rebates : rebateDaysOf(rebates);
  }

  async page<Name extends keyof HistoryTables>(
    name: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    window: Window,
    page: PageOf<RowOf<HistoryTables[Name]>>,
  ): Promise<readonly RowOf<HistoryTables[Name]>[]> {
    const { limit, offset, before } = checkPage(this.#tables[name] as HistoryTable, page as PageOf<AnyRow>);
    return (await this.#paged(name, where, window, before)).slice(offset, offset + limit);
  }

  async scan<Name extends keyof HistoryTables>(
    name: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    after: Partial<RowOf<HistoryTables[Name]>> | null,
    limit: number,
  ): Promise<readonly RowOf<HistoryTables[Name]>[]> {
    assert(limit >= 1 && limit <= pageRowsMax, 'a page of history');
    const table = this.#tables[name] as HistoryTable;
    const behind = after === null ? null : ({ ...where, ...after } as AnyRow);
    return [...this.#allOf(name)]
      .filter((row) => Object.entries(where).every(([field, value]) => row[field] === value))
      .filter((row) => behind === null || compareRows(table, table.key, row, behind) > 0)
      .sort((left, right) => compareRows(table, table.key, left, right))
      .slice(0, limit) as unknown as readonly RowOf<HistoryTables[Name]>[];
  }

  async count<Name extends keyof HistoryTables>(
    name: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    window: Window,
  ): Promise<number> {
    return (await this.#paged(name, where, window, null)).length;
  }

  async grouped<Name extends keyof HistoryTables, By extends string, Sum extends string>(
    name: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    window: Window,
    of: GroupsOf<By, Sum>,
  ): Promise<readonly Group<RowOf<HistoryTables[Name]>, By, Sum>[]> {
    return groupRows(this.#tables[name] as HistoryTable, await this.rows(name, where, window), of);
  }

  async orderOf(account: AccountId, symbol: SymbolId, ref: OrderRef): Promise<OrderView | null> {
    const rows = (await this.rows('orders', { account, symbol }, always))
      .filter((row) => ('order' in ref ? row.order === ref.order : row.clientOrderId === ref.clientOrderId))
      .sort((left, right) => right.order - left.order);
    return rows[0] ?? null;
  }

  async balances(
    { from, to }: AccountRange,
    moment: LedgerMoment,
    { limit, after }: BalancePage,
  ): Promise<readonly LedgerBalance[]> {
    const rows = [...this.#rowsOf('ledgerLines').values()] as unknown as LedgerLineRow[];
    rows.sort((left, right) => left.seq - right.seq || left.line - right.line);
    const found = new Map<string, LedgerBalance>();
    for (const { asset, account, at, seq, balance } of rows) {
      if (account < from || account > to) continue;
      const key = `${asset}/${account}`;
      if (at <= moment.at && seq <= moment.seq) found.set(key, { asset, account, balance });
      else if (!found.has(key)) found.set(key, { asset, account, balance: 0n });
    }
    return [...found.values()]
      .sort((left, right) => left.asset - right.asset || left.account - right.account)
      .filter(
        ({ asset, account }) =>
          after === null || asset > after.asset || (asset === after.asset && account > after.account),
      )
      .slice(0, limit);
  }

  async ownerOf(table: 'orders' | 'withdrawals', number: number): Promise<AccountId | null> {
    const field = table === 'orders' ? 'order' : 'withdrawal';
    const row = [...this.#rowsOf(table).values()].find((each) => each[field] === number);
    return (row?.['account'] as AccountId | undefined) ?? null;
  }

  async accountsWith({ of, text }: AccountText): Promise<readonly AccountId[]> {
    const table = of === 'depositTransaction' ? 'deposits' : 'withdrawals';
    const field = of === 'withdrawalAddress' ? 'address' : 'txId';
    const rows = [...this.#rowsOf(table).values()].filter((each) => each[field] === text);
    const accounts = new Set(rows.map((each) => each['account'] as AccountId));
    return [...accounts].sort((left, right) => left - right).slice(0, accountsFoundMax);
  }

  async aggregatedTrades(
    symbol: SymbolId,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly AggregatedTrade[]> {
    const merged: AggregatedTrade[] = [];
    const merger = new TradeMerger((trade) => merged.push(trade));
    for (const trade of await this.rows('trades', { symbol }, window)) merger.add(trade);
    merger.finish();
    return cut(merged, limit, fromStart);
  }

  async barBefore(symbol: SymbolId, before: TimestampMs): Promise<Bar | null> {
    return (await this.#minutesOf(symbol)).findLast((bar) => bar.openTime < before) ?? null;
  }

  async firstBar(symbol: SymbolId): Promise<Bar | null> {
    return (await this.#minutesOf(symbol))[0] ?? null;
  }

  async seconds(symbol: SymbolId, window: Window): Promise<SecondColumns> {
    const bySecond = new Map<number, TradeRow[]>();
    for (const trade of await this.rows('trades', { symbol }, window)) {
      const second = Math.floor(trade.at / 1000);
      bySecond.set(second, [...(bySecond.get(second) ?? []), trade]);
    }
    const groups = [...bySecond.values()];
    const column = (of: (group: TradeRow[]) => number): Float64Array => Float64Array.from(groups, of);
    const sum = (group: TradeRow[], of: (trade: TradeRow) => number): ExactSum => {
      const total = new ExactSum();
      for (const trade of group) total.add(of(trade));
      return total;
    };
    return {
      seconds: Float64Array.from(bySecond.keys()),
      high: column((group) => Math.max(...group.map((trade) => trade.price))),
      low: column((group) => Math.min(...group.map((trade) => trade.price))),
      close: column((group) => (group.at(-1) as TradeRow).price),
      trades: column((group) => group.length),
      lotsHigh: column((group) => sum(group, (trade) => trade.lots).high),
      lotsLow: column((group) => sum(group, (trade) => trade.lots).low),
      quoteHigh: column((group) => sum(group, (trade) => trade.quoteAmount).high),
      quoteLow: column((group) => sum(group, (trade) => trade.quoteAmount).low),
    };
  }

  async tradedSymbols(): Promise<readonly SymbolId[]> {
    return [...new Set([...this.#allBars()].map((bar) => bar.symbol))].sort((left, right) => left - right);
  }

  async markedContracts(): Promise<readonly SymbolId[]> {
    const found = [...this.#rowsOf('markBars').values()].map((row) => row['contract'] as SymbolId);
    return [...new Set(found)].sort((left, right) => left - right);
  }

  async prune(now: TimestampMs, retention: HistoryRetention): Promise<number> {
    let removed = 0;
    for (const [name, keptMs] of Object.entries(retention)) {
      const table = this.#tables[name] as HistoryTable;
      if (keptMs === null || table.retention === null) continue;
      const keptFrom = now - Math.max(keptMs, table.retention.keptMsMin);
      for (const [key, row] of this.#rowsOf(name)) {
        if ((row[table.time] as number) >= keptFrom) continue;
        this.#rowsOf(name).delete(key);
        removed += 1;
      }
    }
    return removed;
  }

  async close(): Promise<void> {}

  /** Removes rows with another key that a unique index tells from no other than the new one. */
  #removeEqual(table: HistoryTable, row: AnyRow, key: string): void {
    for (const { name, columns, isUnique } of table.indexes) {
      if (!isUnique) continue;
      const value = `${name} ${textOf(columns, row)}`;
      const other = this.#unique.get(value);
      if (other !== undefined && other !== key) this.#rowsOf(table.name).delete(other);
      this.#unique.set(value, key);
    }
  }

  /** Whether the key is there already, or what no two rows may share. */
  #hasEqual(table: HistoryTable, row: AnyRow, key: string): boolean {
    const unique = table.indexes.filter(({ isUnique }) => isUnique);
    const isTaken = unique.some(({ name, columns }) => this.#unique.has(`${name} ${textOf(columns, row)}`));
    return isTaken || this.#rowsOf(table.name).has(key);
  }

  /** Everything that pages are made of, newest first. */
  async #paged<Name extends keyof HistoryTables>(
    name: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    window: Window,
    before: AnyRow | null,
  ): Promise<readonly RowOf<HistoryTables[Name]>[]> {
    const table = this.#tables[name] as HistoryTable;
    const wanted: AnyRow = where;
    assert(
      table.owner.every((field) => wanted[field] !== undefined),
      `${name} are asked for by ${table.owner.join(' and ')}`,
    );
    const owner = Object.fromEntries(table.owner.map((field) => [field, wanted[field]]));
    const ofOwner = await this.rows(name, owner as Where<RowOf<HistoryTables[Name]>>, window);
    const newest = ofOwner
      .filter((row) => before === null || compareRows(table, table.order, row, before) < 0)
      .toReversed();
    const lookedAt = leadingIndex(table, Object.keys(wanted)) === undefined ? newest.slice(0, pagedRowsMax) : newest;
    return lookedAt.filter((row: AnyRow) => Object.entries(wanted).every(([field, value]) => row[field] === value));
  }

  #rowsOf(name: string): Map<string, AnyRow> {
    return this.#rows.get(name) as Map<string, AnyRow>;
  }

  #minutesOf(symbol: SymbolId): Promise<readonly Bar[]> {
    return this.rows('bars', { symbol, span: 'minute' }, always);
  }

  /** The minutes that were written and the coarser bars that they make, each of its minutes in the order of time. */
  *#allBars(): Iterable<Bar> {
    const minutes = [...this.#rowsOf('bars').values()] as unknown as Bar[];
    minutes.sort((left, right) => left.openTime - right.openTime);
    for (const span of barSpans) {
      const folded = new Map<string, Bar>();
      for (const minute of minutes) {
        const openTime = as<TimestampMs>(Math.floor(minute.openTime / barSpanMs[span]) * barSpanMs[span]);
        const key = `${minute.symbol}/${openTime}`;
        const bar = folded.get(key);
        folded.set(key, bar === undefined ? { ...minute, span, openTime } : joined(bar, minute));
      }
      yield* folded.values();
    }
  }
}

const always: Window = { from: as(Number.MIN_SAFE_INTEGER), to: as(Number.MAX_SAFE_INTEGER) };

const textOf = (fields: readonly string[], row: AnyRow): string => fields.map((field) => row[field]).join('/');

const holds = (window: Window, at: number): boolean => at >= window.from && at <= window.to;

const cut = <Row>(rows: readonly Row[], limit: number, fromStart: boolean): readonly Row[] =>
  fromStart ? rows.slice(0, limit) : rows.slice(Math.max(0, rows.length - limit));

const joined = (earlier: Bar, later: Bar): Bar => ({
  ...earlier,
  high: as<Bar['high']>(Math.max(earlier.high, later.high)),
  low: as<Bar['low']>(Math.min(earlier.low, later.low)),
  close: later.close,
  lots: earlier.lots + later.lots,
  quoteAmount: earlier.quoteAmount + later.quoteAmount,
  trades: earlier.trades + later.trades,
});

/** Rows of `rebates`, each with the time of the first rejection that covers it. */
const markedRebates = (rows: readonly AnyRow[], rejections: readonly AnyRow[]): readonly AnyRow[] => {
  const inOrder = (rejections as readonly RebateRejectionRow[]).toSorted((left, right) => left.seq - right.seq);
  return (rows as unknown as readonly RebateRow[]).map((row) => {
    const rejection = inOrder.find(
      ({ account, day, source, seq }) =>
        account === row.account &&
        day === rebateDayOf(row.at) &&
        seq >= row.seq &&
        (source ?? row.source) === row.source,
    );
    return { ...row, rejectedAt: rejection?.at ?? null };
  });
};

/** Sums by day of the rows of `rebates`. */
const rebateDaysOf = (rows: readonly AnyRow[]): readonly AnyRow[] =>
  groupRows<AnyRow, string, string>(
    historyTables.rebateDays,
    rows.map((row) => ({
      ...row,
      day: rebateDayOf(row['at'] as TimestampMs),
      rejectedAmount: row['rejectedAt'] === null ? 0n : row['amount'],
      rejectedValue: row['rejectedAt'] === null ? 0n : row['value'],
    })),
    {
      by: [...historyTables.rebateDays.key, 'code'],
      sum: ['amount', 'value', 'turnoverValue', 'rejectedAmount', 'rejectedValue'],
    },
  ).map(({ rows: count, ...group }) => ({ ...group, count }));
