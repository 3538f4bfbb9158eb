import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer, type ServerProcess, verifyData } from './server-process.ts';
import { TradingClient } from './trading-client.ts';

/** What an order answers and owns afterwards, told by a person who only has the public API. */
interface Trader {
  /** Places an order and answers its body. */
  place(terms: Readonly<Record<string, string>>): Promise<Record<string, unknown>>;
  /** Free and locked of one asset. */
  owns(asset: string): Promise<readonly [string, string]>;
  call(method: string, path: string, parameters: Readonly<Record<string, string>>): Promise<unknown>;
}

function traderOf(client: TradingClient): Trader {
  const call = async (method: string, path: string, parameters: Readonly<Record<string, string>>): Promise<unknown> => {
    const reply = await client.call(method, path, parameters);
    if (reply === null) throw new Error(`no answer to ${method} ${path}: the exchange is gone`);
    return reply.body;
  };
  return {
    call,
    place: async (terms) => (await call('POST', '/api/v3/order', terms)) as Record<string, unknown>,
    owns: async (asset) => {
      const account = (await call('GET', '/api/v3/account', {})) as {
        balances: { asset: string; free: string; locked: string }[];
      };
      const balance = account.balances.find((row) => row.asset === asset);
      return [balance?.free ?? '0', balance?.locked ?? '0'];
    },
  };
}

/* One exchange for all: stories use other funds, or provide for those that they need. */
let data: string;
let server: ServerProcess;
let clients: readonly TradingClient[] = [];
let alice: Trader;
let bob: Trader;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'bourse-last-unit-'));
  server = await startServer(data);
  clients = ['alice', 'bob'].map((name) => new TradingClient(server.demo, name));
  [alice, bob] = clients.map(traderOf) as [Trader, Trader];
});
afterAll(() => {
  server.process.kill('SIGKILL');
  for (const client of clients) client.close();
  rmSync(data, { recursive: true, force: true });
});
/** Nothing waits in the books when a story begins. */
beforeEach(async () => {
  for (const trader of [alice, bob])
    for (const symbol of ['BTCUSDT', 'SVCUSDT', 'SHIBUSDT'])
      await trader.call('DELETE', '/api/v3/openOrders', { symbol });
});

const limit = (symbol: string, side: string, quantity: string, price: string): Record<string, string> => ({
  symbol,
  side,
  type: 'LIMIT',
  quantity,
  price,
});

/** Sells to bob, at once. */
async function sellToBob(symbol: string, quantity: string, price: string): Promise<void> {
  await bob.place(limit(symbol, 'BUY', quantity, price));
  expect(await alice.place(limit(symbol, 'SELL', quantity, price))).toHaveProperty('orderId');
}

/** Buys from bob what she sold before. */
async function buyFromBob(symbol: string, quantity: string, price: string): Promise<void> {
  await bob.place(limit(symbol, 'SELL', quantity, price));
  expect(await alice.place(limit(symbol, 'BUY', quantity, price))).toHaveProperty('orderId');
}

test('DEC-ORD-34: a sale by quote amount that would need more than one owns is refused, and the exchange goes on', async () => {
  await sellToBob('BTCUSDT', '19.999', '20000');
  await bob.place(limit('BTCUSDT', 'BUY', '0.001', '20000'));
  await bob.place(limit('BTCUSDT', 'BUY', '0.001', '19999.99'));
  const sale = { symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET' };
  expect(await alice.place({ ...sale, quoteOrderQty: '20.019999995' })).toMatchObject({ code: 30005 });
  expect(await alice.owns('BTC')).toEqual(['0.001', '0']);
  expect(await alice.place({ ...sale, quoteOrderQty: '20' })).toHaveProperty('orderId');
  expect(await alice.owns('BTC')).toEqual(['0', '0']);
});

test('DEC-ORD-32: where the token fees of a self trade do not fit together, only the taker pays in the token', async () => {
  await sellToBob('SVCUSDT', '99991', '1');
  await sellToBob('SHIBUSDT', '1000000', '0.000002');
  await alice.call('POST', '/api/v3/mxDeduct/enable', { mxDeductEnable: 'true' });
  expect(await alice.owns('SVC')).toEqual(['9', '0']);
  await alice.place(limit('SHIBUSDT', 'SELL', '4999000000', '0.000002'));
  const [usdtBefore] = await alice.owns('USDT');
  expect(await alice.place(limit('SHIBUSDT', 'BUY', '4999000000', '0.000002'))).toHaveProperty('orderId');
  // Of 9998 USDT the taker pays a thousandth less a fifth: 7.9984. The maker's 1.59968 does not fit into the rest.
  expect(await alice.owns('SVC')).toEqual(['1.0016', '0']);
  expect(Number(usdtBefore) - Number((await alice.owns('USDT'))[0])).toBeCloseTo(1.9996, 6);
});

const salesOfAll = {
  MARKET: { type: 'MARKET' },
  IMMEDIATE_OR_CANCEL: { type: 'IMMEDIATE_OR_CANCEL', price: '1' },
  FILL_OR_KILL: { type: 'FILL_OR_KILL', price: '1' },
};
test.each(Object.entries(salesOfAll))("with token deduction on, all of one's token is sold by %s", async (_, words) => {
  await alice.call('POST', '/api/v3/mxDeduct/enable', { mxDeductEnable: 'true' });
  await buyFromBob('SVCUSDT', '99990', '1');
  const [free] = await alice.owns('SVC');
  await bob.place(limit('SVCUSDT', 'BUY', '50000', '1'));
  await bob.place(limit('SVCUSDT', 'BUY', '50000', '1'));
  const sold = Math.floor(Number(free) * 100) / 100;
  expect(sold).toBeGreaterThan(99_000);
  const sale = { symbol: 'SVCUSDT', side: 'SELL', quantity: String(sold), ...words };
  expect(await alice.place(sale)).toHaveProperty('orderId');
  const [left] = await alice.owns('SVC');
  expect(Number(left)).toBeGreaterThanOrEqual(0);
  expect(Number(left)).toBeLessThan(0.01);
});

test('the exchange restarts from its journal afterwards, and its data verify', async () => {
  server.process.kill('SIGKILL');
  await server.ended;
  server = await startServer(data);
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect((await verifyData(data)).text).toContain('All sound.');
}, 60_000);
