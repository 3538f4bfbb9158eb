import { afterAll, beforeAll, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator({ settings: { trustedProxies: ['127.0.0.1'] } });
});
afterAll(() => operator.close());

const at = (kind: string, target: string) => `/v1/bans/${kind}/${encodeURIComponent(target)}`;
const put = (kind: string, target: string, body: object = { until: null, reason: 'It guesses passwords.' }) =>
  operator.ask('PUT', at(kind, target), body);
const list = async (query = '') => (await operator.ask('GET', `/v1/bans${query}`)).body.items;

test('DEC-OPR-175: addresses, ranges, accounts and keys are banned, listed, changed and lifted', async () => {
  const since = operator.exchange.clock.time;
  const until = since + 3_600_000;
  const reason = 'It guesses passwords.';
  const made = { automatic: false, until: null, reason, actor: 'root', since, times: null };
  const range = { kind: 'address', target: '203.0.113.0/24', ...made };
  expect((await put('address', '203.0.113.0/24')).body).toEqual(range);
  expect((await put('address', '::ffff:198.51.100.7')).body.target).toBe('198.51.100.7');
  expect((await put('address', '2001:db8::99')).body.target).toBe('2001:db8::/64');
  expect((await put('account', `${operator.alice.uid}`, { until, reason })).body).toMatchObject({ until });
  const keysOf = `/v1/accounts/${operator.bob.uid}/api-keys`;
  const { body: key } = await operator.ask('POST', keysOf, { note: 'bot', permissions: ['SPOT_DEAL_READ'] });
  expect((await put('key', key.accessKey)).status).toBe(200);
  expect(await list()).toHaveLength(5);
  expect(await list('?kind=account')).toMatchObject([{ kind: 'account', target: `${operator.alice.uid}`, until }]);
  expect((await operator.ask('GET', at('address', '203.0.113.0/24'))).body).toEqual(range);
  expect((await put('address', '203.0.113.0/24', { until, reason: 'A day.' })).body).toEqual({
    ...range,
    ...{ until, reason: 'A day.' },
  });
  const page = await operator.ask('GET', '/v1/bans?limit=2');
  const next = await operator.ask('GET', `/v1/bans?limit=500&cursor=${page.body.nextCursor}`);
  expect([page.body.items.length, next.body.items.length, next.body.nextCursor]).toEqual([2, 3, null]);
  for (const { kind, target } of await list())
    expect((await operator.ask('DELETE', at(kind, target))).body).toEqual({ kind, target });
  expect(await list()).toEqual([]);
});

test('DEC-OPR-178: what the ladder banned is listed as automatic, and lifted like the others', async () => {
  const { exchange } = operator;
  const until = exchange.clock.time + 120_000;
  await exchange.submit({ kind: 'banAddress', address: '198.51.100.9', until: as(until), times: 2 });
  const automatic = { kind: 'address', target: '198.51.100.9', automatic: true, until, times: 2 };
  expect(await list()).toEqual([{ ...automatic, reason: null, actor: null, since: null }]);
  await put('address', '198.51.100.9');
  expect((await list()).map((each: { automatic: boolean }) => each.automatic)).toEqual([false, true]);
  expect((await operator.ask('DELETE', at('address', '198.51.100.9'))).status).toBe(200);
  expect([await list(), await exchange.queries.access.bans()]).toEqual([[], []]);
});

test('DEC-OPR-175: a ban that is over is neither listed nor lifted', async () => {
  const { clock } = operator.exchange;
  await put('address', '198.51.100.9', { until: clock.time + 1000, reason: 'short' });
  clock.time += 1000;
  expect(await list()).toEqual([]);
  expect((await operator.ask('GET', at('address', '198.51.100.9'))).body.code).toBe('unknownBan');
  await operator.exchange.submit({ kind: 'advanceClock' });
  expect((await operator.ask('DELETE', at('address', '198.51.100.9'))).body.code).toBe('unknownBan');
});

test.each([
  ['address', '127.0.0.1', 400, 'target'],
  ['address', '10.0.0.0/7', 400, 'target'],
  ['address', '203.0.113.7/24', 400, 'target'],
  ['address', 'localhost', 400, 'target'],
  ['account', '0', 400, 'target'],
  ['account', 'alice', 400, 'target'],
  ['key', 'short', 400, 'target'],
  ['planet', 'mars', 400, 'kind'],
])('DEC-OPR-176: %s %s is refused by name', async (kind, target, status, parameter) => {
  const before = operator.digest();
  const reply = await put(kind, target);
  expect([reply.status, reply.body.errors?.[0]?.parameter]).toEqual([status, parameter]);
  expect(operator.digest()).toBe(before);
});

test.each([
  [{ until: null }, '/reason'],
  [{ until: null, reason: '' }, '/reason'],
  [{ until: 1, reason: 'x' }, '/until'],
  [{ until: 'never', reason: 'x' }, '/until'],
  [{ until: null, reason: 'x', since: 1 }, '/since'],
])('DEC-OPR-175: %j is refused by name', async (body, pointer) => {
  const before = operator.digest();
  const reply = await put('address', '198.51.100.1', body);
  expect([reply.status, reply.body.errors[0].pointer]).toEqual([400, pointer]);
  expect(operator.digest()).toBe(before);
});

test('DEC-OPR-175: unknown accounts, keys and bans are 404, a stale edit is 412, and both have scopes', async () => {
  expect((await put('account', '99999999')).body.code).toBe('unknownAccount');
  expect((await put('account', '1')).body.code).toBe('unknownAccount');
  expect((await put('key', 'mx0nobodyhasit')).body.code).toBe('unknownKey');
  for (const method of ['GET', 'DELETE'])
    expect((await operator.ask(method, at('address', '198.51.100.1'))).body.code).toBe('unknownBan');
  await put('address', '198.51.100.1');
  const tag = (await operator.ask('GET', at('address', '198.51.100.1'))).headers.get('etag')!;
  await put('address', '198.51.100.1', { until: null, reason: 'Another.' });
  const stale = await operator.ask('DELETE', at('address', '198.51.100.1'), undefined, {
    headers: { 'if-match': tag },
  });
  expect(stale.status).toBe(412);
  const { body } = await operator.ask('POST', '/v1/tokens', { actor: 'olga', scopes: ['bans:read'], validHours: 1 });
  const asked = await operator.ask('DELETE', at('address', '198.51.100.1'), undefined, { token: body.token });
  expect([asked.status, asked.body.code]).toEqual([403, 'insufficientScope']);
});

test('DEC-OPR-177: an operator is not locked out by his own ban', async () => {
  await put('address', '192.0.2.1');
  const asked = await operator.ask('GET', '/v1/bans', undefined, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  expect(asked.status).toBe(200);
});

test('DEC-OPR-175: a ban is an act with its target, what it was before, and a reason', async () => {
  await put('account', `${operator.alice.uid}`);
  await operator.ask('DELETE', at('account', `${operator.alice.uid}`));
  const { body } = await operator.ask('GET', `/v1/acts?targetType=account&targetId=${operator.alice.uid}&limit=2`);
  expect(body.items).toMatchObject([
    { command: 'liftBan', refusal: null },
    { command: 'setBan', reason: 'It guesses passwords.' },
  ]);
  expect(JSON.stringify(body.items[1].changes)).toContain('It guesses passwords.');
});
