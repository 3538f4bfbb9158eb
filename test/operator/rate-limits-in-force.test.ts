import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Configuration, defaultOf, settingNames } from '#main/configuration-schema.ts';
import { openServers, type Servers } from '#main/composition/servers.ts';
import { createPriceIndex } from '#market-data/price-index/index-mean.ts';
import { createOperatorFeed } from '#market-data/price-index/operator-feed.ts';
import { keys, sign, startTestGateway, type TestGateway } from '../api/gateway-harness.ts';
import { rootToken } from './operator-harness.ts';

const none = (): never => {
  throw new Error('there are no webhooks here');
};

let gate: TestGateway;
let servers: Servers;
/** The real servers, on ports of their own, over the exchange of `gate`: opened again they know what it knows. */
async function openAll(): Promise<Servers> {
  const defaults = Object.fromEntries(settingNames.map((name) => [name, defaultOf(name, 'sandbox')])) as Configuration;
  const ports = { port: 0, futuresPort: 0, operatorPort: 0 };
  const config = { ...defaults, profile: 'sandbox' as const, ...ports, trustedProxies: ['127.0.0.1'] };
  const operatorFeed = createOperatorFeed();
  return openServers(
    config,
    {
      ...{ ...gate.gateway.context, operatorFeed, priceIndex: createPriceIndex([operatorFeed]) },
      ...{ wall: gate.wall, rootToken, settings: config, metricSources: [], payingState: () => null },
      webhooks: { stateOf: none, test: none, faultOfUrl: none, seal: none },
    },
    gate.exchange.sequencer,
  );
}
beforeEach(async () => {
  gate = await startTestGateway();
  gate.wall.time = gate.exchange.clock.time;
  servers = await openAll();
});
afterEach(async () => {
  await servers.close();
  await gate.close();
});

async function restart(): Promise<void> {
  await servers.close();
  servers = await openAll();
}

const { sub } = keys;
const address = '198.51.100.7';
interface Ask {
  readonly from?: string;
  readonly key?: string;
  readonly method?: string;
}
/** Status, used weight and Retry-After of a request to a public port. */
async function ask(path: string, { from = address, key, method = 'GET' }: Ask = {}, port = servers.addresses.baseUrl) {
  const headers = { 'X-Forwarded-For': from, ...(key === undefined ? {} : { 'X-SVC-APIKEY': key }) };
  let url = port + path;
  if (key !== undefined) {
    const [route, query = ''] = path.split('?');
    const text = `${query}${query && '&'}timestamp=${gate.exchange.clock.time}`;
    url = `${port}${route}?${text}&signature=${sign(text)}`;
  }
  const reply = await fetch(url, { method, headers });
  await reply.arrayBuffer();
  return [reply.status, reply.headers.get('x-svc-used-weight'), reply.headers.get('retry-after')] as const;
}
async function operate(method: string, kind: string, target: string, terms: object = {}): Promise<void> {
  const url = `${servers.addresses.operatorUrl}/v1/rate-limits/${kind}/${encodeURIComponent(target)}`;
  const body = method === 'PUT' ? { body: JSON.stringify({ until: null, reason: 'A test.', ...terms }) } : {};
  const headers = { authorization: `Bearer ${rootToken}`, 'content-type': 'application/json' };
  const reply = await fetch(url, { method, headers, ...body });
  expect([reply.status, await reply.text()]).toEqual([200, expect.anything()]);
}
const set = (kind: string, target: string, terms: object) => operate('PUT', kind, target, terms);
const lift = (kind: string, target: string) => operate('DELETE', kind, target);
/** Sends requests until one is refused, at most `most`: how many were not. */
async function servedOf(most: number, path: string, asking: Ask = {}): Promise<number> {
  for (let served = 0; served < most; served += 1) {
    const [status] = await ask(path, asking);
    if (status === 429) return served;
    expect(status).toBe(200);
  }
  return most;
}
const info = '/api/v3/exchangeInfo?symbol=BTCUSDT';
const openOrders = '/api/v3/openOrders?symbol=BTCUSDT';
/** From an address of its own for each, so that accounts and keys alone are counted. */
let senders = 0;
const asKey = (key: string, method = 'DELETE'): Ask => {
  senders += 1;
  return { key, method, from: `192.0.2.${senders % 200}` };
};
/** Requests of a key to cancel all, or to list, until one is refused: how many were not. */
async function cancelsOf(most: number, key: string, method = 'DELETE'): Promise<number> {
  for (let served = 0; served < most; served += 1) {
    const [status] = await ask(openOrders, asKey(key, method));
    if (status === 429) return served;
    expect(status).toBe(200);
  }
  return most;
}
const nextWindow = (): void => {
  gate.monotonic.time += 10_000;
};

