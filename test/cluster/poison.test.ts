import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layoutOf } from '#main/storage/data-directory.ts';
import { plantBreak, type PlantedBuild } from '../crash/plant-break.ts';
import { ClusterClient } from './cluster-client.ts';
import { ClusterLoad } from './cluster-load.ts';
import { ClusterProcesses } from './cluster-processes.ts';
import { type EtcdMembers, hasEtcd, startEtcdMembers } from './etcd-members.ts';
import { pair, type Trader } from './exchange-set-up.ts';
import { differences, faultsOfOrders, readJournal } from './journal-audit.ts';

/** How often a leader is broken; `BOURSE_TEST_POISONS` asks for more. */
const poisons = Number(process.env['BOURSE_TEST_POISONS'] ?? 1);
const lanes = 4;
/** An account is closed after three of them. */
const poisonsPerAccount = 2;
/** 1337 lots, on which engines of the planted build break. */
const brokenQuantity = '0.1337';
const backMs = 30_000;

let build: PlantedBuild;
let etcd: EtcdMembers;
beforeAll(async () => {
  if (!hasEtcd) return;
  build = plantBreak();
  etcd = await startEtcdMembers();
}, 60_000);
afterAll(async () => {
  if (!hasEtcd) return;
  rmSync(build.folder, { recursive: true, force: true });
  await etcd.stop();
});

test.skipIf(!hasEtcd)(
  'DEC-CLU-11, DEC-CLU-12: a command that breaks the engine ends the leader alone, is voided, and trading goes on',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-poison-'));
    const cluster = new ClusterProcesses({
      ...{ exchange: 'poison', folder, firstPort: 28_200, endpoints: etcd.endpoints, bourse: build.bourse },
      ...{ masterKey: 'ab'.repeat(32), operatorToken: 'cd'.repeat(32) },
    });
    const client = new ClusterClient(cluster.nodes.map(({ url }) => url));
    try {
      const names = Array.from({ length: lanes + Math.ceil(poisons / poisonsPerAccount) }, (_, index) => `t${index}`);
      const traders = await cluster.found(names);
      cluster.start();
      await cluster.leading();
      await cluster.untilTogether();
      const load = new ClusterLoad(client, traders.slice(0, lanes), 7);
      expect(await load.untilAcknowledged(backMs)).toBe(true);
      const gaps: number[] = [];
      for (let index = 0; index < poisons; index += 1) {
        await setTimeout(500);
        const poisoner = traders[lanes + Math.floor(index / poisonsPerAccount)]!;
        gaps.push(await breakLeader({ cluster, client, load }, poisoner, index));
      }
      await load.stop(backMs);
      await cluster.untilTogether();
      await cluster.stop();
      console.log(`${poisons} leaders broken, gaps in ms: ${gaps.map((gap) => gap.toFixed(0)).join(' ')}`);
      expect(Math.max(...gaps)).toBeLessThan(backMs);

      const journals = await Promise.all(cluster.nodes.map((_, index) => readJournal(cluster.dataOf(index))));
      expect(differences(journals)).toEqual([]);
      expect(journals.map(({ quarantined }) => quarantined)).toEqual(cluster.nodes.map(() => poisons));
      expect(faultsOfOrders(load, journals[0]!).texts).toEqual([]);
      const tails = cluster.nodes.map((_, index) => firstQuarantined(cluster.dataOf(index)));
      for (let index = 0; index < poisons; index += 1) {
        // Once at each node that had it: one that was behind never wrote it, and has nothing to take out.
        const counts = tails.map((each) => each.filter((id) => id === `poison-${index}`).length);
        expect(Math.max(...counts)).toBe(1);
        expect(counts.filter((count) => count === 1).length).toBeGreaterThanOrEqual(2);
      }
      expect(tails.flat().every((id) => id.startsWith('poison-'))).toBe(true);
      rmSync(folder, { recursive: true, force: true });
    } finally {
      client.close();
      await cluster.close();
    }
  },
  120_000 + poisons * 20_000,
);

interface UnderLoad {
  readonly cluster: ClusterProcesses;
  readonly client: ClusterClient;
  readonly load: ClusterLoad;
}

/** Breaks the leader while others trade. Answers the longest time without an acknowledged order around it. */
async function breakLeader({ cluster, client, load }: UnderLoad, poisoner: Trader, index: number): Promise<number> {
  const { nodes } = cluster;
  const leader = await cluster.leading();
  const pids = nodes.map(({ pid }) => pid);
  const { length: ends } = nodes[leader]!.ends;
  load.phase += 1;
  load.measureGap();
  const parameters = { symbol: pair.symbol, side: 'BUY', type: 'LIMIT', quantity: brokenQuantity, price: '100' };
  const attempt = await client.attempt(index % nodes.length, {
    ...{ key: poisoner, address: '10.9.9.9', method: 'POST', path: '/api/v3/order' },
    parameters: { ...parameters, newClientOrderId: `poison-${index}` },
  });
  expect(attempt).toEqual({ kind: 'unknown' });
  while (nodes[leader]!.ends.length === ends) await setTimeout(10);
  expect(await load.untilAcknowledged(backMs)).toBe(true);
  await setTimeout(700);
  const gap = load.gapMs;
  await cluster.untilTogether();
  for (const [node, pid] of pids.entries()) if (node !== leader) expect(nodes[node]!.pid).toBe(pid);
  expect(nodes[leader]!.ends.slice(ends)).toEqual([1]);
  return gap;
}

/** Client order id of the first entry of each tail that a node took out, in order. */
function firstQuarantined(data: string): readonly string[] {
  const { quarantine } = layoutOf(data);
  if (!existsSync(quarantine)) return [];
  return readdirSync(quarantine)
    .toSorted()
    .map((folder) => {
      const [first] = readFileSync(join(quarantine, folder, 'entries.jsonl'), 'utf8').split('\n');
      return (JSON.parse(first!) as { readonly clientOrderIds: readonly string[] }).clientOrderIds[0]!;
    });
}
