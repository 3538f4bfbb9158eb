import { expect, test } from 'vitest';
import { killMoments, runWalletKillRounds } from './wallet-kill-rounds.ts';

const rounds = Number(process.env['BOURSE_TEST_WALLET_KILLS'] ?? killMoments.length);
const moments = Array.from({ length: rounds }, (_, round) => killMoments[round % killMoments.length]!);

test(
  `DEC-WAL-18, DEC-WAL-23, DEC-WAL-81: ${rounds} kills amid deposits and withdrawals lose, double and hold up nothing`,
  async () => {
    const report = await runWalletKillRounds(moments);
    expect(report.faults).toEqual([]);
    expect(report.withdrawals).toBeGreaterThan(rounds);
    expect(report.deposits).toBeGreaterThan(rounds);
    expect(report.ended['success']).toBeGreaterThan(rounds);
    expect(report.ended['failed']).toBeUndefined();
    expect(report.verify).toContain('All sound.');
  },
  90_000 + rounds * 15_000,
);
