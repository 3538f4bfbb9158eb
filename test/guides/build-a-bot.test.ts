import { afterAll, beforeAll, expect, test } from 'vitest';
import { BourseClient } from '#client/client.ts';
import { asOfClient, type Depth, loadExampleBot, type Order, type Rest, type Update, until } from './example-bot.ts';
import { FaultyProxy, retryAfterSeconds } from './faulty-proxy.ts';

/** The code of docs/guides/build-a-bot.md and without-a-client.md against a real exchange in a process of its own. */

const bot = await loadExampleBot();
const symbol = 'BTCUSDT';
let exchange: Awaited<ReturnType<typeof bot.startSandbox>>;
let proxy: FaultyProxy;
let alice: Rest;
let bob: Rest;
let wsUrl: string;

beforeAll(async () => {
  exchange = await bot.startSandbox();
  [alice, bob] = [exchange.rest('alice'), exchange.rest('bob')];
  wsUrl = exchange.demo.ws_url;
  proxy = await FaultyProxy.open(exchange.demo.base_url, 'POST /api/v3/order?');
});
afterAll(async () => {
  proxy?.close();
  await exchange?.stop();
});

/** Time that a client was told, or decided, to wait; it goes on at once. */
const waits: number[] = [];
const wait = async (ms: number): Promise<void> => void waits.push(ms);
const keysOf = (name: string) => exchange.demo.accounts.find((account) => account.name === name)!;
const spoiled = (now = Date.now): Rest => new bot.Rest({ ...keysOf('alice'), base: proxy.base, wait, now });

let named = 0;
const order = (side: 'BUY' | 'SELL', price: number, more: object = {}) => {
  named += 1;
  const newClientOrderId = `test-${named}`;
  return { symbol, side, type: 'LIMIT', quantity: '0.01', price: price.toFixed(2), newClientOrderId, ...more };
};
const openOrders = (rest: Rest) => rest.signed<Order[]>('GET', '/api/v3/openOrders', { symbol });
const ordersNamed = async (clientId: string): Promise<Order[]> => {
  const all = await alice.signed<Order[]>('GET', '/api/v3/allOrders', { symbol });
  return all.filter(({ clientOrderId }) => clientOrderId === clientId);
};
const cancelAll = async (): Promise<void> => {
  for (const rest of [alice, bob]) await rest.signed('DELETE', '/api/v3/openOrders', { symbol: `${symbol},ETHUSDT` });
};

/** What the book must be: at each price the sum of what is left of all open orders. */
async function levelsOfOrders(side: 'BUY' | 'SELL'): Promise<[number, number][]> {
  const sums = new Map<number, number>();
  for (const open of [...(await openOrders(alice)), ...(await openOrders(bob))]) {
    if (open.side !== side) continue;
    const [price, left] = [Number(open.price), Number(open.origQty) - Number(open.executedQty)];
    sums.set(price, (sums.get(price) ?? 0) + Math.round(left * 1e6));
  }
  return [...sums].sort(([one], [other]) => (side === 'BUY' ? other - one : one - other));
}

/** Places or cancels something. Prices of both sides overlap, so that some orders trade. */
async function trade(step: number): Promise<void> {
  const rest = step % 2 === 0 ? alice : bob;
  if (step % 5 === 4) {
    const [oldest] = await openOrders(rest);
    if (oldest !== undefined) await bot.cancelOrder(rest, symbol, oldest.clientOrderId);
    return;
  }
  const distance = ((step * 7) % 13) - 2;
  const isBuy = step % 4 < 2;
  await bot.placeOrder(rest, order(isBuy ? 'BUY' : 'SELL', 60_000 + (isBuy ? -distance : distance)));
}

test('the local book stays exact through dropped pushes and cut connections', async () => {
  await bot.placeOrder(bob, order('BUY', 59_000)); // The book has a past that was not heard.
  const followed = bot.followBook({ rest: bob, wsUrl, symbol });
  const { book, stream, counted } = followed;
  const units = (text: string): number => Math.round(Number(text) * 1e6);
  let step = 0;
  const tradeOn = (): Promise<void> => trade((step += 1));
  const compare = async (): Promise<void> => {
    const { lastUpdateId } = await bob.get<Depth>('/api/v3/depth', { symbol });
    await until(`version ${lastUpdateId}`, () => book.isReady && book.version === lastUpdateId);
    for (const [side, name] of [
      ['BUY', 'bids'],
      ['SELL', 'asks'],
    ] as const) {
      const levels = book.top(name, 5000).map(([price, quantity]) => [Number(price), units(quantity)]);
      expect(levels).toEqual(await levelsOfOrders(side));
      expect(levels.length).toBeGreaterThan(1);
    }
  };
  try {
    await until('the first snapshot', () => book.isReady);
    for (let turn = 1; turn <= 3; turn += 1) {
      for (let orders = 0; orders < 15; orders += 1) await tradeOn();
      await compare();
      stream.loseNext();
      // A gap shows with the push after it.
      await until('a gap', async () => {
        await tradeOn();
        return counted.gaps === turn;
      });
      for (let orders = 0; orders < 10; orders += 1) await tradeOn();
      await compare();
      stream.cut();
      await until('the loss', () => !book.isReady);
      for (let orders = 0; orders < 10; orders += 1) await tradeOn();
      await compare();
    }
    expect(counted).toMatchObject({ gaps: 3, connections: 4 });
  } finally {
    followed.close();
    await cancelAll();
  }
}, 90_000);

