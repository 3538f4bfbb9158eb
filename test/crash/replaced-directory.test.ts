import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startServer } from './server-process.ts';
import { TradingClient } from './trading-client.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '1000' };
const idsOf = (body: unknown): string[] =>
  (body as readonly { readonly clientOrderId: string }[]).map((order) => order.clientOrderId).sort();

/** Places orders one after the other, each under its own id; answers the ids of those that were acknowledged. */
async function placeUntilLost(client: TradingClient, name: string, count: number): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const newClientOrderId = `${name}-${index}`;
    const reply = await client.call('POST', '/api/v3/order', { ...limit, newClientOrderId });
    if (reply?.status === 200) acknowledged.push(newClientOrderId);
  }
  return acknowledged.sort();
}

test.each([
  ['removed', (data: string): void => rmSync(data, { recursive: true })],
  ['moved away', (data: string): void => renameSync(data, `${data}.moved`)],
  [
    'replaced by a copy of itself',
    (data: string): void => {
      cpSync(data, `${data}.copy`, { recursive: true, preserveTimestamps: true });
      renameSync(data, `${data}.moved`);
      renameSync(`${data}.copy`, data);
    },
  ],
])(
  'of 50 orders sent once the data directory was %s none is acknowledged, and the process ends',
  async (_name, change) => {
    const root = mkdtempSync(join(tmpdir(), 'replaced-'));
    roots.push(root);
    const data = join(root, 'data');
    const server = await startServer(data);
    const client = new TradingClient(server.demo, 'alice');
    const before = await placeUntilLost(client, 'before', 5);
    expect(before).toHaveLength(5);
    change(data);
    expect(await placeUntilLost(client, 'after', 50)).toEqual([]);
    expect(await server.ended).toBe(1);
    const line = server
      .output()
      .split('\n')
      .find((text) => text.includes('"level":60'));
    expect(line).toContain(`${data} was removed, moved or replaced while the exchange was running`);
    client.close();
    const kept = readdirSync(root).find((name) => name === 'data.moved' || name === 'data');
    if (kept === undefined) return;
    const again = await startServer(join(root, kept));
    const reader = new TradingClient(again.demo, 'alice');
    const open = await reader.call('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    expect(idsOf(open?.body).filter((id) => id.startsWith('before'))).toEqual(before);
    reader.close();
    again.process.kill('SIGTERM');
    expect(await again.ended).toBe(0);
  },
  60_000,
);
