import { expect, test } from 'vitest';
import { runKillRounds } from './kill-rounds.ts';

const kills = Number(process.env['BOURSE_TEST_KILLS'] ?? 3);

test(
  `DEC-ORD-23, I22 I23 I24: ${kills} kills under load lose nothing acknowledged and double nothing`,
  async () => {
    const report = await runKillRounds(kills, 20_260_101);
    expect(report.faults).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(kills);
    expect(report.verify).toContain('All sound.');
  },
  60_000 + kills * 10_000,
);