test('DEC-STR-20: a snapshot asked for after a push is at least as new as that push', async () => {
  const asked: Promise<number>[] = [];
  const onUpdate = ({ toVersion }: Update): void => {
    asked.push(
      bob.get<Depth>('/api/v3/depth', { symbol }).then(({ lastUpdateId }) => lastUpdateId - Number(toVersion)),
    );
  };
  const followed = bot.followBook({ rest: bob, wsUrl, symbol, onUpdate });
  try {
    await until('the book', () => followed.book.isReady);
    let step = 0;
    // Changes of ten milliseconds share a push: how many pushes some orders make depends on their pace.
    await until('pushes', async () => {
      await trade((step += 1));
      return asked.length > 9;
    });
    expect(Math.min(...(await Promise.all(asked)))).toBeGreaterThanOrEqual(0);
  } finally {
    followed.close();
    await cancelAll();
  }
});

test.each([
  ['is lost', ['requestLost']],
  ['is carried out and its answer lost', ['answerLost']],
  ['is carried out and answered with 504', ['timeout']],
  ['is lost, then unanswered', ['requestLost', 'answerLost']],
  ['is never answered', ['answerLost', 'answerLost', 'timeout']],
  ['arrives with the last try only', ['requestLost', 'requestLost', 'answerLost']],
  ['is carried out and its repeat refused', ['answerLost', 'refused']],
] as const)('DEC-REQ-26: an order whose request %s is on the book once', async (_, faults) => {
  proxy.faults = [...faults];
  const sent = order('BUY', 50_000);
  const placed = await bot.placeOrder(spoiled(), sent);
  const found = await ordersNamed(sent.newClientOrderId);
  expect(found.map(({ orderId }) => orderId)).toEqual([placed.orderId]);
  expect(proxy.faults).toEqual([]);
  expect(await bot.cancelOrder(alice, symbol, sent.newClientOrderId)).toMatchObject({ status: 'CANCELED' });
  expect(await bot.cancelOrder(alice, symbol, sent.newClientOrderId)).toBe(null);
});

test.each([
  ['never arrives', ['requestLost', 'requestLost', 'requestLost'], {}],
  ['is lost and then refused', ['requestLost', 'refused'], { code: 30004 }],
] as const)('an order that %s is told as such, once no request can be under way any more', async (_, faults, error) => {
  proxy.faults = [...faults];
  waits.length = 0;
  const sent = order('BUY', 50_000);
  const placing = bot.placeOrder(spoiled(), sent);
  await expect(placing).rejects.toBeInstanceOf(Error);
  await expect(placing).rejects.toMatchObject(error);
  // SPEC-CNV-12: taken for a recvWindow of 5 s, and dated up to 1 s ahead.
  expect(waits.at(-1)).toBe(6000);
  expect(await ordersNamed(sent.newClientOrderId)).toEqual([]);
});

test('DEC-REQ-26: no repeat is sent so late that the exchange may have forgotten the name', async () => {
  proxy.faults = ['answerLost', 'limitedForLong', 'requestLost'];
  const sent = order('BUY', 50_000);
  const placed = await bot.placeOrder(spoiled(), sent);
  const found = await ordersNamed(sent.newClientOrderId);
  expect(found.map(({ orderId }) => orderId)).toEqual([placed.orderId]);
  expect(proxy.faults).toEqual(['requestLost']);
  proxy.faults = [];
  await cancelAll();
});

test('a refusal at once needs no look: nothing else is under way', async () => {
  proxy.faults = ['refused'];
  waits.length = 0;
  await expect(bot.placeOrder(spoiled(), order('BUY', 50_000))).rejects.toMatchObject({ code: 30004 });
  expect(waits).toEqual([]);
});

