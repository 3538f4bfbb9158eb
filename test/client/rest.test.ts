import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BourseClient, BourseError, type ClientOptions, type FetchFunction, UnknownOutcome } from '#client/client.ts';
import { endpointTable } from '#client/endpoint-table.ts';
import { startBourse, type TestExchange } from '#testing/testing.ts';

/** The client against a sandbox, with its faults. */

let exchange: TestExchange;
let client: BourseClient;
beforeAll(async () => {
  exchange = await startBourse({ seed: '7', settings: { rateLimits: false } });
});
afterEach(async () => {
  await client?.close();
  await exchange.operator.clearFaults();
});
afterAll(() => exchange?.close());

const symbol = 'BTCUSDT';
const bid = { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '50000' } as const;
const strike = (match: object, fault: object, count = 1) =>
  exchange.operator.addFault({ match, fault, count } as never);
/** Requests of the log, oldest first. */
const requests = async (path: string) => (await exchange.operator.listRequests({ path, limit: 50 })).items.toReversed();
const errorOf = (promise: Promise<unknown>): Promise<BourseError> =>
  promise.then(
    (answer) => expect.fail(`answered ${JSON.stringify(answer)}`),
    (error: BourseError) => error,
  );
const clientOf = (options: ClientOptions = {}): BourseClient => exchange.client('alice', options);

