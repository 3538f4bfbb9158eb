import { expect, test } from 'vitest';
import { runContractKills } from './contract-kill-rounds.ts';

/** A process has to start for each. */
const kills = Number(process.env['BOURSE_TEST_CONTRACT_KILLS'] ?? 2);

test(
  `I22 I23 I24: ${kills} kills amid contract trading lose no fill that was acknowledged and double none`,
  async () => {
    const report = await runContractKills(kills, 20_261_123);
    expect(report.faults).toEqual([]);
    expect(report.traded).toBeGreaterThan(kills);
    expect(report.verify).toContain('All sound.');
  },
  60_000 + kills * 20_000,
);
