import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDrill } from './drill.ts';
import { drillTable } from './drill-table.ts';
import { hasEtcd, startEtcdMembers } from './etcd-members.ts';

// `npm run drill`: see `tools/drill.mjs`, which makes one file of this and runs it.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    freezes: { type: 'string', default: '5' },
    'quorum-losses': { type: 'string', default: '3' },
    restarts: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    connections: { type: 'string', default: '40' },
    port: { type: 'string', default: '28000' },
  },
});
const kills = Number(values.kills);
const killWithMember = Math.floor(kills / 2);
/** The exchange may take no order for so long, but for a start of all nodes. */
const gapMaxMs = 5000;
const seed = Number(values.seed);

async function main(): Promise<number> {
  if (!hasEtcd) {
    console.error('The drill needs etcd: name one with ETCD_BIN, or install the package etcd-server.');
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'bourse-drill-'));
  console.log(`seed ${seed}; all is kept in ${folder} if something is wrong`);
  const began = performance.now();
  const etcd = await startEtcdMembers();
  try {
    const report = await runDrill({
      faults: {
        ...{ kill: kills - killWithMember, killWithMember, freeze: Number(values.freezes) },
        ...{ quorumLoss: Number(values['quorum-losses']), restartAll: Number(values.restarts) },
      },
      ...{ seed, etcd, folder, firstPort: Number(values.port), lanes: Number(values.connections) },
      tell: (line) => console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`),
    });
    console.log(`\n${drillTable(report.results)}`);
    const { acknowledged, repeated, faults } = report;
    console.log(`${acknowledged} orders acknowledged in all, ${repeated} of them after an unknown outcome.`);
    for (const fault of faults) console.log(`FAULT: ${fault}`);
    if (faults.length === 0) console.log('Nothing lost, nothing double, the three journals are equal. All sound.');
    const long = report.results.filter(({ kind, gapMs }) => kind !== 'restartAll' && gapMs > gapMaxMs);
    if (long.length > 0) console.log(`TOO LONG: ${long.length} times no order was taken for more than 5 s.`);
    return faults.length + long.length === 0 ? 0 : 1;
  } finally {
    await etcd.stop();
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.exit(await main());
