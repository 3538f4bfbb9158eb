import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { readScrape } from '../scraped-metrics.ts';
import { ClusterClient, type Attempt, type SignedCall } from './cluster-client.ts';
import { ClusterProcesses } from './cluster-processes.ts';
import { hasEtcd, startEtcdMembers } from './etcd-members.ts';
import { pair, type Trader } from './exchange-set-up.ts';

/** Writes in all, with kills of the leader between them. `BOURSE_TEST_CLUSTER_READS` runs more. */
const writes = Number(process.env['BOURSE_TEST_CLUSTER_READS'] ?? 30);
const kills = Math.max(1, Math.round(writes / 1000));
const giveUpMs = 60_000;

type Answered = Extract<Attempt, { readonly kind: 'answered' }>;

/** Asks one node until it answers for sure. */
async function answerOf(client: ClusterClient, node: number, call: SignedCall): Promise<Answered> {
  const end = performance.now() + giveUpMs;
  for (;;) {
    const attempt = await client.attempt(node, call);
    if (attempt.kind === 'answered') return attempt;
    if (performance.now() > end) throw new Error(`node ${node}: no answer to ${call.path}: ${JSON.stringify(attempt)}`);
    await setTimeout(attempt.kind === 'mustWait' ? attempt.ms : 50);
  }
}

const prng = createPrng(1);
const byteOfAddress = (): number => prng.below(250);

const callOf = (key: Trader, method: string, path: string, parameters: SignedCall['parameters'] = {}): SignedCall => ({
  ...{ key, method, path, parameters },
  // Each call has an address of its own, so that no budget is in the way.
  address: `10.${byteOfAddress()}.${byteOfAddress()}.${byteOfAddress()}`,
});

/** What each node tells of a cluster whose nodes are all there. */
async function expectMetrics(cluster: ClusterProcesses): Promise<void> {
  const leader = await cluster.leading();
  const scrapes = await Promise.all(
    cluster.nodes.map(async ({ operatorUrl }) => readScrape(await (await fetch(`${operatorUrl}/metrics`)).text())),
  );
  const values = (name: string, labels = {}) => scrapes.map((scrape) => scrape.value(`bourse_cluster_${name}`, labels));
  expect(values('leader')).toEqual(cluster.nodes.map((_, index) => (index === leader ? 1 : 0)));
  expect(values('led')).toEqual([1, 1, 1]);
  expect(new Set(values('epoch')).size).toBe(1);
  expect(values('nodes', { role: 'candidate' })).toEqual([3, 3, 3]);
  expect(values('log_full')).toEqual([0, 0, 0]);
  expect(values('leader_connected')).toEqual([1, 1, 1]);
  expect(scrapes[leader]!.value('bourse_cluster_link_connections')).toBe(2);
  expect(scrapes[leader]!.value('bourse_cluster_append_seconds_count')).toBeGreaterThan(0);
  expect(scrapes[leader]!.value('bourse_cluster_take_over_seconds')).toBeGreaterThan(0);
}

test.skipIf(!hasEtcd)(
  'DEC-CLU-04, DEC-CLU-07, DEC-CLU-09, DEC-CLU-18: what one node acknowledged the others show, across kills of leaders',
  async () => {
    const etcd = await startEtcdMembers();
    const cluster = new ClusterProcesses({
      ...{ exchange: 'serves', firstPort: 26_160, endpoints: etcd.endpoints },
      folder: mkdtempSync(join(tmpdir(), 'bourse-serves-')),
      ...{ masterKey: 'ef'.repeat(32), operatorToken: '12'.repeat(32) },
    });
    const client = new ClusterClient(cluster.nodes.map(({ url }) => url));
    const count = cluster.nodes.length;
    try {
      const [trader] = await cluster.found(['trader']);
      const again = ['cluster', 'init', cluster.dataOf(0), '--cluster', cluster.fileOf(0), '--profile', 'production'];
      await expect(cluster.bourse(again)).rejects.toThrow('keeps a cluster named serves already');
      cluster.start();
      await cluster.leading();
      await cluster.untilTogether();

      const stale: string[] = [];
      for (let index = 0; index < writes; index += 1) {
        if (index > 0 && index % Math.ceil(writes / (kills + 1)) === 0) cluster.nodes[await cluster.leading()]!.kill();
        const [writer, reader] = [index % count, (index + 1 + (index % (count - 1))) % count];
        const newClientOrderId = `serves-${index}`;
        const order = { symbol: pair.symbol, side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '1000' };
        const written = callOf(trader!, 'POST', '/api/v3/order', { ...order, newClientOrderId });
        const { status, body } = await answerOf(client, writer, written);
        expect({ index, status, body }).toMatchObject({ status: 200 });
        const shown = callOf(trader!, 'GET', '/api/v3/order', {
          ...{ symbol: pair.symbol, origClientOrderId: newClientOrderId },
        });
        const read = await answerOf(client, reader, shown);
        const isShown = (read.body as { orderId?: string }).orderId === (body as { orderId: string }).orderId;
        if (!isShown) stale.push(`${index}: ${writer} to ${reader}: ${JSON.stringify(read.body)}`);
        const cancel = callOf(trader!, 'DELETE', '/api/v3/order', {
          ...{ symbol: pair.symbol, origClientOrderId: newClientOrderId },
        });
        await answerOf(client, reader, cancel);
        const open = callOf(trader!, 'GET', '/api/v3/openOrders', { symbol: pair.symbol });
        const { body: orders } = await answerOf(client, writer, open);
        if ((orders as unknown[]).length > 0) stale.push(`${index}: open at ${writer}: ${JSON.stringify(orders)}`);
      }
      expect(stale).toEqual([]);
      expect(cluster.nodes.flatMap(({ ends }) => ends)).toHaveLength(kills);
      await cluster.untilTogether();
      await expectMetrics(cluster);
      const status = await cluster.bourse(['cluster', 'status', '--cluster', cluster.fileOf(0)]);
      expect(status.match(/^node-\d {2,}(?:leads|stands by)/gm)).toHaveLength(count);
    } finally {
      client.close();
      await cluster.close();
      await etcd.stop();
    }
  },
  writes * 200 + 240_000,
);
