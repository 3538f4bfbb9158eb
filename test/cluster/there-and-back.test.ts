import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ClusterClient } from './cluster-client.ts';
import { ClusterLoad } from './cluster-load.ts';
import { ClusterProcesses } from './cluster-processes.ts';
import { type EtcdMembers, hasEtcd, startEtcdMembers } from './etcd-members.ts';
import { setUpExchange, type Trader } from './exchange-set-up.ts';
import { differences, faultsOfOrders, type JournalContent, readJournal } from './journal-audit.ts';

const withinMs = 60_000;
const ports = { nodes: 25_460, etcd: 25_480 } as const;
const operatorToken = '12'.repeat(32);
const nodes = [0, 1, 2] as const;

/** An exchange that becomes a cluster, loses all stores of its quorum, and goes back to one machine. */
class Journey {
  readonly folder = mkdtempSync(join(tmpdir(), 'bourse-there-and-back-'));
  readonly etcdFolder = join(this.folder, 'etcd');
  readonly cluster: ClusterProcesses;
  readonly client: ClusterClient;
  readonly loads: ClusterLoad[] = [];
  private readonly endpoints = [3, 4, 5].map((offset) => `http://127.0.0.1:${ports.etcd + offset}`);
  private etcd: EtcdMembers | null = null;
  private traders: readonly Trader[] = [];

  constructor() {
    mkdirSync(this.etcdFolder);
    this.cluster = new ClusterProcesses({
      ...{ exchange: 'back', firstPort: ports.nodes, endpoints: this.endpoints, folder: join(this.folder, 'nodes') },
      ...{ masterKey: 'ef'.repeat(32), operatorToken },
    });
    this.client = new ClusterClient(this.cluster.nodes.map(({ url }) => url));
  }

  async startEtcd(): Promise<void> {
    this.etcd = await startEtcdMembers({ kept: { folder: this.etcdFolder, firstPort: ports.etcd } });
    expect(this.etcd.endpoints).toEqual(this.endpoints);
  }

  async loseEtcd(): Promise<void> {
    await this.etcd?.stop();
    rmSync(this.etcdFolder, { recursive: true });
    mkdirSync(this.etcdFolder);
  }

  async found(): Promise<void> {
    await this.cluster.foundBy(async (url) => {
      this.traders = await setUpExchange(url, operatorToken, ['a', 'b', 'c', 'd']);
      await (await this.trade()).stop(withinMs);
    });
  }

  /** Begins to trade, with some orders acknowledged. */
  async trade(): Promise<ClusterLoad> {
    const load = new ClusterLoad(this.client, this.traders, this.loads.length, `${this.loads.length}-`);
    this.loads.push(load);
    for (let count = 0; count < 50; count += 1) expect(await load.untilAcknowledged(withinMs)).toBe(true);
    return load;
  }

  readAll(): Promise<JournalContent[]> {
    return Promise.all(nodes.map((node) => readJournal(this.cluster.dataOf(node))));
  }

  /** The journal of a node has everything that was ever acknowledged, and is sound. */
  async audit(node: number): Promise<JournalContent> {
    const journal = await readJournal(this.cluster.dataOf(node));
    for (const load of this.loads) {
      expect(faultsOfOrders(load, journal)).toEqual({ lost: [], double: [], texts: [] });
      expect(load.faults).toEqual([]);
    }
    const { code, text } = await this.cluster.verify(node);
    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining('All sound.') });
    return journal;
  }

  async end(): Promise<void> {
    this.client.close();
    await this.cluster.close();
    await this.etcd?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Kills all nodes while they trade, deletes what etcd keeps, and begins anew from the journals. */
async function loseAndReconcile(journey: Journey): Promise<void> {
  const { cluster } = journey;
  cluster.start();
  const load = await journey.trade();
  for (const node of cluster.nodes) node.end();
  await journey.loseEtcd();
  await journey.startEtcd();
  const shown: string[] = [];
  for (const node of nodes) shown.push(await cluster.command(node, 'reconcile'));
  const words = shown.map((text) => /--journal (\S+)/.exec(text)![1]!);
  const [epochs, lasts] = [1, 2].map((part) => words.map((word) => Number(word.split(':')[part])));
  const furthest = nodes.toSorted((one, other) => epochs![other]! - epochs![one]! || lasts![other]! - lasts![one]!)[0]!;
  const others = nodes.filter((node) => node !== furthest);
  const given = others.flatMap((node) => ['--journal', words[node]!]);
  await expect(cluster.command(furthest, 'reconcile', '--begin')).rejects.toThrow('may have acknowledged');
  expect(await cluster.command(furthest, 'reconcile', '--begin', ...given)).toContain('begins anew after entry');
  cluster.start();
  await load.untilAcknowledged(withinMs);
  await load.stop(withinMs);
  await cluster.untilTogether();
  await cluster.stop();
}

test.skipIf(!hasEtcd || process.env['BOURSE_TEST_THERE_AND_BACK'] !== '1')(
  'DEC-CLU-04, DEC-CLU-15, DEC-CLU-16, DEC-CLU-17: from one machine to three, and back, nothing is lost on the way',
  async () => {
    const journey = new Journey();
    const { cluster } = journey;
    try {
      await journey.startEtcd();
      await journey.found();
      const founded = await journey.audit(0);

      cluster.start();
      const load = await journey.trade();
      expect(await cluster.command(0, 'step-down')).toMatch(/^node-\d led the cluster back until now; node-\d leads/);
      cluster.nodes[await cluster.leading()]!.kill();
      await load.untilAcknowledged(withinMs);
      await load.stop(withinMs);
      await cluster.untilTogether();
      expect(await cluster.stop()).toEqual([0, 0, 0]);
      expect(differences(await journey.readAll())).toEqual([]);
      expect((await journey.audit(0)).segments.get(1)).not.toBe(founded.segments.get(1));

      await loseAndReconcile(journey);
      expect(differences(await journey.readAll())).toEqual([]);
      const clustered = await journey.audit(1);

      expect(await cluster.refusedStart(1)).toEqual({ code: 2, text: expect.stringContaining('of the cluster back') });
      expect(await cluster.command(1, 'leave', '--last')).toContain('is that of a lone exchange');
      expect(await journey.audit(1)).toEqual(clustered);
      const stays = await cluster.refusedStart(0, '--cluster', cluster.fileOf(0));
      expect(stays).toEqual({ code: 2, text: expect.stringContaining('the exchange goes on at node-2 alone') });
      const alone = cluster.alone(1);
      alone.start();
      await (await journey.trade()).stop(withinMs);
      expect(await alone.stop()).toBe(0);
      await journey.audit(1);
    } finally {
      await journey.end();
    }
  },
  600_000,
);
