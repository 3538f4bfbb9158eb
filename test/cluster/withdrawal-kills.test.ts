import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasAnvil } from '../evm/anvil.ts';
import { hasEtcd, startEtcdMembers } from './etcd-members.ts';
import { momentsOf, runWithdrawalKills, strikeMoments } from './withdrawal-kills.ts';

/**
 * Leaders that are killed; those that fall asleep come besides. `BOURSE_TEST_WITHDRAWAL_KILLS` asks for the test, which
 * takes half a minute of two cores for 2. Another seed gives other amounts and moments.
 */
const kills = Number(process.env['BOURSE_TEST_WITHDRAWAL_KILLS'] ?? 0);
const seed = Number(process.env['BOURSE_TEST_WITHDRAWAL_SEED'] ?? 1);
const moments = momentsOf(kills);
const isLong = moments.length > strikeMoments.length;

test.skipIf(!hasEtcd || !hasAnvil || kills === 0)(
  `DEC-CLU-03, DEC-CLU-07, DEC-WAL-18, DEC-WAL-23: ${kills} leaders die, each withdrawal is paid once or given back`,
  async () => {
    const etcd = await startEtcdMembers();
    const told: string[] = [];
    try {
      const report = await runWithdrawalKills({
        ...{ moments, etcd, firstPort: 25_360, customers: 4, seed },
        folder: mkdtempSync(join(tmpdir(), 'bourse-withdrawals-')),
        tell: (line) => {
          told.push(line);
          if (isLong) console.log(line);
        },
      });
      if (isLong) console.log(JSON.stringify(report, null, 2));
      expect(report.faults, told.join('\n')).toEqual([]);
      expect(report.kills).toBe(kills);
      expect(report.paid).toBeGreaterThan(kills);
      expect(report.refused).toBeGreaterThan(0);
      expect(report.deposits).toBeGreaterThan(0);
      expect(report.reconciled).toContain('all is explained');
    } finally {
      await etcd.stop();
    }
  },
  120_000 + kills * 20_000,
);
