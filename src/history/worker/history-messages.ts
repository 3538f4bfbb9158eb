import type { Seq } from '#model/units.ts';
import type { GroupsOf, HistoryBatch, HistoryStore, Window } from '#history/history-store.ts';
import type { AnyRow, TableSet } from '#history/tables/history-table.ts';
import type { HistoryTables } from '#history/tables/history-tables.ts';
import { type PackedRows, packRows } from '#history/worker/packed-rows.ts';

/** Queries of the port whose arguments and answers are small enough to be copied between threads. */
export type PlainMethod = Exclude<keyof HistoryStore, 'write' | 'rows' | 'page' | 'scan' | 'grouped'> | 'copyTo';

/** What `RowStore.grouped` is asked with. */
export type GroupedArgs = readonly [
  table: keyof HistoryTables,
  where: AnyRow,
  window: Window,
  of: GroupsOf<string, string>,
];

/** Requests to a history worker: one message per call of the port, answered by id. */
export type HistoryRequest =
  | { readonly id: number; readonly method: 'write'; readonly batch: PackedBatch }
  | { readonly id: number; readonly method: 'rows'; readonly args: Parameters<HistoryStore['rows']> }
  | { readonly id: number; readonly method: 'page'; readonly args: Parameters<HistoryStore['page']> }
  | { readonly id: number; readonly method: 'scan'; readonly args: Parameters<HistoryStore['scan']> }
  | { readonly id: number; readonly method: 'grouped'; readonly args: GroupedArgs }
  | { readonly id: number; readonly method: PlainMethod; readonly args: readonly unknown[] };

/** Replies of the worker. Rows are packed: transferring a block costs the calling thread almost nothing. */
export type HistoryReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly packed: PackedRows }
  | { readonly id: number; readonly failure: string; readonly code: string | null; readonly isDamage: boolean };

/** What a history worker is started with. */
export interface HistoryWorkerData {
  readonly path: string;
  readonly tables: TableSet;
}

/** A history batch as columns, cheap to hand to another thread. */
export interface PackedBatch {
  readonly upTo: Seq;
  /** Of every table, by its name. */
  readonly rows: Readonly<Record<string, PackedRows>>;
}

/** The batch in columns. @throws RangeError for a row that its table cannot hold. */
export function packBatch(tables: TableSet, { upTo, rows }: HistoryBatch): PackedBatch {
  const byName: Readonly<Record<string, readonly AnyRow[] | undefined>> = rows;
  const packed = Object.values(tables).map((table) => [table.name, packRows(table, byName[table.name] ?? [])]);
  return { upTo, rows: Object.fromEntries(packed) as Record<string, PackedRows> };
}

/** Buffers of a batch, to be transferred instead of copied. */
export const batchBlocks = ({ rows }: PackedBatch): ArrayBuffer[] => Object.values(rows).map(({ slots }) => slots);
