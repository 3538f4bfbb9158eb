import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TradingState } from '#model/trading.ts';
import { type FuturesDesk, startFuturesDesk } from './futures-desk.ts';
import { keys, type TestGateway } from './gateway-harness.ts';

let desk: FuturesDesk;
let gate: TestGateway;
beforeAll(async () => {
  desk = await startFuturesDesk();
  gate = desk.gate;
});
afterAll(() => gate.close());

const set = (state: TradingState) => desk.run({ kind: 'setTrading', state, reason: 'A test.' });
const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '30000' };
const codeOf = async (method: string, path: string, terms: Record<string, string>) =>
  (await gate.signed(method, path, terms, { key: keys.alice })).body.code;
const statusOf = async (name: string) =>
  (await gate.get('/api/v3/exchangeInfo', { symbol: name })).body.symbols[0].status;
const contractState = async () => (await desk.data('detail?symbol=BTC_USDT')).state;

test('DEC-OPR-166: clients see a halt of all trading as a pause of every pair and contract', async () => {
  await gate.configure({ name: 'ETHUSDT', base: 2 as never, status: 'offline' }, 'SVCUSDT');
  const placed = await gate.signed('POST', '/api/v3/order', order);
  expect(placed.status).toBe(200);
  expect([await statusOf('BTCUSDT'), await statusOf('SVCUSDT'), await contractState()]).toEqual(['1', '3', 0]);
  await set('halted');
  expect([await statusOf('BTCUSDT'), await statusOf('SVCUSDT'), await contractState()]).toEqual(['2', '3', 4]);
  expect((await gate.get('/api/v3/defaultSymbols')).body.data).toEqual([]);
  // What names an asset anew keeps the halt.
  const asset = { code: 'BTC', fullName: 'Bitcoin', scale: 8, cap: (10n ** 18n) as never, coinId: '0'.repeat(32) };
  await desk.run({ kind: 'configureAsset', asset });
  expect([await statusOf('BTCUSDT'), await contractState()]).toEqual(['2', 4]);
  expect(await codeOf('POST', '/api/v3/order', order)).toBe(30000);
  expect(await codeOf('POST', '/api/v3/order/test', order)).toBe(30000);
  expect(await codeOf('POST', '/api/v3/order', { ...order, price: 'much' })).toBe(30000);
  const { orderId } = placed.body;
  const cancelled = await gate.signed('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId });
  expect([cancelled.status, cancelled.body.status]).toEqual([200, 'CANCELED']);
  await set('open');
  expect([await statusOf('BTCUSDT'), await statusOf('SVCUSDT'), await contractState()]).toEqual(['1', '3', 0]);
  expect((await gate.get('/api/v3/defaultSymbols')).body.data).toEqual(['BTCUSDT']);
  expect((await gate.signed('POST', '/api/v3/order', order)).status).toBe(200);
});
