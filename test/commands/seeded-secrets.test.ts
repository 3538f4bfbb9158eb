import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperatorClient } from '../crash/operator-client.ts';
import { startServer } from '../crash/server-process.ts';
import { TradingClient } from '../crash/trading-client.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'seeded-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What one run of a sandbox makes: API keys with their secrets, listen keys, operator tokens. */
async function secretsOf(name: string, settings: readonly string[]): Promise<readonly string[]> {
  const server = await startServer(join(folder, name), settings);
  const operator = new OperatorClient(server.demo);
  const alice = new TradingClient(server.demo, 'alice');
  const { uid } = server.demo.accounts.find((account) => account.name === 'alice')!;
  const made: string[] = [];
  for (const note of ['one', 'two']) {
    const key = { note, permissions: ['SPOT_ACCOUNT_READ'], ips: [] };
    const created = await operator.must<{ accessKey: string; secretKey: string }>(
      'POST',
      `/v1/accounts/${uid}/api-keys`,
      key,
    );
    made.push(created.accessKey, created.secretKey);
    made.push(((await alice.call('POST', '/api/v3/userDataStream', {}))!.body as { listenKey: string }).listenKey);
    const terms = { actor: note, scopes: ['ledger:read'], validHours: 1 };
    made.push((await operator.must<{ token: string }>('POST', '/v1/tokens', terms)).token);
  }
  alice.close();
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  return made;
}

test('DEC-OPR-150: equal seeds make equal secrets in equal order, none twice, and a restart goes on', async () => {
  const seed = ['--seed', '150'];
  const first = await secretsOf('one', seed);
  const second = await secretsOf('one', seed);
  expect(new Set([...first, ...second]).size).toBe(16);
  expect([await secretsOf('two', seed), await secretsOf('two', seed)]).toEqual([first, second]);
  const other = await secretsOf('three', ['--seed', '151']);
  expect(other.filter((secret) => first.includes(secret))).toEqual([]);
  expect(statSync(join(folder, 'one', 'secrets-made.json')).mode & 0o777).toBe(0o600);
}, 240_000);
