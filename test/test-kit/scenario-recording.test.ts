import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { PublicApi } from '#testing/scenario/public-api.ts';
import { recordScenario } from '#testing/scenario/record-scenario.ts';
import { runScenario, startBourse, type TestExchange } from '#testing/testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-recording-'));
const open: TestExchange[] = [];
afterEach(async () => {
  for (const exchange of open.splice(0)) await exchange.close();
  rmSync(folder, { recursive: true });
});

test('DEC-KIT-77: what people do is written as a scenario that runs again with the same result', async () => {
  const exchange = await startBourse({ seed: '7', now: '2026-01-01T00:00:00Z' });
  open.push(exchange);
  const { operator } = exchange;
  const dave = await operator.openFaucet({ name: 'dave', grants: [{ asset: 'BTC', amount: '2.50' }] });
  const stop = await recordScenario(exchange, { name: 'what happened', seed: '7' });

  // Somebody comes, orders are placed, one is lost, time passes, a pair is halted, money comes in.
  const carol = await operator.openFaucet({ name: 'carol', grants: [{ asset: 'USDT', amount: '10000' }] });
  const api = new PublicApi(exchange.baseUrl, async () => (await operator.getClock()).now);
  const order = (of: typeof carol, members: object) => {
    const account = { name: '', uid: of.uid, apiKey: of.key.accessKey, secretKey: of.key.secretKey };
    const parameters = { symbol: 'BTCUSDT', type: 'LIMIT', quantity: '0.1', ...members };
    const isCancel = 'orderId' in members;
    return api.request({ method: isCancel ? 'DELETE' : 'POST', path: '/api/v3/order', parameters, account });
  };
  const placed = await order(dave, { side: 'SELL', price: '50000' });
  await order(dave, { side: 'SELL', price: '52000', newClientOrderId: 'above' });
  await operator.advanceClock({ ms: 90_000 });
  const match = { account: carol.uid, method: 'POST' } as const;
  await operator.addFault({ match, count: 1, fault: { kind: 'failAfter', status: 504 } });
  await order(carol, { side: 'BUY', quantity: '0.04', price: '50000', newClientOrderId: 'lost' });
  await order(carol, { side: 'BUY', price: '1' });
  await operator.changePair({ pair: 'BTCUSDT', status: 'paused' });
  await order(carol, { side: 'BUY', price: '49000' });
  await operator.changePair({ pair: 'BTCUSDT', status: 'online' });
  await operator.setClock({ now: Date.parse('2026-01-01T01:00:00Z') });
  await operator.setBalance({ uid: carol.uid, asset: 'BTC', free: '1' });
  const { orderId } = placed.body as { orderId: string };
  await order(dave, { orderId, type: undefined, quantity: undefined });
  await operator.advanceClock({ ms: 1000 });

  const text = await stop();
  const steps = text.slice(text.indexOf('steps:'));
  for (const part of [
    'side: SELL, price: "50000"',
    'clock: { advance: 90s, pace: auto }',
    'faults: { add: { count: 1, fault: { kind: failAfter, status: 504 }, match: { account: carol, method: POST } } }',
    'newClientOrderId: lost }, answer: { status: 504',
    'halt: { pair: BTCUSDT }',
    'resume: { pair: BTCUSDT }',
    'clock: { set: { now: 1767229200000 } }',
    'faucet: { account: carol, asset: BTC, free: "1"',
    `cancel: { account: dave, symbol: BTCUSDT, orderId: "\${order-1.orderId}" }`,
    'status: PARTIALLY_CANCELED, executedQty: "0.04", cummulativeQuoteQty: "2000" }',
    'balance: { account: carol, asset: USDT, free: "8000", locked: "0" }',
  ])
    expect(steps).toContain(part);
  expect(text).not.toContain(carol.key.secretKey);

  const file = join(folder, 'recorded.yaml');
  writeFileSync(file, text);
  const result = await runScenario(file);
  expect(result.steps).toBe(steps.split('\n').length - 2);
  // What came of it is what is expected: another course of events fails.
  writeFileSync(file, text.replace('quantity: "0.04"', 'quantity: "0.05"'));
  await expect(runScenario(file)).rejects.toThrow('executedQty');
});
