import { InvariantBroken } from '#base/assert.ts';
import type { HistoryBatch } from '#history/history-store.ts';
import {
  type AnyRow,
  type HistoryTable,
  type StoredColumn,
  type StoredValue,
  storedValue,
} from '#history/tables/history-table.ts';
import { historyTables } from '#history/tables/history-tables.ts';
import { MemoryHistoryStore } from '../ports/memory-history-store.ts';
import { packRows, unpackRows } from '#history/worker/packed-rows.ts';

/** Rows as they come out at the other side of a thread. */
function carried(table: HistoryTable, rows: readonly AnyRow[]): readonly AnyRow[] {
  for (const row of rows) demandColumns(table, row);
  return unpackRows(table, packRows(table, rows));
}

function demandColumns(table: HistoryTable, row: AnyRow): void {
  for (const column of table.stored) {
    const value = storedValue(column, row[column.field]);
    if (value === null && column.isNullable) continue;
    if (isHeld(column.type, value)) continue;
    throw new InvariantBroken(`${table.name}.${column.name} is of type ${column.type}, not ${value}`);
  }
}

function isHeld(type: StoredColumn['type'], value: StoredValue): boolean {
  if (type === 'text') return typeof value === 'string';
  return type === 'bigInteger' ? typeof value === 'bigint' : Number.isSafeInteger(value);
}

/** History in memory, whose rows go the way of the real one: through packed columns. */
export class PackingHistoryStore extends MemoryHistoryStore {
  override async write({ upTo, rows }: HistoryBatch): Promise<void> {
    const packed = Object.entries<HistoryTable>(historyTables).map(([name, table]) => [
      name,
      carried(table, rows[name as keyof typeof rows] ?? []),
    ]);
    await super.write({ upTo, rows: Object.fromEntries(packed) as HistoryBatch['rows'] });
  }
}
