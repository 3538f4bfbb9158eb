import { expect, test } from 'vitest';
import { playHistory } from './deposit-histories.ts';

/** 60 by default; more by `BOURSE_TEST_DEPOSIT_HISTORIES`, from the seed `BOURSE_TEST_DEPOSIT_SEED` on. */
const histories = Number(process.env['BOURSE_TEST_DEPOSIT_HISTORIES'] ?? 60);
const firstSeed = Number(process.env['BOURSE_TEST_DEPOSIT_SEED'] ?? 1);
const steps = 50;

test('DEC-WAL-101, DEC-WAL-102, DEC-WAL-105, DEC-WAL-107: over random histories nobody withdraws what the chain no longer has', {
  timeout: 60_000 + histories * 3_000,
}, async () => {
  const sums = { credited: 0, small: 0, byHand: 0, lost: 0, signed: 0, died: 0, silent: 0 };
  for (let seed = firstSeed; seed < firstSeed + histories; seed += 1) {
    const { faults, counts } = await playHistory(seed, steps);
    expect([seed, ...faults]).toEqual([seed]);
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += counts[key];
  }
  // Histories reach all that they are about.
  for (const [what, count] of Object.entries(sums)) expect([what, count > 0]).toEqual([what, true]);
});
