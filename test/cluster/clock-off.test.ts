import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ClusterProcesses } from './cluster-processes.ts';
import { hasEtcd, startEtcdMembers } from './etcd-members.ts';

const isAsked = process.env['BOURSE_TEST_CLUSTER_CLOCK'] !== undefined;
const soon = { timeout: 60_000, interval: 100 };

/** A module that puts the clock of its process off by the milliseconds in a file. */
const wrongClock = (file: string): string => `
import { readFileSync } from 'node:fs';
const now = Date.now.bind(Date);
let off = 0;
setInterval(() => { off = Number(readFileSync(${JSON.stringify(file)}, 'utf8')); }, 50).unref();
Date.now = () => now() + off;
`;

test.skipIf(!hasEtcd || !isAsked)(
  'DEC-CLU-19: a follower with a wrong clock stands aside until it is right, a leader with one is followed by another',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-clock-'));
    const clockOf = (name: string): string => join(folder, `${name}.clock`);
    const etcd = await startEtcdMembers();
    const cluster = new ClusterProcesses({
      ...{ exchange: 'clock', firstPort: 26_260, endpoints: etcd.endpoints, folder },
      ...{ masterKey: 'ef'.repeat(32), operatorToken: '12'.repeat(32) },
      imports: (name) => {
        const module = join(folder, `${name}-clock.mjs`);
        writeFileSync(clockOf(name), '0');
        writeFileSync(module, wrongClock(clockOf(name)));
        return module;
      },
    });
    const setClock = (index: number, ms: number): void =>
      writeFileSync(clockOf(cluster.nodes[index]!.name), String(ms));
    const readiness = async (index: number): Promise<string> => {
      const reply = await fetch(`${cluster.nodes[index]!.url}/readyz`).catch(() => null);
      const { status, why } = ((await reply?.json()) ?? {}) as { status?: string; why?: string };
      return `${reply?.status} ${why ?? status}`;
    };
    try {
      await cluster.found(['trader']);
      cluster.start();
      const first = await cluster.leading();
      await cluster.untilTogether();
      const [wrong, right] = [0, 1, 2].filter((index) => index !== first) as [number, number];
      await expect.poll(() => readiness(wrong), soon).toBe('200 ready');
      setClock(wrong, 3000);
      await expect.poll(() => readiness(wrong), soon).toMatch(/^503 the clock of this machine is [23]\.\d s ahead of/);
      await cluster.nodes[first]!.stop();
      await expect.poll(async () => (await cluster.log.leader())?.node, soon).toBe(cluster.nodes[right]!.name);
      setClock(wrong, 0);
      await expect.poll(() => readiness(wrong), soon).toBe('200 ready');

      cluster.nodes[first]!.start();
      await cluster.untilTogether();
      const before = (await cluster.log.leader())!.epoch;
      setClock(right, -5000);
      await expect
        .poll(async () => {
          const leader = await cluster.log.leader();
          return leader !== null && leader.epoch > before && leader.node !== cluster.nodes[right]!.name;
        }, soon)
        .toBe(true);
      expect(cluster.nodes[right]!.ends).toEqual([1]);
      await expect.poll(() => readiness(right), soon).toMatch(/^503 the clock of this machine is [45]\.\d s behind/);
      setClock(right, 0);
      await expect.poll(() => readiness(right), soon).toBe('200 ready');
    } finally {
      await cluster.close();
      await etcd.stop();
    }
  },
  300_000,
);
