import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnyRow, HistoryTable, RowOf, StoredColumn, StoredValue } from '#history/tables/history-table.ts';
import { rowOf, storedValue } from '#history/tables/history-table.ts';

const bytesPerSlot = 8;

/** Rows for a worker and back: one transferable block of numbers, and one text. */
export interface PackedRows {
  /**
   * Row after row, eight bytes per column: a 64-bit integer, else a double, `NaN` for null. The double of a text
   * column is the text's length. A 64-bit integer that may be null has a slot more before it: 1 if it is there, else 0.
   */
  readonly slots: ArrayBuffer;
  /** All texts of all rows, one after the other. */
  readonly texts: string;
}

/** Rows in columns, as the table says. @throws RangeError for a 64-bit integer that is missing or too large. */
export function packRows(table: HistoryTable, rows: readonly AnyRow[]): PackedRows {
  const { stored } = table;
  const slots = new ArrayBuffer(rows.length * slotsPerRow(table) * bytesPerSlot);
  const doubles = new Float64Array(slots);
  const integers = new BigInt64Array(slots);
  const texts: string[] = [];
  let slot = 0;
  for (const row of rows) {
    for (let index = 0; index < stored.length; index += 1) {
      const column = stored[index] as StoredColumn;
      const field = row[column.field];
      // Most columns are plain numbers; keep this path short.
      const value = typeof field === 'number' ? field : storedValue(column, field);
      if (typeof value === 'number') doubles[slot] = value;
      else if (typeof value === 'string') {
        texts.push(value);
        doubles[slot] = value.length;
      } else if (typeof value === 'bigint') {
        if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${column.name} has more than 64 bits: ${value}`);
        if (column.isNullable) {
          doubles[slot] = 1;
          slot += 1;
        }
        integers[slot] = value;
      } else if (column.type === 'bigInteger') {
        if (!column.isNullable) throw new RangeError(`${column.name} has no value`);
        // The mark stays 0, and so does the slot of the value.
        slot += 1;
      } else doubles[slot] = Number.NaN;
      slot += 1;
    }
  }
  return { slots, texts: texts.join('') };
}

/** Whether a slot before the column's own says if it is there: a 64-bit integer has no value of its own for null. */
const hasMark = ({ type, isNullable }: StoredColumn): boolean => type === 'bigInteger' && isNullable;

const slotsPerRow = ({ stored }: HistoryTable): number => stored.length + stored.filter(hasMark).length;

/** The rows that were packed. */
export function unpackRows<Table extends HistoryTable>(table: Table, packed: PackedRows): RowOf<Table>[] {
  const reader = new PackedReader(table, packed);
  const rows: RowOf<Table>[] = [];
  while (reader.rowsLeft > 0) rows.push(rowOf(table, reader.take(1)));
  return rows;
}

/** Rows that one turn of the event loop unpacks: well under a millisecond. */
const rowsPerTurn = 1000;

/** The rows that were packed; other work goes on between every thousand of them. DEC-LIM-120. */
export async function unpackInTurns<Table extends HistoryTable>(
  table: Table,
  packed: PackedRows,
): Promise<RowOf<Table>[]> {
  const reader = new PackedReader(table, packed);
  const rows: RowOf<Table>[] = [];
  while (reader.rowsLeft > 0) {
    if (rows.length > 0 && rows.length % rowsPerTurn === 0) await nextTurn();
    rows.push(rowOf(table, reader.take(1)));
  }
  return rows;
}

/** Reads packed rows from the first to the last, as values for a statement. */
export class PackedReader {
  readonly #stored: readonly StoredColumn[];
  readonly #slotsPerRow: number;
  readonly #doubles: Float64Array;
  readonly #integers: BigInt64Array;
  readonly #texts: string;
  #slot = 0;
  #textAt = 0;

  constructor(table: HistoryTable, packed: PackedRows) {
    this.#stored = table.stored;
    this.#slotsPerRow = slotsPerRow(table);
    this.#doubles = new Float64Array(packed.slots);
    this.#integers = new BigInt64Array(packed.slots);
    this.#texts = packed.texts;
  }

  get rowsLeft(): number {
    return (this.#doubles.length - this.#slot) / this.#slotsPerRow;
  }

  /** Columns of the next rows, one row after the other; there must be as many. */
  take(rowCount: number): StoredValue[] {
    const values: StoredValue[] = [];
    for (let row = 0; row < rowCount; row += 1) {
      for (let index = 0; index < this.#stored.length; index += 1) {
        values.push(this.#value(this.#stored[index] as StoredColumn));
      }
    }
    return values;
  }

  #value(column: StoredColumn): StoredValue {
    const { type } = column;
    if (type === 'bigInteger') return this.#bigInteger(column);
    const slot = this.#slot;
    this.#slot += 1;
    const number = this.#doubles[slot] as number;
    if (Number.isNaN(number)) return null;
    if (type !== 'text') return number;
    this.#textAt += number;
    return this.#texts.slice(this.#textAt - number, this.#textAt);
  }
  #bigInteger(column: StoredColumn): bigint | null {
    const isThere = !hasMark(column) || this.#doubles[this.#slot] === 1;
    this.#slot += hasMark(column) ? 2 : 1;
    return isThere ? (this.#integers[this.#slot - 1] as bigint) : null;
  }
}
