import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isEvery } from '../every-case.ts';
import { runDrill } from './drill.ts';
import { hasEtcd, startEtcdMembers } from './etcd-members.ts';

const faults = isEvery ? ({ killWithMember: 1, freeze: 1, quorumLoss: 1 } as const) : ({ freeze: 1 } as const);

test.skipIf(!hasEtcd)(
  'DEC-CLU-02, DEC-CLU-03, DEC-CLU-05, DEC-CLU-06: kills, freezes and a lost quorum lose and double nothing',
  async () => {
    const etcd = await startEtcdMembers();
    const told: string[] = [];
    try {
      const report = await runDrill({
        ...{ faults, seed: 20_260_101, etcd, firstPort: 28_100, lanes: 4 },
        folder: mkdtempSync(join(tmpdir(), 'bourse-drill-')),
        tell: (line) => void told.push(line),
      });
      expect(report.faults, told.join('\n')).toEqual([]);
      expect(report.results).toHaveLength(Object.keys(faults).length);
      expect(report.acknowledged).toBeGreaterThan(100 * report.results.length);
      expect(report.results.filter(({ lost, double }) => lost + double > 0)).toEqual([]);
    } finally {
      await etcd.stop();
    }
  },
  600_000,
);
