import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBourse, type TestAccount, type TestExchange } from '#testing/testing.ts';

/*
 * The calls that connectors of this family of APIs make, in their order, with the members that they read of each
 * answer. Those of ccxt were written down while its version 4.5.84 ran against a sandbox, freqtrade makes the same
 * ones by way of it; those of hummingbot are from the text of its connector.
 */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startBourse({ seed: '7', settings: { rateLimits: false } });
});
afterAll(() => exchange?.close());

type Values = Readonly<Record<string, string | number>>;
// biome-ignore lint/suspicious/noExplicitAny: answers are looked at, member by member, by tests
type Answer = { readonly status: number; readonly body: any };

/** How a connector sends what it signs. */
interface Connector {
  readonly header: string;
  /** Where the parameters of a POST go. */
  readonly postsIn: 'query' | 'form' | 'json';
}
const ccxt: Connector = { header: 'X-MEXC-APIKEY', postsIn: 'query' };
const hummingbot: Connector = { header: 'X-MEXC-APIKEY', postsIn: 'form' };

async function read(response: Response): Promise<Answer> {
  return { status: response.status, body: await response.json() };
}
const open = async (path: string, values: Values = {}): Promise<Answer> => {
  const query = new URLSearchParams(values as Record<string, string>);
  return read(
    await fetch(`${exchange.baseUrl}/api/v3/${path}?${query}`, { headers: { 'content-type': 'application/json' } }),
  );
};
const signedBy =
  ({ header, postsIn }: Connector, { apiKey, secretKey }: TestAccount) =>
  async (method: string, path: string, values: Values = {}): Promise<Answer> => {
    const all = { ...values, timestamp: Date.now(), recvWindow: 5000 };
    const text = `${new URLSearchParams(all as unknown as Record<string, string>)}`;
    const signed = `${text}&signature=${createHmac('sha256', secretKey).update(text).digest('hex')}`;
    const isBody = method === 'POST' && postsIn !== 'query';
    const type = postsIn === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
    const url = `${exchange.baseUrl}/api/v3/${path}${isBody ? '' : `?${signed}`}`;
    const headers = { [header]: apiKey, 'content-type': type };
    return read(await fetch(url, { method, headers, ...(isBody ? { body: signed } : {}) }));
  };

test('DEC-KIT-56: ccxt, and freqtrade by way of it: markets, prices, candles, balances, the life of orders', async () => {
  const signed = signedBy(ccxt, exchange.accounts['alice']!);
  const other = signedBy(ccxt, exchange.accounts['bob']!);
  const symbol = 'BTCUSDT';
  // loadMarkets
  expect((await signed('GET', 'capital/config/getall')).body[0]).toMatchObject({ coin: expect.any(String) });
  const { symbols } = (await open('exchangeInfo')).body;
  expect(symbols.find((each: { symbol: string }) => each.symbol === symbol)).toMatchObject({
    ...{ status: '1', baseAsset: 'BTC', quoteAsset: 'USDT', isSpotTradingAllowed: true },
    ...{ baseAssetPrecision: expect.any(Number), quotePrecision: expect.any(Number) },
    ...{ baseSizePrecision: expect.any(String), quoteAmountPrecision: expect.any(String) },
    ...{ makerCommission: expect.any(String), takerCommission: expect.any(String) },
  });
  const contracts = await read(await fetch(`${exchange.futuresBaseUrl}/api/v1/contract/detail`));
  expect(contracts.body.data.map((each: { symbol: string }) => each.symbol)).toContain('BTC_USDT');
  // What a bot asks for before it trades.
  expect((await open('ping')).body).toEqual({});
  expect((await open('time')).body).toEqual({ serverTime: expect.any(Number) });
  expect((await open('ticker/24hr', { symbol })).body).toMatchObject({ symbol, lastPrice: expect.any(String) });
  expect((await open('ticker/bookTicker')).status).toBe(200);
  expect((await open('klines', { symbol, interval: '5m', limit: 100 })).body).toEqual([]);
  expect((await open('depth', { symbol, limit: 20 })).body).toMatchObject({ bids: [], asks: [] });
  expect((await open('aggTrades', { symbol })).body).toEqual([]);
  const { balances } = (await signed('GET', 'account')).body;
  expect(balances).toContainEqual({ asset: 'USDT', free: '1000000', locked: '0', available: '1000000' });
  expect((await signed('GET', 'tradeFee', { symbol })).body.data).toMatchObject({
    takerCommission: expect.any(Number),
  });

  const order = { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '50000' };
  const placed = await signed('POST', 'order', order);
  expect(placed).toMatchObject({ status: 200, body: { symbol, orderId: expect.any(String) } });
  const { orderId } = placed.body;
  expect((await signed('GET', 'order', { symbol, orderId })).body).toMatchObject({ orderId, status: 'NEW' });
  expect((await signed('GET', 'openOrders', { symbol })).body).toMatchObject([{ orderId, side: 'BUY', type: 'LIMIT' }]);
  expect((await other('POST', 'order', { ...order, side: 'SELL', quantity: '0.0005' })).status).toBe(200);
  const trade = { orderId, price: '50000', qty: '0.0005', quoteQty: '25', isBuyer: true, isMaker: true };
  expect((await signed('GET', 'myTrades', { symbol, orderId })).body).toMatchObject([trade]);
  expect((await signed('DELETE', 'order', { symbol, orderId })).body).toMatchObject({
    orderId,
    status: 'PARTIALLY_CANCELED',
  });
  expect((await signed('GET', 'order', { symbol, orderId })).body.status).toBe('PARTIALLY_CANCELED');
  expect(await signed('DELETE', 'order', { symbol, orderId })).toMatchObject({ status: 400, body: { code: -2011 } });
  expect((await signed('GET', 'allOrders', { symbol })).body).toMatchObject([{ orderId }]);
  expect((await signed('POST', 'order', { ...order, type: 'LIMIT_MAKER' })).status).toBe(200);
  expect((await signed('POST', 'order', { ...order, type: 'IMMEDIATE_OR_CANCEL' })).status).toBe(200);
  // What ccxt makes InvalidOrder and InsufficientFunds of.
  expect((await signed('POST', 'order', { ...order, quantity: '0.000001' })).body.code).toBe(30_002);
  expect((await signed('POST', 'order', { ...order, quantity: '60' })).body.code).toBe(30_004);
  expect((await signed('DELETE', 'openOrders', { symbol })).body).toMatchObject([{ status: 'CANCELED' }]);
});

