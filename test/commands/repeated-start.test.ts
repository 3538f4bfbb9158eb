import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type ServerProcess } from '../crash/server-process.ts';

const now = Date.UTC(2026, 0, 1);
const moment = ['--now', '2026-01-01T00:00:00Z'];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-repeated-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const timeOf = async ({ demo }: ServerProcess): Promise<number> =>
  ((await (await fetch(`${demo.base_url}/api/v3/time`)).json()) as { serverTime: number }).serverTime;

async function ask({ demo }: ServerProcess, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${demo.operator_token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(demo.operator_url + path, { method, headers, ...sent })).json();
}

const advance = (server: ServerProcess, ms: number): Promise<unknown> =>
  ask(server, 'POST', '/v1/clock/advance', { ms });

/** Places an order as a client does that takes the time from the exchange. */
async function order(server: ServerProcess, side: 'BUY' | 'SELL'): Promise<unknown> {
  const { apiKey, secretKey } = server.demo.accounts[side === 'BUY' ? 0 : 1]!;
  const timestamp = await timeOf(server);
  const query = `symbol=BTCUSDT&side=${side}&type=LIMIT&quantity=0.01&price=90000&timestamp=${timestamp}`;
  const signature = createHmac('sha256', secretKey).update(query).digest('hex');
  const reply = await fetch(`${server.demo.base_url}/api/v3/order?${query}&signature=${signature}`, {
    method: 'POST',
    headers: { 'X-SVC-APIKEY': apiKey },
  });
  return reply.json();
}

async function stop(server: ServerProcess): Promise<void> {
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
}

/** Trades on a new exchange whose clock stands, and answers what it wrote. */
async function story(data: string) {
  const server = await startServer(data, [...moment, '--clock', 'manual']);
  const times = [await timeOf(server)];
  const answers = [await advance(server, 90_500), await order(server, 'BUY'), await advance(server, 61_000)];
  answers.push(await order(server, 'SELL'));
  times.push(await timeOf(server));
  const candles = await (await fetch(`${server.demo.base_url}/api/v3/klines?symbol=BTCUSDT&interval=1m`)).json();
  await stop(server);
  const journal = readdirSync(join(data, 'journal'))
    .sort()
    .map((name) => readFileSync(join(data, 'journal', name)).toString('base64'));
  return { times, answers, candles, accounts: server.demo.accounts, journal };
}

describe('a start with --seed and --now', () => {
  test('DEC-OPR-26, DEC-OPR-28: two of them with the same acts write the same journal, byte for byte', async () => {
    const one = await story(join(folder, 'one'));
    expect(one.times).toEqual([now, now + 151_500]);
    expect(one.candles).toHaveLength(1);
    expect(await story(join(folder, 'two'))).toEqual(one);
  }, 180_000);

  test('DEC-OPR-27: a later start keeps the moment, goes on at the last entry, and runs', async () => {
    const server = await startServer(join(folder, 'one'));
    const first = await timeOf(server);
    expect(first).toBeGreaterThanOrEqual(now + 151_500);
    expect(first).toBeLessThan(now + 3_600_000);
    while ((await timeOf(server)) === first) await new Promise((resolve) => setTimeout(resolve, 20));
    await expect.poll(() => server.output(), { timeout: 20_000 }).toContain('"mode":"running"');
    await stop(server);
  }, 60_000);

  test('DEC-KIT-03: without --now it follows the machine, and after an advance goes on from there, also once it was killed', async () => {
    const data = join(folder, 'apart');
    const first = await startServer(data);
    const began = await timeOf(first);
    expect(Math.abs(began - Date.now())).toBeLessThan(600_000);
    const { now } = (await advance(first, 2 * 86_400_000)) as { now: number };
    expect(now).toBeGreaterThanOrEqual(began + 2 * 86_400_000);
    first.process.kill('SIGKILL');
    await first.ended;
    const second = await startServer(data);
    expect(await timeOf(second)).toBeGreaterThanOrEqual(now);
    const standing = (await ask(second, 'PUT', '/v1/clock', { mode: 'standing' })) as { now: number };
    second.process.kill('SIGKILL');
    await second.ended;
    const third = await startServer(data);
    expect(await ask(third, 'GET', '/v1/clock')).toMatchObject({ mode: 'standing', now: standing.now });
    await stop(third);
  }, 180_000);

  test('DEC-OPR-27: another moment is refused', () => {
    const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;
    const settings = ['--data', join(folder, 'one'), '--port', '0', '--operator-port', '0', '--seed', '7'];
    const run = spawnSync(process.execPath, [entry, 'start', ...settings, '--now', '2026-01-02T00:00:00Z']);
    expect([run.status, run.stderr.toString()]).toEqual([
      2,
      expect.stringContaining('was made with --now 2026-01-01T00:00:00.000Z: leave --now out'),
    ]);
  }, 30_000);
});
