import { sumBase } from '#base/exact-sum.ts';
import { rebateDayMs, rebateDayOf } from '#model/rebate.ts';
import type { TimestampMs } from '#model/units.ts';
import { packRows } from '#history/worker/packed-rows.ts';
import {
  type RebateDayRow,
  type RebateRejectionRow,
  type RebateRow,
  rebateDays,
  rebateKinds,
} from '#history/tables/rebate-tables.ts';
import type { RowInserter, SqliteConnection } from '#history/sqlite/sqlite-connection.ts';
import { columnNames, placesSql } from '#history/sqlite/table-sql.ts';

/** Bits of the lower column of a sum. */
const lowBits = Math.log2(sumBase);
const lowMask = sumBase - 1;
const sums = ['amount', 'value', 'turnoverValue'] as const;
/** Columns of sums without the ending that tells the two of each apart, and what each is the sum of. */
const summed = {
  amount: 'amount',
  value: 'value',
  turnover_value: 'turnover_value',
  rejected_amount: 'iif(rejected_at IS NULL, 0, amount)',
  rejected_value: 'iif(rejected_at IS NULL, 0, value)',
};
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
  database.statement(foldSql('at >= ?')).run([day]);
}

/**
 * Marks what was rejected of the rebates of a beneficiary on a day, by the rejections that are there now, and makes the
 * sums of that day anew. Of several rejections the first that covers a rebate counts.
 */
export function markRejected(
  database: SqliteConnection,
  { account, day }: Pick<RebateRejectionRow, 'account' | 'day'>,
) {
  const rows = [account, day, day + rebateDayMs - 1];
  database.statement(markSql).run([day, ...rows]);
  database.statement('DELETE FROM rebateDays WHERE account = ? AND day = ?').run([account, day]);
  database.statement(foldSql(ofDay)).run(rows);
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
      days.set(key, { ...first, amount, value, turnoverValue, rejectedAmount: 0n, rejectedValue: 0n });
    } else {
      sum.count += 1;
      for (const field of sums) sum[field] += row[field];
    }
  }
  return [...days.values()];
}

const addSql = (rowCount: number): string => `
  INSERT INTO rebateDays (${allNames}) VALUES ${placesSql(rebateDays, rowCount)}
  ON CONFLICT (${keyNames}) DO UPDATE SET row_count = row_count + excluded.row_count, ${Object.keys(summed)
    .map(
      (name) => `
    ${name}_high = ${name}_high + excluded.${name}_high + ((${name}_low + excluded.${name}_low) >> ${lowBits}),
    ${name}_low = (${name}_low + excluded.${name}_low) & ${lowMask}`,
    )
    .join(',')}`;

const foldSql = (where: string): string => `
  INSERT INTO rebateDays (${allNames})
  SELECT account, kind, at - at % ${rebateDayMs}, source, share, product, asset, min(code), count(*), ${Object.values(
    summed,
  )
    .map(
      (each) => `
    sum(${each} >> ${lowBits}) + (sum(${each} & ${lowMask}) >> ${lowBits}), sum(${each} & ${lowMask}) & ${lowMask}`,
    )
    .join(',')}
  FROM rebates WHERE ${where} GROUP BY 1, 2, 3, 4, 5, 6, 7`;

const ofDay = `account = ? AND kind IN (${rebateKinds.map((_, place) => place).join(', ')}) AND at BETWEEN ? AND ?`;
const markSql = `
  UPDATE rebates SET rejected_at = (
    SELECT made.rejected_at FROM rebateRejections AS made
    WHERE made.account = rebates.account AND made.day = ? AND made.seq >= rebates.seq
      AND (made.source IS NULL OR made.source = rebates.source)
    ORDER BY made.seq LIMIT 1
  ) WHERE ${ofDay}`;