test('DEC-OPR-171: set, met, restarted, lifted: an address gets less, then what everybody gets', async () => {
  await set('address', address, { weight: 25 });
  expect(await servedOf(5, info)).toBe(2);
  expect(await ask(info)).toEqual([429, '20', '10']);
  expect((await ask(info, { from: '198.51.100.8' }))[0]).toBe(200);
  await restart();
  expect(await servedOf(5, info)).toBe(2);
  await lift('address', address);
  expect(await servedOf(60, info)).toBe(48);
});

test('DEC-OPR-171: a range gives more to each address of it, and the narrowest range counts', async () => {
  await set('address', '198.51.100.0/24', { weight: 600 });
  await set('address', '198.51.100.9', { weight: 10 });
  await set('address', '2001:db8::/32', { weight: 20 });
  expect(await servedOf(70, info)).toBe(60);
  expect(await servedOf(70, info, { from: '::ffff:198.51.100.8' })).toBe(60);
  expect(await servedOf(2, info, { from: '198.51.100.9' })).toBe(1);
  expect(await servedOf(3, info, { from: '2001:db8:7::1' })).toBe(2);
  expect(await servedOf(3, info, { from: '2001:db8:7::2' })).toBe(0);
  expect(await servedOf(3, info, { from: '2001:db8:8::1' })).toBe(2);
});

test('DEC-OPR-171: a window goes on where a limit is set, changed, lifted or ends within it', async () => {
  expect(await servedOf(40, info)).toBe(40);
  await set('address', address, { weight: 410 });
  expect(await servedOf(5, info)).toBe(1);
  await lift('address', address);
  expect(await servedOf(20, info)).toBe(9);
  await set('address', address, { weight: 600, until: gate.wall.time + 5000 });
  expect(await servedOf(5, info)).toBe(5);
  gate.wall.time += 5000;
  expect((await ask(info))[0]).toBe(429);
  nextWindow();
  expect(await servedOf(60, info)).toBe(50);
});

test('DEC-OPR-171: an endpoint that weighs more is refused in each window, and who waits is not banned', async () => {
  await set('address', address, { weight: 9 });
  for (let window = 0; window < 8; window += 1) {
    expect(await ask(info)).toEqual([429, '0', '10']);
    nextWindow();
  }
  expect((await ask('/api/v3/time'))[0]).toBe(200);
  for (let call = 0; call < 5; call += 1) await ask(info);
  expect((await ask(info))[0]).toBe(418);
});

test('DEC-OPR-171: pages and unknown paths count, health pages do not', async () => {
  await set('address', address, { weight: 2 });
  expect(await servedOf(5, '/favicon.ico')).toBe(2);
  expect([(await ask('/a'))[0], (await ask('/b'))[0], (await ask('/c'))[0]]).toEqual([404, 404, 429]);
  for (const path of ['/healthz', '/healthz', '/healthz', '/metrics']) expect((await ask(path))[0]).toBe(200);
});

test('DEC-OPR-171: calls of futures endpoints have a limit of their own', async () => {
  await set('address', address, { futuresCalls: 3, weight: 10 });
  const ping = () => ask('/api/v1/contract/ping', {}, servers.addresses.futuresBaseUrl);
  for (const status of [200, 200, 200, 429]) expect((await ping())[0]).toBe(status);
  await set('address', address, { futuresCalls: 30 });
  for (let call = 3; call < 30; call += 1) expect((await ping())[0]).toBe(200);
  expect((await ping())[0]).toBe(429);
  expect(await servedOf(60, info)).toBe(50);
});

