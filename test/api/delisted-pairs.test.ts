import { afterAll, beforeAll, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { keys, startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway();
});
afterAll(() => gate.close());

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '30000' };
const signed = (method: string, path: string, terms: Record<string, string>, key: string = keys.alice) =>
  gate.signed(method, path, terms, { key });
const codeOf = async (path: string, terms: Record<string, string> = { symbol: 'BTCUSDT' }) =>
  (await gate.get(path, terms)).body.code;

test('DEC-OPR-169: clients read what a delisted pair traded, and find it nowhere else', async () => {
  await gate.configure({ base: as(2) }, 'SVCUSDT');
  const { orderId } = (await signed('POST', '/api/v3/order', order)).body;
  expect((await signed('POST', '/api/v3/order', { ...order, side: 'SELL' }, keys.bob)).status).toBe(200);
  const past = async () => {
    const texts: string[] = [];
    for (const path of ['trades', 'historicalTrades', 'aggTrades'])
      texts.push((await gate.get(`/api/v3/${path}`, { symbol: 'BTCUSDT' })).text);
    texts.push((await gate.get('/api/v3/klines', { symbol: 'BTCUSDT', interval: '1d' })).text);
    texts.push((await signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })).text);
    texts.push((await signed('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })).text);
    texts.push((await signed('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId })).text);
    return texts;
  };
  const before = await past();
  for (const text of before) expect(text).toContain('30000');

  await gate.configure({ status: 'offline' });
  const { events } = await gate.exchange.submit({ kind: 'delistSymbol', symbol: as(0) });
  expect(events.map(({ kind }) => kind)).toEqual(['symbolConfigured']);
  expect(await past()).toEqual(before);
  expect((await signed('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })).body).toEqual([]);

  const named = ({ body }: { body: { symbols: { symbol: string }[] } }) => body.symbols.map(({ symbol }) => symbol);
  expect(named(await gate.get('/api/v3/exchangeInfo'))).toEqual(['SVCUSDT']);
  expect((await gate.get('/api/v3/defaultSymbols')).body.data).toEqual(['SVCUSDT']);
  for (const path of ['ticker/24hr', 'ticker/price', 'ticker/bookTicker']) {
    expect(await codeOf(`/api/v3/${path}`)).toBe(10007);
    const rows = [(await gate.get(`/api/v3/${path}`)).body].flat();
    expect(rows.map(({ symbol }) => symbol)).toEqual(['SVCUSDT']);
  }
  for (const path of ['exchangeInfo', 'depth', 'avgPrice']) expect(await codeOf(`/api/v3/${path}`)).toBe(10007);
});

test('DEC-OPR-169: orders on a delisted pair are refused as on one that never was', async () => {
  for (const symbol of ['BTCUSDT', 'NEVERWAS']) {
    for (const path of ['/api/v3/order', '/api/v3/order/test'])
      expect((await signed('POST', path, { ...order, symbol })).body.code).toBe(30014);
    expect((await signed('POST', '/api/v3/order', { ...order, symbol, price: 'much' })).body.code).toBe(30014);
    expect((await signed('DELETE', '/api/v3/order', { symbol, orderId: '1' })).body.code).toBe(10007);
    expect((await signed('GET', '/api/v3/tradeFee', { symbol })).body.code).toBe(10007);
  }
});