test('an order without a right to be repeated is sent once', async () => {
  proxy.faults = ['answerLost', 'answerLost'];
  const { newClientOrderId, ...sent } = order('BUY', 50_000);
  await expect(spoiled().signed('POST', '/api/v3/order', sent)).rejects.toBeInstanceOf(bot.UnknownOutcome);
  expect(proxy.faults).toEqual(['answerLost']);
  proxy.faults = [];
  expect(await openOrders(alice)).toHaveLength(1);
  await cancelAll();
});

test('SPEC-CNV-23: whoever is told to wait sends nothing until then, and is not refused as others are', async () => {
  proxy.faults = ['limited'];
  waits.length = 0;
  const rest = spoiled();
  const sent = order('BUY', 50_000);
  await bot.placeOrder(rest, sent);
  await rest.get('/api/v3/ping');
  expect(waits).toHaveLength(2);
  for (const ms of waits) expect(ms).toBeGreaterThan((retryAfterSeconds - 2) * 1000);
  for (const ms of waits) expect(ms).toBeLessThanOrEqual(retryAfterSeconds * 1000);
  expect(await ordersNamed(sent.newClientOrderId)).toHaveLength(1);
  await cancelAll();
});

test('SPEC-CNV-23: over the real budget it waits for as long as the exchange says', async () => {
  waits.length = 0;
  const rest = spoiled();
  const spend = async () => {
    for (let calls = 0; calls < 60; calls += 1) await rest.signed('GET', '/api/v3/myTrades', { symbol });
  };
  await expect(spend()).rejects.toMatchObject({ status: 429 });
  // Three tries, since these waits end at once: after each but the last one it was told to wait.
  expect(waits).toHaveLength(2);
  for (const ms of waits) expect(ms > 0 && ms <= 10_000).toBe(true);
});

test('SPEC-CNV-12: a clock that is an hour off is corrected after the first refusal', async () => {
  const rest = spoiled(() => Date.now() + 3_600_000);
  await rest.signed('GET', '/api/v3/openOrders', { symbol });
  expect(Math.abs(rest.clockOffsetMs + 3_600_000)).toBeLessThan(1000);
});

interface Balances {
  readonly balances: readonly { readonly asset: string; readonly free: string; readonly locked: string }[];
}

test('orders and balances are known from private pushes, also what changed while the connection was lost', async () => {
  const own = bot.followAccount({ rest: alice, wsUrl, symbol });
  const { account, counted } = own;
  const fills = () => [...account.orders.values()].map(({ filled }) => filled).sort();
  const [kept, gone] = [order('BUY', 60_000, { quantity: '0.05' }), order('BUY', 59_990)];
  const sell = (quantity: string) => bot.placeOrder(bob, order('SELL', 60_000, { quantity }));
  try {
    await bot.placeOrder(alice, kept);
    await until('a first answer', () => account.isReady);
    // Of another pair: not one of its orders.
    await bot.placeOrder(alice, order('BUY', 2000, { symbol: 'ETHUSDT', quantity: '0.1' }));
    await bot.placeOrder(alice, gone);
    await sell('0.02');
    await until('an order with a fill, and another', () => String(fills()) === '0,0.02');
    expect(account.orders.get(kept.newClientOrderId)).toMatchObject({ side: 'BUY', price: '60000' });

    own.stream.cut();
    await until('the loss', () => !account.isReady);
    await bot.cancelOrder(alice, symbol, gone.newClientOrderId);
    await sell('0.01');
    await until('what happened meanwhile', () => account.isReady && String(fills()) === '0.03');
    expect(counted).toMatchObject({ connections: 2, keys: 1 });

    const { listenKey } = await alice.signed<{ listenKey: string[] }>('GET', '/api/v3/userDataStream');
    for (const key of listenKey) await alice.signed('DELETE', '/api/v3/userDataStream', { listenKey: key });
    await until('another listen key', () => counted.keys === 2 && account.isReady);
    await sell('0.02');
    await until('a push under the new key', () => account.orders.size === 0);
    const { balances } = await alice.signed<Balances>('GET', '/api/v3/account');
    const known = () => balances.map(({ asset }) => ({ asset, ...account.balances.get(asset) }));
    const expected = balances.map(({ asset, free, locked }) => ({ asset, free, locked }));
    await until('equal balances', () => JSON.stringify(known()) === JSON.stringify(expected));
  } finally {
    await own.close();
    await cancelAll();
  }
});

test('a listen key is renewed in time, and ended with its stream', async () => {
  const listenKeys = async () =>
    (await bob.signed<{ listenKey: string[] }>('GET', '/api/v3/userDataStream')).listenKey.length;
  const own = bot.followAccount({ rest: bob, wsUrl, symbol, renewEveryMs: 20 });
  await until('two renewals', () => own.counted.renewals > 1);
  expect(await listenKeys()).toBe(1);
  await own.close();
  expect(await listenKeys()).toBe(0);
});