test('DEC-KIT-56: hummingbot: orders by its own ids, fills, balances, a listen key', async () => {
  const symbol = 'ETHUSDT';
  for (const postsIn of ['form', 'json'] as const) {
    const signed = signedBy({ ...hummingbot, postsIn }, exchange.accounts['alice']!);
    const other = signedBy({ ...hummingbot, postsIn }, exchange.accounts['bob']!);
    expect((await open('ping')).status).toBe(200);
    const newClientOrderId = `x-XEKWYICX${postsIn}BEHUT6200a1b2c3d4`;
    const order = {
      symbol,
      side: 'BUY',
      quantity: '0.05',
      type: 'LIMIT',
      newClientOrderId,
      price: '3000',
      timeInForce: 'GTC',
    };
    const placed = await signed('POST', 'order', order);
    expect(placed).toMatchObject({
      status: 200,
      body: { orderId: expect.any(String), transactTime: expect.any(Number) },
    });
    const byClient = { symbol, origClientOrderId: newClientOrderId };
    expect((await signed('GET', 'order', byClient)).body).toMatchObject({
      status: 'NEW',
      updateTime: expect.any(Number),
    });
    // A market order of its other account takes a part.
    const { newClientOrderId: _id, price: _price, timeInForce: _time, ...market } = order;
    expect((await other('POST', 'order', { ...market, side: 'SELL', quantity: '0.02', type: 'MARKET' })).status).toBe(
      200,
    );
    expect((await signed('GET', 'order', byClient)).body.status).toBe('PARTIALLY_FILLED');
    const [fill] = (await signed('GET', 'myTrades', { symbol, orderId: placed.body.orderId })).body;
    expect(fill).toMatchObject({
      ...{ orderId: placed.body.orderId, qty: '0.02', price: '3000', quoteQty: '60', isMaker: true },
      ...{ id: expect.any(String), commission: expect.any(String), commissionAsset: expect.any(String) },
      time: expect.any(Number),
    });
    expect((await signed('DELETE', 'order', byClient)).body).toMatchObject({ orderId: placed.body.orderId });
    expect((await open('ticker/24hr', { symbol })).body.lastPrice).toBe('3000');
    const { listenKey } = (await signed('POST', 'userDataStream')).body;
    expect(listenKey).toEqual(expect.any(String));
    expect((await signed('PUT', 'userDataStream', { listenKey })).body).toEqual({ listenKey });
    const { balances } = (await signed('GET', 'account')).body;
    for (const balance of balances)
      expect(balance).toMatchObject({ free: expect.any(String), locked: expect.any(String) });
  }
});
