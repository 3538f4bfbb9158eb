import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasAnvil } from '../evm/anvil.ts';
import { hasEtcd, startEtcdMembers } from './etcd-members.ts';
import { runWithdrawalKills, strikeMoments } from './withdrawal-kills.ts';

/** Leaders that are killed or fall asleep; a seed of its own for other amounts and moments. */
const rounds = Number(process.env['BOURSE_TEST_WITHDRAWAL_KILLS'] ?? 2);
const seed = Number(process.env['BOURSE_TEST_WITHDRAWAL_SEED'] ?? 1);
const moments = Array.from({ length: rounds }, (_, round) => strikeMoments[round % strikeMoments.length]!);

test.skipIf(!hasEtcd || !hasAnvil)(
  `DEC-CLU-03, DEC-CLU-07, DEC-WAL-18, DEC-WAL-23: ${rounds} leaders die, each withdrawal is paid once or given back`,
  async () => {
    const etcd = await startEtcdMembers();
    const told: string[] = [];
    try {
      const report = await runWithdrawalKills({
        ...{ moments, etcd, firstPort: 28_300, customers: 4, seed },
        folder: mkdtempSync(join(tmpdir(), 'bourse-withdrawals-')),
        tell: (line) => {
          told.push(line);
          if (rounds > strikeMoments.length) console.log(line);
        },
      });
      if (rounds > strikeMoments.length) console.log(JSON.stringify(report, null, 2));
      expect(report.faults, told.join('\n')).toEqual([]);
      expect(report.ends.length).toBeGreaterThanOrEqual(rounds);
      expect(report.paid).toBeGreaterThan(rounds);
      expect(report.refused).toBeGreaterThan(0);
      expect(report.deposits).toBeGreaterThan(0);
      expect(report.reconciled).toContain('all is explained');
    } finally {
      await etcd.stop();
    }
  },
  120_000 + rounds * 15_000,
);