describe('calls', () => {
  test('DEC-KIT-84: every endpoint is a method, and answers what it does out of its envelope', async () => {
    client = clientOf();
    const { serverTime } = await client.serverTime();
    expect(Math.abs(serverTime - Date.now())).toBeLessThan(60_000);
    expect(await client.defaultSymbols()).toContain(symbol);
    // A parameter of the path, and a list.
    expect(await client.futuresDepth({ symbol: 'BTC_USDT', limit: 5 })).toMatchObject({ bids: [] });
    const { symbols } = await client.exchangeInfo({ symbols: [symbol, 'ETHUSDT'] });
    expect(symbols.map((each) => each.symbol)).toEqual([symbol, 'ETHUSDT']);
    const { orderId, price } = await client.placeOrder(bid);
    expect(price).toBe('50000');
    expect(await client.call('order', { symbol, orderId })).toMatchObject({ orderId, status: 'NEW' });
    const placed = await client.placeOrders({ batchOrders: Array.from({ length: 20 }, () => bid) });
    expect(placed.filter((order) => 'orderId' in order)).toHaveLength(20);
    expect(await client.cancelOpenOrders({ symbol })).toHaveLength(21);
    const own = new Set(Object.getOwnPropertyNames(Object.getPrototypeOf(client)));
    expect(Object.keys(endpointTable).filter((id) => !own.has(id))).toEqual([]);
  });

  test('DEC-KIT-84: a member that is unknown, missing or no exact number is refused by name, and nothing is sent', async () => {
    client = clientOf();
    const before = (await requests('/api/v3/order')).length;
    const refused: [object, string][] = [
      [{ ...bid, prize: '1' }, 'placeOrder: it takes no prize'],
      [{ ...bid, constructor: '1' }, 'placeOrder: it takes no constructor'],
      [{ ...bid, quantity: 0.1 }, 'placeOrder: quantity must be text or whole'],
      [{ ...bid, price: null }, 'placeOrder: price must be text'],
      [{ side: 'BUY', type: 'MARKET' }, 'placeOrder: symbol is missing'],
    ];
    for (const [members, message] of refused)
      await expect(client.placeOrder(members as never)).rejects.toThrow(message);
    await expect(client.futuresDepth({ symbol: '' })).rejects.toThrow('futuresDepth: symbol is missing');
    await expect(client.placeOrders({ batchOrders: 'x' } as never)).rejects.toThrow('batchOrders must be a list');
    await expect(client.call('nothing' as 'ping')).rejects.toThrow('there is no endpoint nothing');
    await expect(exchange.client().account()).rejects.toThrow('account: it needs an apiKey and a secretKey');
    expect(await requests('/api/v3/order')).toHaveLength(before);
  });

  test('DEC-KIT-85: an option that cannot be used is refused by name', () => {
    const refused: [object, string][] = [
      [{ baseURL: 'http://x' }, 'there is no option baseURL'],
      [{ constructor: 1 }, 'there is no option constructor'],
      [{ baseUrl: 'x' }, 'baseUrl must be an http address'],
      [{ apiKey: 'x' }, 'apiKey and secretKey come together'],
      [{ recvWindow: 60_000 }, 'recvWindow must be a whole number from 1 to 59999'],
      [{ orderPrefix: 'a b' }, 'orderPrefix must be'],
      [{ now: 5 }, 'now must be a function'],
    ];
    for (const [options, message] of refused) expect(() => new BourseClient(options)).toThrow(message);
    expect(() => exchange.client('nobody')).toThrow('there is no account nobody');
    expect(() => exchange.client('constructor')).toThrow('there is no account constructor');
  });

  test('DEC-KIT-85: the header of the key and the address have names of their own', async () => {
    const sent: [string, Record<string, string>][] = [];
    const fetch: FetchFunction = async (url, { headers }) => {
      sent.push([url, headers]);
      return new Response(url.includes('/time?') || url.endsWith('/time') ? '{"serverTime":5}' : '[]');
    };
    const options = { baseUrl: 'https://api.example.com/', keyHeader: 'X-OTHER-APIKEY', apiKey: 'k', secretKey: 's' };
    client = new BourseClient({ ...options, fetch, now: () => 1005 });
    await client.openOrders({ symbol });
    expect(client.clockOffsetMs).toBe(-1000);
    expect(sent.map(([, headers]) => headers)).toEqual([{}, { 'X-OTHER-APIKEY': 'k' }]);
    const [address, signature] = sent[1]![0].split('&signature=');
    expect(address).toBe('https://api.example.com/api/v3/openOrders?symbol=BTCUSDT&recvWindow=5000&timestamp=5');
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('what fails', () => {
  test('DEC-KIT-86: a refusal has its status, code and endpoint', async () => {
    client = clientOf();
    const error = await errorOf(client.placeOrder({ ...bid, quantity: '0' }));
    expect(error).toBeInstanceOf(BourseError);
    expect(error).toMatchObject({ name: 'BourseError', endpoint: 'placeOrder', status: 400, isLost: false });
    expect(error.code).toBeGreaterThan(0);
    expect(await errorOf(client.futuresDepth({ symbol: 'NO_SUCH' }))).toMatchObject({ status: 200, code: 1001 });
    const stranger = exchange.client({ apiKey: exchange.accounts.alice.apiKey, secretKey: 'x'.repeat(32) });
    expect(await errorOf(stranger.account())).toMatchObject({ status: 400, code: 700002 });
  });

  test('DEC-KIT-86: what only reads is sent again after lost answers, no more often than it may be', async () => {
    client = clientOf();
    await strike({ path: '/api/v3/depth' }, { kind: 'refuse', status: 503 });
    await strike({ path: '/api/v3/depth' }, { kind: 'drop', at: 'answer' });
    await strike({ path: '/api/v3/depth' }, { kind: 'truncate' });
    expect(await client.depth({ symbol, limit: 5 })).toMatchObject({ bids: [], asks: [] });
    const hasty = clientOf({ retries: 1 });
    const before = (await requests('/api/v3/trades')).length;
    await strike({ path: '/api/v3/trades' }, { kind: 'failAfter', status: 500 }, 10);
    expect(await errorOf(hasty.trades({ symbol }))).toMatchObject({ name: 'BourseError', status: 500, isLost: true });
    expect(await requests('/api/v3/trades')).toHaveLength(before + 2);
  });

  test('DEC-KIT-86: whoever is told to wait sends nothing at all until then', async () => {
    client = clientOf();
    await strike({ path: '/api/v3/depth' }, { kind: 'refuse', status: 429, retryAfterSeconds: 1 });
    const began = Date.now();
    const [depth, trades] = await Promise.all([
      client.depth({ symbol }),
      new Promise((resolve) => setTimeout(resolve, 200)).then(() => client.trades({ symbol })),
    ]);
    expect([depth, trades]).toMatchObject([{ bids: [] }, []]);
    const sent = [...(await requests('/api/v3/depth')), ...(await requests('/api/v3/trades'))].filter(
      ({ at, status }) => at >= began && status === 200,
    );
    expect(sent).toHaveLength(2);
    for (const { at } of sent) expect(at).toBeGreaterThanOrEqual(began + 900);

    await strike({ path: '/api/v3/depth' }, { kind: 'refuse', status: 418, retryAfterSeconds: 120 }, 2);
    const told = { status: 418, code: 418, retryAfterMs: 120_000 };
    expect(await errorOf(clientOf().depth({ symbol }))).toMatchObject(told);
    expect(await errorOf(clientOf({ waitsForLimits: false }).depth({ symbol }))).toMatchObject(told);
  });

  test('DEC-KIT-85: a clock that is wrong is measured, and measured anew when the exchange refuses a time', async () => {
    let aheadMs = 3_600_000;
    client = clientOf({ now: () => Date.now() + aheadMs });
    await client.account();
    expect(Math.abs(client.clockOffsetMs + aheadMs)).toBeLessThan(2000);
    aheadMs = -7000;
    await client.openOrders();
    expect(Math.abs(client.clockOffsetMs + aheadMs)).toBeLessThan(2000);
  });

  test('DEC-KIT-86: a client that is closed sends nothing more, and lets nobody wait', async () => {
    client = clientOf();
    await strike({ path: '/api/v3/depth' }, { kind: 'delay', at: 'answer', ms: 20_000 });
    await strike({ path: '/api/v3/trades' }, { kind: 'refuse', status: 429, retryAfterSeconds: 30 });
    const waiting = [errorOf(client.depth({ symbol })), errorOf(client.trades({ symbol }))];
    await new Promise((resolve) => setTimeout(resolve, 100));
    await client.close();
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ name: 'BourseError', status: 0 });
    expect((await errorOf(client.ping())).message).toContain('the client is closed');
  });
});

describe('unknown outcomes', () => {
  test('DEC-KIT-87: an order whose answer is lost is found, and was sent once', async () => {
    client = clientOf();
    const faults = [
      { kind: 'failAfter', status: 504 },
      { kind: 'failAfter', status: 503 },
      { kind: 'drop', at: 'answer' },
      { kind: 'truncate' },
    ];
    for (const fault of faults) {
      const before = (await requests('/api/v3/order')).filter(({ method }) => method === 'POST').length;
      await strike({ path: '/api/v3/order', method: 'POST' }, fault);
      const placed = await client.placeOrder({ ...bid, price: '49000' });
      const open = await client.openOrders({ symbol });
      expect(open.map(({ orderId }) => orderId)).toEqual([placed.orderId]);
      expect(placed).toMatchObject({ symbol, price: '49000', origQty: '0.001', side: 'BUY', type: 'LIMIT' });
      expect((await requests('/api/v3/order')).filter(({ method }) => method === 'POST')).toHaveLength(before + 1);
      // The answer to a cancel is lost as well.
      await strike({ path: '/api/v3/order', method: 'DELETE' }, fault);
      const canceled = await client.cancelOrder({ symbol, orderId: placed.orderId });
      expect(canceled).toMatchObject({ orderId: placed.orderId, status: 'CANCELED', origQty: '0.001' });
      expect(await client.openOrders({ symbol })).toEqual([]);
    }
  });

  test('DEC-KIT-87: orders of a batch are found each by its own id', async () => {
    client = clientOf();
    await strike({ path: '/api/v3/batchOrders' }, { kind: 'failAfter', status: 504 });
    const placed = await client.placeOrders({
      batchOrders: [bid, { ...bid, newClientOrderId: 'mine', quantity: '99999' }],
    });
    expect(placed).toMatchObject([{ symbol }, { newClientOrderId: 'mine', code: -2011 }]);
    expect(await client.cancelOpenOrders({ symbol })).toHaveLength(1);
  });

  test('DEC-KIT-87: an order that nobody got is known not to be there once its window is over', async () => {
    client = clientOf({ recvWindow: 200 });
    await strike({ path: '/api/v3/order', method: 'POST' }, { kind: 'drop', at: 'request' });
    const error = await errorOf(client.placeOrder(bid));
    expect(error).not.toBeInstanceOf(UnknownOutcome);
    expect(error).toMatchObject({ name: 'BourseError', isLost: false, status: 0 });
    expect(error.message).toContain('it was not carried out');
    await strike({ path: '/api/v3/order', method: 'POST' }, { kind: 'refuse', status: 503 });
    expect(await errorOf(client.placeOrder(bid))).toMatchObject({ name: 'BourseError', status: 503, isLost: false });
    expect(await client.openOrders({ symbol })).toEqual([]);
  });

  test('DEC-KIT-87: where nothing tells what became of an order, that is thrown with the id to look for', async () => {
    client = clientOf({ outcomeWaitMs: 300 });
    await strike({ path: '/api/v3/order', method: 'POST' }, { kind: 'drop', at: 'request' });
    const error = await errorOf(client.placeOrder({ ...bid, newClientOrderId: 'lost-1' }));
    expect(error).toBeInstanceOf(UnknownOutcome);
    expect(error).toMatchObject({ name: 'UnknownOutcome', clientId: 'lost-1', isLost: true });
    // A key that may not read orders cannot look for one.
    const { uid } = exchange.accounts.alice;
    const { key } = await exchange.operator.impersonate({ uid, seconds: 600, permissions: ['SPOT_DEAL_WRITE'] });
    const blind = exchange.client({ apiKey: key.accessKey, secretKey: key.secretKey });
    await strike({ path: '/api/v3/order', method: 'POST' }, { kind: 'failAfter', status: 504 });
    const unseen = await errorOf(blind.placeOrder(bid));
    expect(unseen).toMatchObject({ name: 'UnknownOutcome', cause: { code: 700007 } });
    expect(await client.cancelOpenOrders({ symbol })).toHaveLength(1);
  });

  test('DEC-KIT-87: a withdrawal is found by its id, and other changes are thrown as unknown', async () => {
    client = clientOf();
    const [network] = (await client.coinConfiguration()).find(({ coin }) => coin === 'USDT')?.networkList ?? [];
    const address = `0x${'5'.repeat(40)}`;
    await strike({ path: '/api/v3/capital/withdraw', method: 'POST' }, { kind: 'failAfter', status: 504 });
    const members = { coin: 'USDT', netWork: network?.netWork as string, address, amount: '50' };
    const { id } = await client.withdraw(members);
    const latest = await client.withdrawals({ coin: 'USDT' });
    expect(latest.map((each) => each.id)).toEqual([id]);
    await strike({ path: '/api/v3/userDataStream', method: 'POST' }, { kind: 'failAfter', status: 504 });
    expect(await errorOf(client.createListenKey())).toMatchObject({ name: 'UnknownOutcome', clientId: null });
  });
});
