import { sumBase } from '#base/exact-sum.ts';
import { rebateDayMs, rebateDayOf } from '#model/rebate.ts';
import type { TimestampMs } from '#model/units.ts';
import { packRows } from '#history/worker/packed-rows.ts';
import { type RebateDayRow, type RebateRow, rebateDays } from '#history/tables/rebate-tables.ts';
import type { RowInserter, SqliteConnection } from '#history/sqlite/sqlite-connection.ts';
import { columnNames, placesSql } from '#history/sqlite/table-sql.ts';

/** Bits of the lower column of a sum. */
const lowBits = Math.log2(sumBase);
const lowMask = sumBase - 1;
const sums = ['amount', 'value', 'turnoverValue'] as const;
/** Their columns without the ending that tells the two of each apart. */
const sumNames = ['amount', 'value', 'turnover_value'];
const keyNames = columnNames(rebateDays, rebateDays.key);
const allNames = rebateDays.stored.map(({ name }) => name).join(', ');

/** Adds rebates to the sums of their days, in transactions of the caller. */
export class RebateDays {
  readonly #adder: RowInserter;

  constructor(database: SqliteConnection) {
    this.#adder = database.inserter(rebateDays, (_table, rowCount) => addSql(rowCount));
  }

  /** Adds rows that no sum contains yet. */
  add(rows: readonly RebateRow[]): void {
    if (rows.length > 0) this.#adder.write(packRows(rebateDays, sumsOf(rows)));
  }
}

/** Makes the sums anew of the rows that are there, from the day of a moment on. Reads all rebates. */
export function refoldRebateDays(database: SqliteConnection, from: TimestampMs): void {
  const day = rebateDayOf(from);
  database.statement('DELETE FROM rebateDays WHERE day >= ?').run([day]);
  database.statement(foldSql).run([day]);
}

/** Sums of rows by day; the code is that of the source. */
function sumsOf(rows: readonly RebateRow[]): readonly RebateDayRow[] {
  const days = new Map<string, { -readonly [Field in keyof RebateDayRow]: RebateDayRow[Field] }>();
  for (const { account, kind, at, source, share, product, asset, code, ...row } of rows) {
    const day = rebateDayOf(at);
    const key = `${account}/${kind}/${day}/${source}/${share}/${product}/${asset}`;
    const sum = days.get(key);
    if (sum === undefined) {
      const { amount, value, turnoverValue } = row;
      const first = { account, kind, day, source, share, product, asset, code, count: 1 };
      days.set(key, { ...first, amount, value, turnoverValue });
    } else {
      sum.count += 1;
      for (const field of sums) sum[field] += row[field];
    }
  }
  return [...days.values()];
}

const addSql = (rowCount: number): string => `
  INSERT INTO rebateDays (${allNames}) VALUES ${placesSql(rebateDays, rowCount)}
  ON CONFLICT (${keyNames}) DO UPDATE SET row_count = row_count + excluded.row_count, ${sumNames
    .map(
      (name) => `
    ${name}_high = ${name}_high + excluded.${name}_high + ((${name}_low + excluded.${name}_low) >> ${lowBits}),
    ${name}_low = (${name}_low + excluded.${name}_low) & ${lowMask}`,
    )
    .join(',')}`;

const foldSql = `
  INSERT INTO rebateDays (${allNames})
  SELECT account, kind, at - at % ${rebateDayMs}, source, share, product, asset, min(code), count(*), ${sumNames
    .map(
      (name) => `
    sum(${name} >> ${lowBits}) + (sum(${name} & ${lowMask}) >> ${lowBits}), sum(${name} & ${lowMask}) & ${lowMask}`,
    )
    .join(',')}
  FROM rebates WHERE at >= ? GROUP BY 1, 2, 3, 4, 5, 6, 7`;
