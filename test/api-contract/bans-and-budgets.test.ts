import { expect, test } from 'vitest';
import { restoreEngine } from '#engine/create-engine.ts';
import { exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { startTestGateway } from '../api/gateway-harness.ts';

const trusting = { trustedProxies: ['127.0.0.1'], faultsPerWindow: 10_000 };

test('DEC-REQ-02: unknown routes share one budget of an address, whatever their paths', async () => {
  const gate = await startTestGateway({ settings: trusting });
  const ask = async (path: string): Promise<number> =>
    (await gate.send('GET', path, { headers: { 'X-Forwarded-For': '198.51.100.1' } })).status;
  for (let call = 0; call < 500; call += 1) expect(await ask(`/nowhere/${call}`)).toBe(404);
  expect(await ask('/somewhere/else')).toBe(429);
  expect(await ask('/api/v3/time')).toBe(200);
  gate.monotonic.time += 10_000;
  expect(await ask('/nowhere')).toBe(404);
  await gate.close();
});

test('DEC-LIM-03, DEC-REQ-30: a ban is state of the exchange and ends by the wall clock', async () => {
  const gate = await startTestGateway({ settings: trusting });
  const ask = () => gate.send('GET', '/api/v3/ticker/24hr', { headers: { 'X-Forwarded-For': '198.51.100.1' } });
  for (let call = 0; call < 18; call += 1) await ask();
  expect((await ask()).status).toBe(418);
  const until = gate.wall.time + 120_000;
  await expect.poll(() => gate.exchange.queries.access.bans()).toHaveLength(1);
  const restored = restoreEngine(gate.exchange.engine.snapshot());
  expect(await exchangeQueries(restored).access.bans()).toEqual([{ address: '198.51.100.1', until, times: 1 }]);
  gate.monotonic.time += 3_600_000;
  expect((await ask()).status).toBe(418);
  gate.wall.time = until;
  expect((await ask()).status).toBe(200);
  await gate.close();
});
