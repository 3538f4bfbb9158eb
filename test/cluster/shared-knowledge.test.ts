import { createHmac } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ClusterProcesses } from './cluster-processes.ts';
import { hasEtcd, startEtcdMembers } from './etcd-members.ts';

const isAsked = process.env['BOURSE_TEST_SHARED_KNOWLEDGE'] !== undefined;
const soon = { timeout: 60_000, interval: 100 };
const operatorToken = '12'.repeat(32);
const path = '/api/v3/capital/transfer';
const transfer = { fromAccountType: 'SPOT', toAccountType: 'FUTURES', asset: 'USDT', amount: '1' };

interface Key {
  readonly accessKey: string;
  readonly secretKey: string;
}

const signedNow = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams({ ...parameters, timestamp: String(Date.now()) }).toString();

let sent = 0;
/** Sends a request to one node: 200, or the code of the refusal; `null`: the node is not there. */
async function send(url: string, key: Key, method: string, target: string, query: string): Promise<number | null> {
  const signature = createHmac('sha256', key.secretKey).update(query).digest('hex');
  sent += 1;
  // Each has an address of its own, so that no budget is in the way.
  const headers = { 'X-SVC-APIKEY': key.accessKey, 'X-Forwarded-For': `10.1.${sent >> 8}.${sent & 255}` };
  const reply = await fetch(`${url}${target}?${query}&signature=${signature}`, { method, headers }).catch(() => null);
  if (reply === null) return null;
  const body = (await reply.json()) as { code?: number };
  return reply.ok ? 200 : (body.code ?? reply.status);
}

async function operate<Answer>(url: string, method: string, target: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
  const reply = await fetch(`${url}${target}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${target}: ${reply.status} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as Answer;
}

const turnsMax = 1000;

/** Asks the nodes in turn until each has refused once; answers how often they did not, and how they refused. */
async function useUp(urls: readonly string[], target: string, address: string) {
  const refusals = new Map<string, number>();
  let allowed = 0;
  for (let turn = 0; refusals.size < urls.length && turn < turnsMax; turn += 1) {
    const url = urls[turn % urls.length]!;
    const { status } = await fetch(`${url}${target}`, { headers: { 'X-Forwarded-For': address } });
    if (status === 200) allowed += 1;
    else refusals.set(url, status);
  }
  return { allowed, refusals: [...refusals.values()] };
}

/** 500 in ten seconds, of an endpoint that weighs 10. */
const budget = 50;

test.skipIf(!hasEtcd || !isAsked)(
  'DEC-CLU-20, DEC-CLU-21, DEC-CLU-22, DEC-CLU-29: nodes know one signature, key, budget and name of a node',
  async () => {
    const etcd = await startEtcdMembers();
    const cluster = new ClusterProcesses({
      ...{ exchange: 'shared', leaseSeconds: 10, firstPort: 25_160, endpoints: etcd.endpoints, operatorToken },
      ...{ folder: mkdtempSync(join(tmpdir(), 'bourse-shared-')), masterKey: 'ef'.repeat(32) },
    });
    try {
      const [trader] = await cluster.found(['trader']);
      cluster.start();
      const leader = await cluster.leading();
      const urls = cluster.nodes.map(({ url }) => url);
      const ready = async (): Promise<boolean[]> =>
        Promise.all(urls.map(async (url) => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true));
      await expect.poll(ready, soon).toEqual([true, true, true]);
      const [one, other] = [0, 1, 2].filter((index) => index !== leader) as [number, number];
      const permissions = ['SPOT_ACCOUNT_READ', 'SPOT_TRANSFER_WRITE'];
      const keysOf = `/v1/accounts/${trader!.uid}/api-keys`;
      const makeKey = (): Promise<Key> =>
        operate(cluster.nodes[leader]!.operatorUrl, 'POST', keysOf, { note: 'moves', permissions, ips: [] });
      const key = await makeKey();

      const used = await useUp(urls, '/api/v3/exchangeInfo', '10.9.9.9');
      console.log(`a client of three nodes: ${used.allowed} requests of a budget of ${budget}`);
      expect(used.allowed).toBeGreaterThanOrEqual(budget);
      expect(used.allowed).toBeLessThan(2 * budget);
      // Whoever goes on is banned everywhere, though no node has seen five violations.
      const goOn = async (): Promise<readonly number[]> =>
        (await useUp(urls, '/api/v3/exchangeInfo', '10.9.9.9')).refusals;
      await expect.poll(goOn, soon).toEqual([418, 418, 418]);

      const second = await cluster.second(one);
      expect(second.text).toContain('another process runs as node');
      expect(second.code).toBe(2);
      expect(cluster.nodes.map(({ ends }) => ends)).toEqual([[], [], []]);
      await expect.poll(ready, soon).toEqual([true, true, true]);

      for (let round = 0; round < 20; round += 1) {
        const query = signedNow({ ...transfer, recvWindow: String(5000 + round) });
        const answers = await Promise.all([...urls, ...urls].map((url) => send(url, key, 'POST', path, query)));
        expect(answers.sort()).toEqual([200, 700002, 700002, 700002, 700002, 700002]);
      }
      const read = signedNow(transfer);
      expect(await send(urls[one]!, key, 'GET', '/api/v3/account', read)).toBe(200);
      await setTimeout(1000);
      expect(await send(urls[other]!, key, 'POST', path, read)).toBe(700002);

      for (let round = 0; round < 25; round += 1) {
        const short = await makeKey();
        expect(await send(urls[other]!, short, 'POST', path, signedNow(transfer))).toBe(200);
        await operate(cluster.nodes[one]!.operatorUrl, 'DELETE', `${keysOf}/${short.accessKey}`);
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            send(
              urls[index % 2 === 0 ? other : leader]!,
              short,
              'POST',
              path,
              signedNow({ ...transfer, recvWindow: String(5000 + index) }),
            ),
          ),
        );
        expect(new Set(answers)).toEqual(new Set([10072]));
      }

      const before = signedNow({ ...transfer, recvWindow: '59999' });
      expect(await send(urls[one]!, key, 'POST', path, before)).toBe(200);
      cluster.nodes[leader]!.kill();
      await expect.poll(() => send(urls[other]!, key, 'POST', path, signedNow(transfer)), soon).toBe(200);
      expect(await send(urls[other]!, key, 'POST', path, before)).toBe(700003);
    } finally {
      await cluster.close();
      await etcd.stop();
    }
  },
  300_000,
);
