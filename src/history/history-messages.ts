import type { AggregatedTrade } from '#domain/aggregated-trade.ts';
import type { OrderView } from '#domain/order.ts';
import type { Seq } from '#domain/units.ts';
import {
  barTable,
  fillTable,
  orderTable,
  type PackedRows,
  packRows,
  type SpanBar,
  tradeTable,
  unpackRows,
} from '#history/history-rows.ts';
import type { Bar, FillRow, HistoryBatch, HistoryStore, SecondColumns, TradeRow } from '#history/history-store.ts';

/** Questions of the port whose arguments and answers are few and small enough to be copied as they are. */
type PlainMethod =
  | 'watermark'
  | 'orderOf'
  | 'barBefore'
  | 'firstBar'
  | 'tradedSymbols'
  | 'prune'
  | 'close'
  | 'aggregatedTrades';
/** Questions whose rows are packed into one block: taking it over costs the asking thread almost nothing. */
type PackedMethod = 'ordersOf' | 'fillsOf' | 'trades' | 'bars';

/** What a history worker is told: one message per call of the port, answered by number. */
export type HistoryRequest =
  | { readonly id: number; readonly method: 'write'; readonly batch: PackedBatch }
  | { readonly id: number; readonly method: PlainMethod | PackedMethod | 'seconds'; readonly args: readonly unknown[] };

/** What it answers. `packed` has the shape that the method calls for. */
export type HistoryReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly packed: PackedRows }
  | { readonly id: number; readonly failure: string; readonly code: string | null; readonly isDamage: boolean };

/** A history batch as columns, cheap to hand to another thread. */
export interface PackedBatch {
  readonly upTo: Seq;
  readonly orders: PackedRows;
  readonly trades: PackedRows;
  readonly fills: PackedRows;
  readonly bars: PackedRows;
}

/** The batch in columns. */
export function packBatch(batch: HistoryBatch): PackedBatch {
  return {
    upTo: batch.upTo,
    orders: packRows(orderTable, batch.orders),
    trades: packRows(tradeTable, batch.trades),
    fills: packRows(fillTable, batch.fills),
    bars: packRows(
      barTable,
      batch.bars.map((bar): SpanBar => ({ span: 'minute', bar })),
    ),
  };
}

/** The batch that was packed. */
export function unpackBatch(packed: PackedBatch): HistoryBatch {
  return {
    upTo: packed.upTo,
    orders: unpackRows(orderTable, packed.orders),
    trades: unpackRows(tradeTable, packed.trades),
    fills: unpackRows(fillTable, packed.fills),
    bars: unpackRows(barTable, packed.bars).map(({ bar }) => bar),
  };
}

/** Blocks of a batch, to hand over instead of to copy. */
export function batchBlocks(packed: PackedBatch): ArrayBuffer[] {
  return [packed.orders, packed.trades, packed.fills, packed.bars].map((rows) => rows.numbers.buffer);
}

/** How the rows of each packed answer are told from their block. */
export const packedAnswers = {
  ordersOf: {
    pack: (rows: readonly OrderView[]) => packRows(orderTable, rows),
    unpack: (packed: PackedRows): OrderView[] => unpackRows(orderTable, packed),
  },
  fillsOf: {
    pack: (rows: readonly FillRow[]) => packRows(fillTable, rows),
    unpack: (packed: PackedRows): FillRow[] => unpackRows(fillTable, packed),
  },
  trades: {
    pack: (rows: readonly TradeRow[]) => packRows(tradeTable, rows),
    unpack: (packed: PackedRows): TradeRow[] => unpackRows(tradeTable, packed),
  },
  bars: {
    pack: (rows: readonly Bar[]) =>
      packRows(
        barTable,
        rows.map((bar): SpanBar => ({ span: 'minute', bar })),
      ),
    unpack: (packed: PackedRows): Bar[] => unpackRows(barTable, packed).map(({ bar }) => bar),
  },
};

/** What the plain methods answer, for the asking side. */
export interface PlainAnswers {
  readonly watermark: Seq;
  readonly orderOf: OrderView | null;
  readonly barBefore: Bar | null;
  readonly firstBar: Bar | null;
  readonly tradedSymbols: Awaited<ReturnType<HistoryStore['tradedSymbols']>>;
  readonly prune: number;
  readonly close: undefined;
  readonly aggregatedTrades: readonly AggregatedTrade[];
  readonly seconds: SecondColumns;
}
