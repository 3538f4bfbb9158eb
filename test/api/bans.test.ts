import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ClientKind } from '#model/client-target.ts';
import { as } from '#model/units.ts';
import { expectCode } from './answer-shape.ts';
import { keys, startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
beforeEach(async () => {
  gate = await startTestGateway({ settings: { trustedProxies: ['127.0.0.1'] } });
});
afterEach(() => gate.close());

const from = (address: string, path = '/api/v3/time') =>
  gate.send('GET', path, { headers: { 'X-Forwarded-For': address } });
const set = (banned: ClientKind, target: string, until: number | null = null) =>
  gate.exchange.submit({
    ...{ kind: 'setBan', banned, target, until: until === null ? null : as(until), reason: 'A test.' },
  } as const);
const lift = (banned: ClientKind, target: string) => gate.exchange.submit({ kind: 'liftBan', banned, target });
const ask = (key: string, path = 'openOrders') => gate.signed('GET', `/api/v3/${path}`, { symbol: 'BTCUSDT' }, { key });

test('DEC-OPR-176: a banned address or range is 418 with Retry-After until the ban ends or is lifted', async () => {
  await set('address', '198.51.100.0/24', gate.wall.time + 90_000);
  for (const path of ['/api/v3/time', '/api/v1/contract/ping', '/', '/nowhere']) {
    const banned = await from('198.51.100.7', path);
    expect([path, banned.status, banned.headers.get('retry-after')]).toEqual([path, 418, '90']);
  }
  expectCode(await from('198.51.100.7'), 418, 418);
  expect((await from('198.51.101.7')).status).toBe(200);
  expect((await from('198.51.100.7', '/healthz')).status).toBe(200);
  gate.wall.time += 90_000;
  expect((await from('198.51.100.7')).status).toBe(200);
  await set('address', '198.51.100.7');
  expect((await from('::ffff:198.51.100.7')).headers.get('retry-after')).toBe('259200');
  await lift('address', '198.51.100.7');
  expect((await from('198.51.100.7')).status).toBe(200);
});

test('DEC-OPR-176: IPv6 addresses are banned by their /64', async () => {
  await set('address', '2001:db8::/64');
  expect([(await from('2001:db8::ffff:1')).status, (await from('2001:db8:0:1::1')).status]).toEqual([418, 200]);
});

test('DEC-OPR-176: a banned key is 10072, the other keys of its account go on', async () => {
  await set('key', keys.alice);
  expectCode(await ask(keys.alice), 10072);
  expect((await ask(keys.sub)).status).toBe(200);
  await lift('key', keys.alice);
  expect((await ask(keys.alice)).status).toBe(200);
});

test('DEC-OPR-176: a banned account is 60005 before its budget is charged; its sub-accounts go on', async () => {
  const { alice } = gate.accounts;
  const uid = String(gate.exchange.engine.state.accounts.get(alice)!.uid);
  await set('account', uid, gate.wall.time + 1000);
  const refused = await ask(keys.alice, 'account');
  expectCode(refused, 60005);
  for (let call = 0; call < 5; call += 1) expectCode(await ask(keys.alice, 'account'), 60005);
  expect((await ask(keys.sub)).status).toBe(200);
  gate.wall.time += 1000;
  expect((await gate.signed('GET', '/api/v3/account', {}, { key: keys.alice })).status).toBe(200);
});
