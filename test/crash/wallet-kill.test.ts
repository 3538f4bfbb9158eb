import { expect, test } from 'vitest';
import { killMoments, runWalletKillRounds } from './wallet-kill-rounds.ts';

const asked = process.env['BOURSE_TEST_WALLET_KILLS'];
/** Each kind of moment once; `BOURSE_TEST_WALLET_KILLS` asks for more. */
const moments =
  asked === undefined
    ? [...new Set(killMoments)]
    : Array.from({ length: Number(asked) }, (_, round) => killMoments[round % killMoments.length]!);
const rounds = moments.length;

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