test('the market maker has at most one quote a side, moves it with the market and leaves none behind', async () => {
  await bot.fundBook(bob, { symbol, price: 60_000, tick: 1, quantity: '1', levels: 3 });
  const { apiKey, secretKey } = keysOf('alice');
  const client = new BourseClient({ apiKey, secretKey, baseUrl: proxy.base });
  const market = bot.followBook({ rest: bob, wsUrl, symbol });
  const own = bot.followAccount({ rest: alice, wsUrl, symbol });
  const { symbols } = await alice.get<{ symbols: object[] }>('/api/v3/exchangeInfo', { symbol });
  const settings = { quantity: '0.01', positionMax: 1, halfSpread: 0.0001, tolerance: 0.00005 };
  let isHidden = false;
  const book = {
    get isReady() {
      return market.book.isReady && !isHidden;
    },
    levels: (side: 'bids' | 'asks', count: number) => market.book.top(side, count),
  };
  const parts = { client, book, account: own.account, rules: symbols[0]!, ...settings };
  const maker = new bot.Maker(parts);
  const quotes = async () =>
    (await openOrders(alice)).map(({ side, price }) => `${side} ${price}`).sort((one, other) => (one < other ? -1 : 1));
  /** Lets pushes arrive, then works, then lets them arrive again. */
  const round = async (): Promise<void> => {
    await maker.round();
    const open = (await openOrders(alice)).length;
    await until('own pushes', () => own.account.orders.size === open);
    const { lastUpdateId } = await bob.get<Depth>('/api/v3/depth', { symbol });
    await until('the book', () => market.book.version === lastUpdateId);
  };
  try {
    await until('book and account', () => market.book.isReady && own.account.isReady);
    proxy.faults = ['answerLost', 'answerLost'];
    await round();
    // A spread of 2 basis points is 12 around 60,000.
    expect(await quotes()).toEqual(['BUY 59994', 'SELL 60006']);
    await round();
    expect([await quotes(), maker.placed]).toEqual([['BUY 59994', 'SELL 60006'], 2]);

    // The market falls by 20, and the maker's bid is taken on the way.
    await bob.signed('DELETE', '/api/v3/openOrders', { symbol });
    await bot.placeOrder(bob, order('SELL', 59_979));
    await bot.placeOrder(bob, order('BUY', 59_977, { quantity: '1' }));
    await bot.placeOrder(bob, order('SELL', 59_979, { quantity: '1' }));
    const { lastUpdateId } = await bob.get<Depth>('/api/v3/depth', { symbol });
    await until('the fall', () => market.book.version === lastUpdateId && own.account.orders.size === 1);
    await round();
    // The middle is 59,978; having bought a hundredth of its bound, it shifts by a hundredth of half the spread.
    expect(await quotes()).toEqual(['BUY 59971.94', 'SELL 59983.94']);

    // The connection is back within a quarter of a second, which may be before the maker has done its round.
    isHidden = true;
    market.stream.cut();
    await until('the loss', () => !market.book.isReady);
    await maker.round();
    expect(await quotes()).toEqual([]);
    isHidden = false;
    await until('the book again', () => market.book.isReady);
    await round();
    expect(await quotes()).toHaveLength(2);
    await maker.stop();
    expect(await quotes()).toEqual([]);
  } finally {
    market.close();
    await own.close();
    await client.close();
    await cancelAll();
  }
});

test('a comparison finds what is wrong in a local book', async () => {
  const market = bot.followBook({ rest: bob, wsUrl, symbol });
  const { book, stream } = market;
  const client = { depth: (members: object) => bob.get('/api/v3/depth', members) };
  const check = new bot.BookCheck({ client, book: asOfClient(book), symbol });
  try {
    await until('the book', () => book.isReady);
    expect([await check.run(), check.compared]).toEqual([[], 1]);

    const version = String(book.version + 1);
    book.take({ fromVersion: version, toVersion: version, bids: [{ price: '50000', quantity: '5' }], asks: [] });
    expect(await check.run()).toEqual(['bids 50000: 5 here, nothing there']);

    stream.cut();
    await until('the loss', () => !book.isReady);
    await until('the book again', () => book.isReady);
    stream.loseNext();
    await bot.placeOrder(bob, order('BUY', 50_000));
    expect(await check.run()).toEqual([`the book stays at ${book.version}, behind ${book.version + 1}`]);
  } finally {
    market.close();
    await cancelAll();
  }
});
