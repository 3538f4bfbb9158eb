import { rebateDayMs } from '#model/rebate.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { RebateDayRow, RebateRejectionRow } from '#history/tables/rebate-tables.ts';

/** What tells sums of a day apart. */
type DaySum = Pick<RebateDayRow, 'day' | 'source' | 'share' | 'product' | 'asset'>;
const groupedBy = ['source', 'share', 'product', 'asset'] as const;
const keyOf = ({ day, source, share, product, asset }: DaySum): string =>
  `${day}/${source}/${share}/${product}/${asset}`;

/** How much of sums of days was rejected: of the sums given, which are few. DEC-SUB-58. */
export async function rejectedAmounts(
  history: HistoryStore,
  account: AccountId,
  sums: readonly DaySum[],
): Promise<(sum: DaySum) => bigint> {
  const days = new Set(sums.map(({ day }) => day));
  const window = { from: as<TimestampMs>(Math.min(...days)), to: as<TimestampMs>(Math.max(...days)) };
  const found = sums.length === 0 ? [] : await history.rows('rebateRejections', { account }, window);
  const rejections = found.filter(({ day }) => days.has(day));
  const rejected = new Map<string, bigint>();
  for (const rejection of rejections) {
    for (const [key, amount] of await sumsUpTo(history, rejection)) {
      // Each rejection takes all that came before it: of several, the last takes the most.
      const known = rejected.get(key) ?? 0n;
      rejected.set(key, amount > known ? amount : known);
    }
  }
  return (sum) => rejected.get(keyOf(sum)) ?? 0n;
}

/** What accrued on the day of a rejection up to it; of its own millisecond the position in the journal tells. */
async function sumsUpTo(history: HistoryStore, { account, day, at, seq, source }: RebateRejectionRow) {
  const where = { account, kind: 'earned', ...(source === null ? {} : { source }) } as const;
  const before = { from: day, to: as<TimestampMs>(Math.min(at, day + rebateDayMs) - 1) };
  const [sums, atOnce] = await Promise.all([
    history.grouped('rebates', where, before, { by: groupedBy, sum: ['amount'] }),
    at < day + rebateDayMs ? history.rows('rebates', where, { from: at, to: at }) : [],
  ]);
  const upTo = new Map<string, bigint>();
  for (const row of [...sums, ...atOnce.filter((each) => each.seq <= seq)]) {
    const key = keyOf({ day, ...row });
    upTo.set(key, (upTo.get(key) ?? 0n) + row.amount);
  }
  return upTo;
}
