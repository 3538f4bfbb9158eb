import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rebateDayMs } from '#model/rebate.ts';
import { type AccountId, type TimestampMs, as } from '#model/units.ts';
import { earnedSums, type RebateFilter, rebatePage, rebateSums } from '#public-api/rebates/rebate-sums.ts';
import type { Window } from '#history/history-store.ts';
import { MemoryHistoryStore } from '#test/ports/memory-history-store.ts';
import type { RebateRejectionRow, RebateRow } from '#history/tables/rebate-tables.ts';

const account = as<AccountId>(7);
const firstDay = 19_000 * rebateDayMs;
const dayCount = 5;

const rowOf = ([at, source, amount, product, isOther]: readonly [number, number, number, number, boolean], n: number) =>
  ({
    account: isOther ? as<AccountId>(8) : account,
    kind: 'earned',
    at: as(at),
    accrual: n + 1,
    seq: as(n + 1),
    share: source % 2 === 0 ? 'referral' : 'third',
    source: as(source),
    code: `code-${source % 3}`,
    product: product === 0 ? 'spot' : 'futures',
    symbol: as(0),
    trade: as(1),
    isMaker: false,
    asset: as(product),
    ratePpm: 200_000,
    amount: as(BigInt(amount)),
    value: as(BigInt(amount) * 3n),
    turnover: as(amount),
    turnoverValue: as(BigInt(amount) * 1000n),
    rejectedAt: null,
  }) satisfies RebateRow;

/** Moments often stand at the very start or end of a day, where whole days begin and end. */
const moment = fc
  .tuple(fc.nat({ max: dayCount }), fc.oneof(fc.constantFrom(-1, 0, 1), fc.nat({ max: rebateDayMs - 1 })))
  .map(([day, offset]) => firstDay + day * rebateDayMs + offset);
const rows = fc
  .array(fc.tuple(moment, fc.integer({ min: 10, max: 15 }), fc.nat({ max: 999 }), fc.nat({ max: 1 }), fc.boolean()), {
    maxLength: 60,
  })
  .map((all) => all.map(rowOf));
const window = fc.tuple(moment, moment).map(([from, to]): Window => ({ from: as(from), to: as(to) }));
const filter: fc.Arbitrary<RebateFilter> = fc.constantFrom(
  { account, kind: 'earned' },
  { account, kind: 'earned', share: 'third' },
  { account, kind: 'earned', code: 'code-1', product: 'spot' },
  { account, kind: 'earned', source: as<AccountId>(12) },
  { account, kind: 'kickback' },
);

async function storeOf(all: readonly RebateRow[]): Promise<MemoryHistoryStore> {
  const history = new MemoryHistoryStore();
  await history.write({ upTo: as(1), rows: { rebates: all } });
  return history;
}
/** The rows that a report over the window is about, newest first, found by looking at each. */
const wantedOf = (all: readonly RebateRow[], of: RebateFilter, { from, to }: Window): readonly RebateRow[] =>
  all
    .filter((row) => row.at >= from && row.at <= to)
    .filter((row) => Object.entries(of).every(([name, value]) => row[name as keyof RebateRow] === value))
    .sort((left, right) => right.at - left.at || right.accrual - left.accrual);

test('DEC-SUB-28: sums of whole days and of rows at both ends are the sums over every row of the window', async () => {
  await fc.assert(
    fc.asyncProperty(rows, filter, window, async (all, of, asked) => {
      const history = await storeOf(all);
      const wanted = wantedOf(all, of, asked);
      const expected = new Map<string, [bigint, bigint, bigint, number]>();
      for (const { source, product, amount, value, turnoverValue } of wanted) {
        const [amounts, values, turnovers, count] = expected.get(`${source} ${product}`) ?? [0n, 0n, 0n, 0];
        expected.set(`${source} ${product}`, [amounts + amount, values + value, turnovers + turnoverValue, count + 1]);
      }
      const sums = await rebateSums(history, of, asked, ['source', 'product']);
      expect(
        new Map(
          sums.map((sum) => [`${sum.source} ${sum.product}`, [sum.amount, sum.value, sum.turnoverValue, sum.rows]]),
        ),
      ).toEqual(expected);
      const [total] = await rebateSums(history, of, asked, []);
      expect(total?.rows ?? 0).toBe(wanted.length);
      expect(total?.amount ?? 0n).toBe(wanted.reduce((sum, { amount }) => sum + amount, 0n));
    }),
    { numRuns: 150 },
  );
});