test('DEC-OPR-171: exchangeInfo tells an address its own limit, in an answer that no cache keeps', async () => {
  const told = async (from: string) => {
    const reply = await fetch(servers.addresses.baseUrl + info, { headers: { 'X-Forwarded-For': from } });
    const { rateLimits } = (await reply.json()) as { rateLimits: { rateLimitType: string; limit: number }[] };
    const limits = rateLimits.map(({ rateLimitType, limit }) => [rateLimitType, limit]);
    return [Object.fromEntries(limits), reply.headers.get('cache-control')];
  };
  await set('address', '198.51.100.0/24', { weight: 2000 });
  expect(await told(address)).toEqual([{ REQUEST_WEIGHT: 2000, UID_WEIGHT: 500 }, 'no-store']);
  expect(await told('203.0.113.1')).toEqual([{ REQUEST_WEIGHT: 500, UID_WEIGHT: 500 }, null]);
});

test('DEC-OPR-171: an account gets less of every signed endpoint, or more; its sub-accounts have their own', async () => {
  await set('account', '1001', { weight: 6 });
  expect(await cancelsOf(9, keys.alice)).toBe(6);
  expect(await cancelsOf(9, keys.alice, 'GET')).toBe(2);
  expect([await cancelsOf(9, sub), await cancelsOf(9, keys.bob)]).toEqual([9, 9]);
  await set('account', '1001', { weight: 520 });
  expect(await cancelsOf(530, keys.alice)).toBe(514);
  nextWindow();
  expect(await cancelsOf(530, keys.alice)).toBe(520);
  await lift('account', '1001');
  nextWindow();
  expect(await cancelsOf(530, keys.alice)).toBe(500);
});

test('DEC-OPR-171: calls per second of an account and a key', async () => {
  const account = () => ask('/api/v3/account', { key: keys.alice, from: '192.0.2.250' });
  const statuses = async (calls: number) => {
    const all: number[] = [];
    for (let call = 0; call < calls; call += 1) all.push((await account())[0]);
    gate.monotonic.time += 1000;
    return all.join(' ');
  };
  expect(await statuses(3)).toBe('200 200 429');
  await set('account', '1001', { callsPerSecond: 4 });
  expect(await statuses(5)).toBe('200 200 200 200 429');
  await set('key', keys.alice, { callsPerSecond: 1 });
  expect(await statuses(2)).toBe('200 429');
  await lift('key', keys.alice);
  expect(await statuses(5)).toBe('200 200 200 200 429');
});

test('DEC-OPR-171: a key gets less, and takes nothing from its account beyond that', async () => {
  const other = 'mx0aliceOTHERkey';
  await gate.addKey(gate.accounts.alice, other, ['SPOT_DEAL_WRITE']);
  await set('key', keys.alice, { weight: 5 });
  expect(await cancelsOf(9, keys.alice)).toBe(5);
  for (let call = 0; call < 600; call += 1) expect((await ask(openOrders, asKey(keys.alice)))[0]).toBe(429);
  expect(await cancelsOf(600, other)).toBe(495);
  await lift('key', keys.alice);
  expect((await ask(openOrders, asKey(keys.alice)))[0]).toBe(429);
});

test('DEC-OPR-171: a key gets more than its account, up to the greater of both in sum', async () => {
  const other = 'mx0aliceOTHERkey';
  await gate.addKey(gate.accounts.alice, other, ['SPOT_DEAL_WRITE']);
  expect(await cancelsOf(500, other)).toBe(500);
  await set('key', keys.alice, { weight: 530 });
  expect(await cancelsOf(100, keys.alice)).toBe(30);
  expect((await ask(openOrders, asKey(other)))[0]).toBe(429);
  nextWindow();
  expect(await cancelsOf(600, keys.alice)).toBe(530);
  await lift('key', keys.alice);
  expect((await ask(openOrders, asKey(keys.alice)))[0]).toBe(429);
});
