import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { rebateDayMs } from '#model/rebate.ts';
import type { AccountId, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { RebateRow } from '#history/tables/rebate-tables.ts';
import { WorkerHistoryStore } from '#history/worker-history-store.ts';
import { alone, atMost, type BenchGroup } from './harness.ts';

/** Who earns all of it: reports of others read less. */
const affiliate = as<AccountId>(20);
const invitees = 1000;
const days = 365;
const began = 1_700_006_400_000;
const rowsOfBatch = 5000;
/** Calls of a sample. */
const calls = 20;
const pageRows = 10;

/**
 * What a page of a report reads and what its totals read, where one affiliate has a year of records of a thousand
 * invitees. The sums of a day are kept by invitee, product and asset, so totals read at most one row of each a day.
 */
export const historyReports: BenchGroup = {
  names: ['history/rebate-page', 'history/rebate-totals'],
  async run(size, report) {
    const count = size.quick ? 100_000 : 1_000_000;
    const folder = mkdtempSync(join(tmpdir(), 'history-'));
    const store = new WorkerHistoryStore(join(folder, 'history.db'));
    for (let from = 0; from < count; from += rowsOfBatch) {
      const rows = Array.from({ length: rowsOfBatch }, (_, index) => rebateRow(from + index, count));
      await store.write({ upTo: as<Seq>(from + rowsOfBatch), rows: { rebates: rows } });
    }
    const earned = { account: affiliate, kind: 'earned' } as const;
    const year = { from: as<TimestampMs>(began), to: as<TimestampMs>(began + days * rebateDayMs) };
    const week = { from: as<TimestampMs>(year.to - 7 * rebateDayMs), to: year.to };
    const measure = async (name: string, note: string, must: number, call: () => Promise<readonly unknown[]>) => {
      const samples: number[] = [];
      for (let sample = 0; sample <= size.samples; sample += 1) {
        const start = performance.now();
        for (let index = 0; index < calls; index += 1)
          if ((await call()).length === 0) throw new Error(`${name}: no rows`);
        // The first one warms up.
        if (sample > 0) samples.push((performance.now() - start) / calls);
      }
      report(alone({ name, unit: 'ms', must: atMost(must), aim: atMost(must / 4), note }, samples));
    };
    const records = `${count} records of one affiliate in a year, ${invitees} invitees`;
    await measure('history/rebate-page', `a page of ${pageRows} of the newest week; ${records}`, 20, () =>
      store.page('rebates', earned, week, { limit: pageRows, offset: 0 }),
    );
    await measure('history/rebate-totals', `sums of a year by invitee; ${records}`, 2000, () =>
      store.grouped('rebateDays', earned, year, { by: ['source'], sum: ['value', 'turnoverValue'] }),
    );
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  },
};

function rebateRow(index: number, count: number): RebateRow {
  const source = 100 + ((index * 7919) % invitees);
  return {
    account: affiliate,
    kind: 'earned',
    at: began + Math.floor((index * days * rebateDayMs) / count),
    accrual: index + 1,
    seq: index + 1,
    share: 'referral',
    source,
    code: 'DEMO-START',
    product: 'spot',
    symbol: index % 3,
    trade: index + 1,
    isMaker: index % 2 === 0,
    asset: index % 4,
    ratePpm: 200_000,
    amount: BigInt(index % 997),
    value: BigInt(index % 997),
    turnover: 1_000_000,
    turnoverValue: 1_000_000n,
  } as unknown as RebateRow;
}
