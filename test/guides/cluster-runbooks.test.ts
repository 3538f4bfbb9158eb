import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { etcdBinary, etcdctl } from '../cluster/etcd-members.ts';
import { Machines, type MachineName } from './machines.ts';
import { stepsOf } from './page-shell.ts';

/**
 * Every command of docs/operations/cluster-runbooks.md, on machines that are folders of this one. It begins a cluster;
 * `BOURSE_TEST_RUNBOOKS=1` lives through all the rest,
 * a heading instead of 1 through what it names.
 */

const page = 'docs/operations/cluster-runbooks.md';
const asked = process.env['BOURSE_TEST_RUNBOOKS'];
/** Every address that begins with 127 is there on Linux alone. */
const hasTools = process.platform === 'linux' && spawnSync('bash', ['-c', 'command -v curl openssl sed']).status === 0;
const three: readonly MachineName[] = ['one', 'two', 'three'];
let machines: Machines | null = null;
afterEach(async () => {
  await machines?.close();
  machines = null;
});

/** What happens to the cluster, with the headings whose commands are run then. */
interface Chapter {
  readonly headings: readonly string[];
  readonly isShort?: boolean;
  readonly play: (cluster: Machines) => Promise<void>;
}

/** Runs what may be refused on a machine that is busy, and changes nothing then. */
async function insist(cluster: Machines, heading: string, name: MachineName): Promise<string> {
  for (let left = 5; ; left -= 1) {
    try {
      return await cluster.run(heading, name);
    } catch (error) {
      if (left === 0) throw error;
      await setTimeout(1000);
    }
  }
}

/** Waits until a node answers `/readyz` so. */
async function untilStatus(cluster: Machines, name: MachineName, status: number): Promise<void> {
  for (let left = 300; ; left -= 1) {
    const reply = await fetch(`${cluster.url(name, 8081)}/readyz`).catch(() => null);
    if (reply?.status === status) return;
    if (left === 0) throw new Error(`${name} does not answer ${status}: ${reply?.status} ${await reply?.text()}`);
    await setTimeout(100);
  }
}

const healthy = '. /etc/bourse/etcd/etcdctl.sh\nuntil etcdctl endpoint health; do sleep 1; done';
const quotaBytes = 32 << 20;
const quota = `sed -i 's/^\\(ETCD_QUOTA_BACKEND_BYTES\\)=.*/\\1=${quotaBytes}/' /etc/bourse/etcd/common.env`;
/** Puts megabytes until there is no space, deletes them, and waits until the leader has had etcd forget them. */
const fill = `. /etc/bourse/etcd/etcdctl.sh
head -c 1000000 /dev/zero | tr '\\0' x > megabyte
number=0
while etcdctl put other/$((number += 1)) < megabyte; do :; done
etcdctl del --prefix other/
until etcdctl endpoint status --write-out=json | grep -E '"dbSizeInUse":[0-9]{1,7}[,}]'; do sleep 1; done`;

/** What an operator's command is answered. */
async function statusOfCommand(cluster: Machines): Promise<number> {
  const token = readFileSync(cluster.at('one', 'etc/bourse/operator.token'), 'utf8').trim();
  const terms = { fullName: 'Tether', scale: 6, cap: '1000000', coinId: '128f589271cb4951b03e71e6323eb7be' };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = `${cluster.url('one', 8081)}/v1/assets/USDT`;
  return (await fetch(url, { method: 'PUT', headers, body: JSON.stringify(terms) })).status;
}

/** How far the cluster is. */
const entriesOf = async (cluster: Machines): Promise<number> =>
  Number(/last entry (\d+)/.exec(await insist(cluster, 'Look at it', 'one'))![1]);