/** Rejections often come within the same millisecond as rebates, before and after them. */
const rejections = fc.array(
  fc.tuple(fc.nat({ max: dayCount }), fc.option(fc.integer({ min: 10, max: 15 })), fc.nat({ max: 70 })),
  { maxLength: 8 },
);

test('DEC-SUB-61: what was rejected is in no sum, however often and by whatever rejection', async () => {
  await fc.assert(
    fc.asyncProperty(rows, rejections, filter, window, async (all, rejected, of, asked) => {
      const inOrder = all
        .toSorted((left, right) => left.at - right.at)
        .map((row, index) => ({ ...row, accrual: index + 1, seq: as<RebateRow['seq']>(10 * index + 10) }));
      const told = rejected.map(([dayIndex, source, place], index): RebateRejectionRow => {
        const last = inOrder[Math.min(place, inOrder.length - 1)];
        const day = as<TimestampMs>(firstDay + dayIndex * rebateDayMs);
        const seq = as<RebateRow['seq']>((last?.seq ?? 0) + index + 1);
        return { account, day, seq, source: source === null ? null : as(source), at: last?.at ?? day };
      });
      const history = new MemoryHistoryStore();
      await history.write({ upTo: as(1), rows: { rebates: inOrder, rebateRejections: told } });
      const isEarned = (row: RebateRow): boolean =>
        !told.some(
          ({ day, source, seq }) =>
            row.at >= day && row.at < day + rebateDayMs && row.seq < seq && (source ?? row.source) === row.source,
        );
      const sumOf = (list: readonly RebateRow[], name: 'amount' | 'value' | 'turnoverValue'): bigint =>
        list.reduce((sum, row) => sum + row[name], 0n);
      const sums = await earnedSums(history, of, asked, ['source']);
      const wanted = wantedOf(inOrder, of, asked);
      for (const sum of sums) {
        const own = wanted.filter(({ source }) => source === sum.source);
        const earned = own.filter(isEarned);
        expect([sum.amount, sum.value]).toEqual([sumOf(earned, 'amount'), sumOf(earned, 'value')]);
        expect([sum.turnoverValue, sum.rows]).toEqual([sumOf(own, 'turnoverValue'), own.length]);
      }
      expect(sums.length).toBe(new Set(wanted.map(({ source }) => source)).size);
      const [total] = await earnedSums(history, of, asked, []);
      expect(total?.value ?? 0n).toBe(sumOf(wanted.filter(isEarned), 'value'));
    }),
    { numRuns: 200 },
  );
});

test('DEC-SUB-62: every page holds the rows that stand at its place among all, newest first', async () => {
  const pages = fc.record({ page: fc.integer({ min: 1, max: 8 }), limit: fc.integer({ min: 1, max: 12 }) });
  await fc.assert(
    fc.asyncProperty(rows, filter, window, pages, async (all, of, asked, { page, limit }) => {
      const wanted = wantedOf(all, of, asked);
      const found = await rebatePage(await storeOf(all), of, asked, { page, limit });
      expect(found.total).toBe(wanted.length);
      const accruals = (list: readonly RebateRow[]): number[] => list.map(({ accrual }) => accrual);
      expect(accruals(found.rows)).toEqual(accruals(wanted.slice((page - 1) * limit, page * limit)));
    }),
    { numRuns: 150 },
  );
});

test('a window that ends before it begins holds nothing', async () => {
  const history = await storeOf([rowOf([firstDay, 10, 5, 0, false], 0)]);
  const never: Window = { from: as<TimestampMs>(firstDay + 1), to: as<TimestampMs>(firstDay - rebateDayMs) };
  expect(await rebateSums(history, { account, kind: 'earned' }, never, [])).toEqual([]);
  const page = { page: 1, limit: 10 };
  expect(await rebatePage(history, { account, kind: 'earned' }, never, page)).toEqual({ rows: [], total: 0 });
});
