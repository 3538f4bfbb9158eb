import type { AccountId, Seq } from '#model/units.ts';
import { pageRowsMax } from '#history/history-store.ts';
import type { AnyRow, HistoryTable, RowOf } from '#history/tables/history-table.ts';
import { type HistoryTables, historyTables } from '#history/tables/history-tables.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { invalidParameter } from '#operator-api/requests/problems.ts';

/** A span of time that is over, both ends included. */
export interface PastSpan {
  readonly from: number;
  readonly to: number;
  /** What was acknowledged when it was asked for. */
  readonly upTo: Seq;
}

/**
 * Reads a span, once history shows everything that was acknowledged before.
 * @throws Problem naming a parameter: the span ends in the future, or before it begins.
 */
export async function pastSpan(
  { queries, awaitHistory, clock }: OperatorContext,
  { from = 0, to }: { readonly from?: number | undefined; readonly to?: number | undefined },
): Promise<PastSpan> {
  const { seq, at } = await queries.position();
  const now = Math.max(at, clock.now());
  if (to !== undefined && to > now) throw invalidParameter('to', 'must not be in the future');
  if (from > (to ?? now)) throw invalidParameter('from', to === undefined ? 'must be past' : 'must not be after to');
  await awaitHistory(seq);
  return { from, to: to ?? now, upTo: seq };
}

/** Tables whose rows belong to accounts. */
type OwnedTable = {
  [Name in keyof HistoryTables]: RowOf<HistoryTables[Name]> extends { readonly account: AccountId } ? Name : never;
}[keyof HistoryTables];

/**
 * Rows of a table within a span, of one account or of all (`null`), in the order of its key. They are read a page at a
 * time, so that other questions to history are answered in between, and no more than a page is held.
 */
export async function* pastRows<Name extends OwnedTable>(
  { history }: Pick<OperatorContext, 'history'>,
  name: Name,
  account: AccountId | null,
  { from, to }: Pick<PastSpan, 'from' | 'to'>,
): AsyncGenerator<RowOf<HistoryTables[Name]>> {
  const table: HistoryTable = historyTables[name];
  const where: AnyRow = account === null ? {} : { account };
  // Where the account alone leads to a time, its rows are read from the beginning of the span to its end.
  const isInTime = account !== null && table.owner.length === 1;
  let after: AnyRow | null = isInTime ? before(table, from) : null;
  for (;;) {
    const rows: readonly AnyRow[] = await history.scan(name, where as never, after as never, pageRowsMax);
    for (const row of rows) {
      const at = row[table.time] as number;
      if (isInTime && at > to) return;
      if (at >= from && at <= to) yield row as unknown as RowOf<HistoryTables[Name]>;
    }
    if (rows.length < pageRowsMax) return;
    after = rows.at(-1)!;
  }
}

/** A key behind which rows of a time begin. */
const before = ({ order, time }: HistoryTable, at: number): AnyRow =>
  Object.fromEntries(order.map((field) => [field, field === time ? at - 1 : Number.MAX_SAFE_INTEGER]));
