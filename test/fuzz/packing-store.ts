import { InvariantBroken } from '#base/assert.ts';
import { MemoryHistoryStore } from '#history/memory-history-store.ts';
import type { HistoryBatch } from '#history/history-store.ts';
import {
  barTable,
  type ColumnValue,
  fillTable,
  orderTable,
  packRows,
  type RowTable,
  tradeTable,
  unpackRows,
} from '#history/history-rows.ts';

/** Rows as they come out at the other side of a thread. */
function carried<Row>(table: RowTable<Row>, rows: readonly Row[]): Row[] {
  for (const row of rows) {
    for (const [column, value] of table.toValues(row).entries()) demandColumn(table, value, column);
  }
  return unpackRows(table, packRows(table, rows));
}

function demandColumn<Row>(table: RowTable<Row>, value: ColumnValue, column: number): void {
  if (value === null || column === table.textColumn || Number.isSafeInteger(value)) return;
  throw new InvariantBroken(`${table.name}.${table.columns[column]} is a safe integer, not ${value}`);
}

/** History in memory, whose rows go the way of the real one: through columns of safe integers and one of text. */
export class PackingHistoryStore extends MemoryHistoryStore {
  override async write(batch: HistoryBatch): Promise<void> {
    const bars = batch.bars.map((bar) => ({ span: 'minute' as const, bar }));
    await super.write({
      upTo: batch.upTo,
      orders: carried(orderTable, batch.orders),
      trades: carried(tradeTable, batch.trades),
      fills: carried(fillTable, batch.fills),
      bars: carried(barTable, bars).map(({ bar }) => bar),
    });
  }
}