const chapters: readonly Chapter[] = [
  {
    headings: [
      ...['Make secrets, once', 'Prepare each machine', 'Make users of etcd, once'],
      ...['Begin the cluster, once', 'Start each node', 'Look at it', 'Another leader'],
    ],
    isShort: true,
    play: async (cluster) => {
      await cluster.run('Make secrets, once', 'one');
      for (const name of three) await cluster.run('Prepare each machine', name);
      await cluster.run('Make users of etcd, once', 'one');
      await cluster.run('Begin the cluster, once', 'one');
      await Promise.all(three.map((name) => cluster.run('Start each node', name)));
      expect(await cluster.run('Look at it', 'two', 1)).toContain('ready');
      const status = await insist(cluster, 'Look at it', 'two');
      expect(status.match(/^(?:one|two|three) {2}/gm)).toHaveLength(3);
      await insist(cluster, 'Another leader', 'three');
    },
  },
  {
    headings: ['Add a machine'],
    play: async (cluster) => {
      await cluster.run('Add a machine', 'one');
      await cluster.run('Add a machine', 'four', 1);
      expect(await insist(cluster, 'Look at it', 'four')).toMatch(/^four /m);
    },
  },
  {
    headings: ['Restart or upgrade'],
    play: async (cluster) => {
      await cluster.run('Restart or upgrade', 'two');
      await cluster.run('Restart or upgrade', 'three', 1);
    },
  },
  {
    headings: ['Two members of etcd are gone'],
    play: async (cluster) => {
      for (const name of ['two', 'three'] as const) await cluster.service(name, 'bourse-etcd').kill();
      await untilStatus(cluster, 'one', 503);
      await cluster.run('Two members of etcd are gone', 'two');
      await untilStatus(cluster, 'one', 200);
      await cluster.run('Two members of etcd are gone', 'three');
    },
  },
  {
    headings: ['Take a machine away'],
    play: async (cluster) => {
      await cluster.run('Take a machine away', 'four');
      await cluster.run('Take a machine away', 'one', 1);
    },
  },
  {
    headings: ['Replace a dead machine'],
    play: async (cluster) => {
      for (const service of ['bourse-etcd', 'bourse-node'] as const) await cluster.service('three', service).kill();
      for (const path of ['etc/bourse', 'etc/systemd/system', 'var/lib', 'opt/bourse/certificates'])
        rmSync(cluster.at('three', path), { recursive: true });
      cluster.newDisks('three');
      await cluster.run('Replace a dead machine', 'one');
      await cluster.run('Replace a dead machine', 'three', 1);
    },
  },
  {
    headings: ['A node is behind', 'Back up'],
    play: async (cluster) => {
      await cluster.run('A node is behind', 'two');
      await cluster.run('Back up', 'two');
    },
  },
  {
    headings: ['New certificates'],
    play: async (cluster) => {
      await cluster.run('New certificates', 'one');
      for (const name of three) await cluster.run('New certificates', name, 1);
    },
  },
  {
    headings: ['etcd is full'],
    play: async (cluster) => {
      for (const name of three) await cluster.shell(name, `${quota}\nsystemctl restart bourse-etcd\n${healthy}`);
      await untilStatus(cluster, 'one', 200);
      await cluster.shell('one', fill);
      const file = cluster.at('one', 'var/lib/bourse-etcd/data/member/snap/db');
      expect(statSync(file).size).toBeGreaterThan(quotaBytes * 0.9);
      await cluster.run('etcd is full', 'one');
      expect(statSync(file).size).toBeLessThan(quotaBytes * 0.5);
      await untilStatus(cluster, 'one', 200);
      expect(await statusOfCommand(cluster)).toBe(200);
    },
  },
  {
    headings: ['All of etcd is lost'],
    play: async (cluster) => {
      const before = await entriesOf(cluster);
      const heading = 'All of etcd is lost';
      for (const name of three) await cluster.run(heading, name);
      await cluster.run(heading, 'one', 1);
      for (const name of ['two', 'three'] as const) await cluster.run(heading, name, 2);
      await cluster.run(heading, 'one', 3);
      await Promise.all(three.map((name) => cluster.run(heading, name, 4)));
      expect(await entriesOf(cluster)).toBeGreaterThanOrEqual(before);
    },
  },
  {
    headings: ['Back to one machine'],
    play: async (cluster) => {
      const leader = /^(\w+) leads\.$/m.exec(await insist(cluster, 'Look at it', 'one'))![1] as MachineName;
      for (const name of three.filter((each) => each !== leader)) await cluster.run('Back to one machine', name);
      await cluster.run('Back to one machine', leader);
      await cluster.run('Back to one machine', leader, 1);
    },
  },
];

test('each block of commands belongs to a chapter that is played', () => {
  const played = new Set(chapters.flatMap(({ headings }) => headings));
  expect(stepsOf(page).filter(({ heading }) => !played.has(heading))).toEqual([]);
});

test.skipIf(etcdBinary === null || etcdctl === null || !hasTools)(
  'DEC-CLU-26: the commands of the runbooks work word for word',
  async () => {
    const cluster = new Machines(page, { etcd: etcdBinary!, etcdctl: etcdctl! });
    machines = cluster;
    const isPlayed = ({ isShort, headings }: Chapter): boolean =>
      isShort === true || asked === '1' || headings.includes(asked ?? '');
    for (const { headings, play } of chapters.filter(isPlayed)) {
      const began = performance.now();
      await play(cluster);
      expect(cluster.notRun.filter((heading) => headings.includes(heading))).toEqual([]);
      if (asked !== undefined)
        console.log(`${headings.join(', ')}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
    }
  },
  500_000,
);
