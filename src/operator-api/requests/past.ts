import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Where } from '#history/history-store.ts';
import type { RowOf } from '#history/tables/history-table.ts';
import type { HistoryTables } from '#history/tables/history-tables.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';

/** Both ends inclusive; `undefined`: open. */
interface OpenWindow {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Which rows: one more than `limit`, so that the caller sees whether there are more. */
interface RowsAsked<Row> {
  readonly limit: number;
  readonly before: Partial<Row> | null;
}

/** Reads rows of history, newest first, once it shows everything that was acknowledged before. */
export const createPast = ({ queries, history, awaitHistory }: OperatorContext) => ({
  page: async <Name extends keyof HistoryTables & string>(
    table: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    { from = 0, to = Number.MAX_SAFE_INTEGER }: OpenWindow,
    { limit, before }: RowsAsked<RowOf<HistoryTables[Name]>>,
  ): Promise<readonly RowOf<HistoryTables[Name]>[]> => {
    const { seq } = await queries.position();
    await awaitHistory(seq);
    const window = { from: as<TimestampMs>(from), to: as<TimestampMs>(to) };
    return history.page(table, where, window, { limit: limit + 1, ...(before === null ? {} : { before }) });
  },
});
