import { rebateDayMs, rebateDayOf } from '#model/rebate.ts';
import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import {
  type GroupField,
  type RebateFilter,
  type RebateSum,
  rebateSums,
  sumKey,
} from '#public-api/rebates/rebate-sums.ts';
import type { HistoryStore, Window } from '#history/history-store.ts';
import type { RebateRejectionRow } from '#history/tables/rebate-tables.ts';

/** Rebates that are taken out of a sum, with `sign` 1, or put back because they were taken out twice. */
interface Correction {
  readonly sign: 1n | -1n;
  readonly filter: RebateFilter;
  /** Of its day, what accrued up to it. */
  readonly rejection: RebateRejectionRow;
}

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
  const days: Window = { from: rebateDayOf(window.from), to: window.to };
  const [accrued, rejections] = await Promise.all([
    rebateSums(history, filter, window, by),
    history.rows('rebateRejections', { account: filter.account }, days),
  ]);
  const earned = new Map(accrued.map((sum) => [sumKey(by, sum), sum]));
  for (const correction of correctionsOf(rejections, filter)) {
    for (const rejected of await sumsUpTo(history, correction, window, by)) {
      const key = sumKey(by, rejected);
      const known = earned.get(key);
      if (known === undefined) continue;
      const amount = known.amount - correction.sign * rejected.amount;
      earned.set(key, { ...known, amount, value: known.value - correction.sign * rejected.value });
    }
  }
  return [...earned.values()];
}

/**
 * What rejections take out, each rebate once: of a day, all before the last rejection of everybody, and of a source
 * what came between that and the last rejection of its own.
 */
function correctionsOf(rejections: readonly RebateRejectionRow[], filter: RebateFilter): readonly Correction[] {
  const last = new Map<string, RebateRejectionRow>();
  for (const rejection of rejections) last.set(`${rejection.day}/${rejection.source}`, rejection);
  return [...last.values()].flatMap((rejection): readonly Correction[] => {
    const { day, source, seq } = rejection;
    if (source === null) return [{ sign: 1n, filter, rejection }];
    const ofAll = last.get(`${day}/null`);
    const isOther = filter.source !== undefined && filter.source !== source;
    if (isOther || (ofAll !== undefined && ofAll.seq > seq)) return [];
    const ofSource = { ...filter, source };
    const twice: readonly Correction[] = ofAll === undefined ? [] : [{ sign: -1n, filter: ofSource, rejection: ofAll }];
    return [{ sign: 1n, filter: ofSource, rejection }, ...twice];
  });
}

/** Sums of what accrued on the day of a rejection up to it; within its millisecond the journal's position tells. */
async function sumsUpTo<By extends GroupField>(
  history: HistoryStore,
  { filter, rejection: { day, at, seq } }: Correction,
  window: Window,
  by: readonly By[],
): Promise<readonly RebateSum<By>[]> {
  const from = Math.max(day, window.from);
  const to = Math.min(day + rebateDayMs - 1, window.to);
  const within = (start: number, end: number): Window => ({
    from: as<TimestampMs>(Math.max(from, start)),
    to: as<TimestampMs>(Math.min(to, end)),
  });
  const [before, atOnce] = await Promise.all([
    rebateSums(history, filter, within(from, at - 1), by),
    history.rows('rebates', filter, within(at, at)),
  ]);
  const counted = atOnce.filter((row) => row.seq <= seq).map((row): RebateSum<GroupField> => ({ ...row, rows: 1 }));
  return [...before, ...(counted as readonly RebateSum<By>[])];
}
