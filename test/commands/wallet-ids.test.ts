import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type ServerProcess } from '../crash/server-process.ts';
import { TradingClient } from '../crash/trading-client.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wallet-ids-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function stop(server: ServerProcess): Promise<void> {
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
}

/** What a withdrawal of alice is called on a new sandbox, and what she is shown of it after a restart. */
async function withdrawal(name: string, seed: string): Promise<string> {
  const data = join(folder, name);
  const first = await startServer(data, ['--seed', seed]);
  const alice = new TradingClient(first.demo, 'alice');
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const terms = { coin: 'USDT', netWork: 'ETH', address, amount: '50' };
  const asked = (await alice.call('POST', '/api/v3/capital/withdraw', terms))!.body as { id: string };
  alice.close();
  await stop(first);
  const second = await startServer(data, ['--seed', seed]);
  const again = new TradingClient(second.demo, 'alice');
  const listed = (await again.call('GET', '/api/v3/capital/withdraw/history', {}))!.body as { id: string }[];
  expect(listed.map(({ id }) => id)).toEqual([asked.id]);
  again.close();
  await stop(second);
  return asked.id;
}

test('DEC-WAL-170, DEC-WAL-173: seeds print ids of their own, and the same ones after a restart', async () => {
  const id = await withdrawal('one', '501');
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(await withdrawal('two', '502')).not.toBe(id);
  expect(await withdrawal('three', '501')).toBe(id);
}, 240_000);
