import { rebateDayMs, rebateDayOf } from '#model/rebate.ts';
import { type AccountId, type TimestampMs, as } from '#model/units.ts';
import type { HistoryStore, Window } from '#history/history-store.ts';
import type { RebateDayRow, RebateKind, RebateRow } from '#history/tables/rebate-tables.ts';

/*
 * Sums of rebates over any window, however many there are: whole days come from the sums that history keeps by day, the
 * parts of days at the two ends of the window from the rows themselves. DEC-SUB-28.
 */

/** Which rebates of an account: fields that rows and sums by day both have. */
export interface RebateFilter extends Partial<Pick<RebateDayRow, 'source' | 'share' | 'product' | 'code'>> {
  readonly account: AccountId;
  readonly kind: RebateKind;
}
/** Fields that sums can be told apart by. */
export type GroupField = 'source' | 'share' | 'product' | 'code';

/** What rebates have in common, how many they are, and their sums. */
export type RebateSum<By extends GroupField> = Pick<RebateDayRow, By> & {
  readonly amount: bigint;
  readonly value: bigint;
  readonly turnoverValue: bigint;
  /** What of amount and value was rejected. */
  readonly rejectedAmount: bigint;
  readonly rejectedValue: bigint;
  readonly rows: number;
};

/** A window as whole days, `null` if it has none, and the parts of days at its ends, the older first. */
function partsOf({ from, to }: Window): { readonly days: Window | null; readonly edges: readonly Window[] } {
  const firstDay = from === rebateDayOf(from) ? from : rebateDayOf(from) + rebateDayMs;
  const daysEnd = rebateDayOf(as<TimestampMs>(to + 1));
  if (firstDay >= daysEnd) return { days: null, edges: from > to ? [] : [{ from, to }] };
  const before: Window = { from, to: as<TimestampMs>(firstDay - 1) };
  const after: Window = { from: daysEnd, to };
  return {
    days: { from: as<TimestampMs>(firstDay), to: as<TimestampMs>(daysEnd - 1) },
    edges: [before, after].filter((edge) => edge.from <= edge.to),
  };
}

/** What tells a sum from others by the same fields. */
const sumKey = <By extends GroupField>(by: readonly By[], sum: RebateSum<By>): string =>
  by.map((field) => sum[field]).join('/');

const sums = ['amount', 'value', 'turnoverValue'] as const;

/** Sums over the rebates of a window, by the values of some fields; in no order. Without fields: one sum, or none. */
export async function rebateSums<By extends GroupField>(
  history: HistoryStore,
  filter: RebateFilter,
  window: Window,
  by: readonly By[],
): Promise<readonly RebateSum<By>[]> {
  const { days, edges } = partsOf(window);
  const [ofDays, ...ofEdges] = await Promise.all([
    days === null
      ? []
      : history.grouped('rebateDays', filter, days, { by, sum: [...sums, 'rejectedAmount', 'rejectedValue', 'count'] }),
    ...edges.map((edge) => history.grouped('rebates', filter, edge, { by: [...by, 'rejectedAt'], sum: sums })),
  ]);
  const merged = new Map<string, RebateSum<By>>();
  const add = (sum: RebateSum<By>): void => {
    const key = sumKey(by, sum);
    const known = merged.get(key);
    merged.set(key, known === undefined ? sum : added(known, sum));
  };
  for (const { count, ...sum } of ofDays) add({ ...sum, rows: Number(count) } as unknown as RebateSum<By>);
  for (const { rejectedAt, ...sum } of ofEdges.flat()) {
    const rejected = rejectedAt === null ? [0n, 0n] : [sum.amount, sum.value];
    add({ ...sum, rejectedAmount: rejected[0], rejectedValue: rejected[1] } as unknown as RebateSum<By>);
  }
  return [...merged.values()];
}

const added = <By extends GroupField>(one: RebateSum<By>, other: RebateSum<By>): RebateSum<By> => ({
  ...one,
  amount: one.amount + other.amount,
  value: one.value + other.value,
  turnoverValue: one.turnoverValue + other.turnoverValue,
  rejectedAmount: one.rejectedAmount + other.rejectedAmount,
  rejectedValue: one.rejectedValue + other.rejectedValue,
  rows: one.rows + other.rows,
});

/**
 * As `rebateSums`, without the amounts and values of rebates that were rejected; as rows, and with their turnover, they
 * still count. DEC-SUB-61.
 */
export async function earnedSums<By extends GroupField>(
  history: HistoryStore,
  filter: RebateFilter,
  window: Window,
  by: readonly By[],
): Promise<readonly RebateSum<By>[]> {
  const all = await rebateSums(history, filter, window, by);
  return all.map((sum) => ({
    ...sum,
    amount: sum.amount - sum.rejectedAmount,
    value: sum.value - sum.rejectedValue,
  }));
}

/** Which page of a list, and how long pages are. */
export interface AskedPage {
  readonly page: number;
  readonly limit: number;
}

/**
 * A page of the rebates of a window, newest first, and how many there are in all. Rows that come before the page are
 * passed over by day, so that the last of a million costs little more than the first.
 */
export async function rebatePage(
  history: HistoryStore,
  filter: RebateFilter,
  window: Window,
  { page, limit }: AskedPage,
): Promise<{ readonly rows: readonly RebateRow[]; readonly total: number }> {
  const { days, edges } = partsOf(window);
  const [ofDays, ...ofEdges] = await Promise.all([
    days === null ? [] : history.grouped('rebateDays', filter, days, { by: ['day'], sum: ['count'] }),
    ...edges.map(async (edge) => {
      const [sum] = await history.grouped('rebates', filter, edge, { by: [], sum: [] });
      return { to: edge.to, count: sum?.rows ?? 0 };
    }),
  ]);
  const stretches = [
    ...ofDays.map(({ day, count }) => ({ to: day + rebateDayMs - 1, count: Number(count) })),
    ...ofEdges,
  ].sort((left, right) => right.to - left.to);
  const total = stretches.reduce((sum, { count }) => sum + count, 0);
  let offset = (page - 1) * limit;
  if (offset >= total) return { rows: [], total };
  const start = stretches.find(({ count }) => {
    if (offset < count) return true;
    offset -= count;
    return false;
  });
  const from = { from: window.from, to: as<TimestampMs>(start?.to ?? window.to) };
  return { rows: await history.page('rebates', filter, from, { limit, offset }), total };
}
