import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { appendOrders } from './append-orders.ts';
import { ClusterClient } from './cluster-client.ts';
import { ClusterLoad } from './cluster-load.ts';
import { ClusterProcesses } from './cluster-processes.ts';
import { hasEtcd, startEtcdMembers } from './etcd-members.ts';
import { differences, faultsOfOrders, readJournal } from './journal-audit.ts';

/** Orders in the journal before the node joins; a minute for 30,000. `BOURSE_TEST_JOIN_ORDERS` asks for the test. */
const asked = process.env['BOURSE_TEST_JOIN_ORDERS'];
const orders = Number(asked ?? 0);
const backMs = 60_000 + orders / 2;
const lanes = 4;

test.skipIf(!hasEtcd || asked === undefined)(
  'DEC-CLU-13, DEC-CLU-14: under load, a node without a disk joins by segments, is killed meanwhile, and joins again',
  async () => {
    const etcd = await startEtcdMembers();
    const folder = mkdtempSync(join(tmpdir(), 'bourse-joins-'));
    const cluster = new ClusterProcesses({
      ...{ exchange: 'joins', folder, firstPort: 27_300, endpoints: etcd.endpoints },
      ...{ masterKey: 'ab'.repeat(32), operatorToken: 'cd'.repeat(32) },
    });
    const client = new ClusterClient(cluster.nodes.map(({ url }) => url));
    try {
      const traders = await cluster.found(Array.from({ length: lanes }, (_, lane) => `trader ${lane}`));
      await appendOrders(cluster.log, { data: cluster.dataOf(0), traders, count: orders });
      cluster.start();
      await cluster.leading(backMs);
      await cluster.untilTogether(backMs);
      const load = new ClusterLoad(client, traders, 1);
      expect(await load.untilAcknowledged(backMs)).toBe(true);
      const joiner = ((await cluster.leading()) + 1) % cluster.nodes.length;
      const node = cluster.nodes[joiner]!;
      const lines = (text: string): number => readFileSync(node.log, 'utf8').split(text).length - 1;
      const untilTold = async (text: string): Promise<void> => {
        const end = performance.now() + backMs;
        while (lines(text) === 0) {
          if (performance.now() > end) throw new Error(`${node.name} never said: ${text}; see ${node.log}`);
          await setTimeout(5);
        }
      };
      /** The log keeps nothing of what it has now. */
      const trim = async (): Promise<void> => {
        const { last } = (await cluster.log.head())!.head;
        const end = performance.now() + backMs;
        while ((await cluster.log.applied()) <= last && performance.now() < end) await load.untilAcknowledged(1000);
        await cluster.log.trim(await cluster.log.applied());
      };

      // Its disk is lost. It is killed while it joins, and started again.
      await node.stop();
      rmSync(cluster.dataOf(joiner), { recursive: true });
      await trim();
      const began = performance.now();
      node.start();
      await untilTold('Fetching segment');
      node.kill();
      await cluster.untilTogether(backMs);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`an empty node joined after ${orders} orders within ${seconds} s, killed once, under load`);
      expect(lines('was fetched from node')).toBeGreaterThan(0);

      // It was away for longer than the log keeps; a command fetches what it lacks.
      await node.stop();
      await trim();
      const told = await cluster.bourse([
        ...['cluster', 'join', cluster.dataOf(joiner), '--cluster', cluster.fileOf(joiner), '--profile', 'production'],
      ]);
      expect(told).toMatch(/Fetching segment 1 of [12] from node.*has everything of the cluster joins up to entry/s);
      node.start();
      await cluster.untilTogether(backMs);

      await load.stop(backMs);
      expect(load.faults).toEqual([]);
      await cluster.untilTogether(backMs);
      expect(await cluster.stop()).toEqual([0, 0, 0]);
      const journals = [];
      for (const index of cluster.nodes.keys()) journals.push(await readJournal(cluster.dataOf(index)));
      expect(differences(journals)).toEqual([]);
      expect(journals[joiner]!.segments.size).toBeGreaterThan(1);
      expect(faultsOfOrders(load, journals[joiner]!)).toMatchObject({ lost: [], double: [] });
      const { code, text } = await cluster.verify(joiner);
      expect({ code, text }).toMatchObject({ code: 0 });
      rmSync(folder, { recursive: true, force: true });
    } finally {
      client.close();
      await cluster.close();
      await etcd.stop();
    }
  },
  300_000 + orders * 2,
);
