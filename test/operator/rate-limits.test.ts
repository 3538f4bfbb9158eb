import { afterAll, beforeAll, expect, test } from 'vitest';
import { engineLimits } from '#model/limits.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator({ settings: { trustedProxies: ['127.0.0.1'] } });
});
afterAll(() => operator.close());

const terms = { weight: 50, until: null, reason: 'It polls.' };
const at = (kind: string, target: string) => `/v1/rate-limits/${kind}/${encodeURIComponent(target)}`;
const put = (kind: string, target: string, body: object = terms) => operator.ask('PUT', at(kind, target), body);
const list = async (query = '') => (await operator.ask('GET', `/v1/rate-limits${query}`)).body.items;
async function liftAll(): Promise<void> {
  for (const { kind, target } of await list())
    expect((await operator.ask('DELETE', at(kind, target))).body).toEqual({ kind, target });
}

test('DEC-OPR-179: limits of addresses, ranges, accounts and keys are set, listed, replaced and lifted', async () => {
  const since = operator.exchange.clock.time;
  const until = since + 3_600_000;
  const made = { ...terms, callsPerSecond: null, futuresCalls: null, actor: 'root', since };
  const range = { kind: 'address', target: '203.0.113.0/24', ...made };
  expect((await put('address', '203.0.113.0/24')).body).toEqual(range);
  expect((await put('address', '::ffff:198.51.100.7', { ...terms, futuresCalls: 9 })).body).toMatchObject({
    ...{ target: '198.51.100.7', weight: 50, futuresCalls: 9 },
  });
  expect((await put('address', '2001:db8::99')).body.target).toBe('2001:db8::/64');
  const large = { weight: 50_000, callsPerSecond: 40, until, reason: 'A market maker.' };
  const { body: ofAlice } = await put('account', `${operator.alice.uid}`, large);
  expect(ofAlice).toMatchObject({ ...large, futuresCalls: null });
  const keysOf = `/v1/accounts/${operator.bob.uid}/api-keys`;
  const { body: key } = await operator.ask('POST', keysOf, { note: 'bot', permissions: ['SPOT_DEAL_READ'] });
  const callsAlone = { callsPerSecond: 1, until: null, reason: 'A runaway bot.' };
  expect((await put('key', key.accessKey, callsAlone)).body).toMatchObject({ weight: null, callsPerSecond: 1 });
  expect(await list()).toHaveLength(5);
  expect(await list('?kind=account')).toEqual([ofAlice]);
  expect((await operator.ask('GET', at('address', '203.0.113.0/24'))).body).toEqual(range);
  const replaced = { futuresCalls: 3, until, reason: 'A day.' };
  expect((await put('address', '203.0.113.0/24', replaced)).body).toEqual({ ...range, ...replaced, weight: null });
  const page = await operator.ask('GET', '/v1/rate-limits?limit=2');
  const next = await operator.ask('GET', `/v1/rate-limits?limit=500&cursor=${page.body.nextCursor}`);
  expect([page.body.items.length, next.body.items.length, next.body.nextCursor]).toEqual([2, 3, null]);
  await liftAll();
  expect(await list()).toEqual([]);
});

test('DEC-OPR-179: one that is over is neither listed nor lifted', async () => {
  const { clock } = operator.exchange;
  await put('address', '198.51.100.9', { ...terms, until: clock.time + 1000 });
  clock.time += 1000;
  expect(await list()).toEqual([]);
  expect((await operator.ask('GET', at('address', '198.51.100.9'))).body.code).toBe('unknownRateLimit');
  await operator.exchange.submit({ kind: 'advanceClock' });
  expect((await operator.ask('DELETE', at('address', '198.51.100.9'))).body.code).toBe('unknownRateLimit');
});

test.each([
  ['address', '127.0.0.1', 'target'],
  ['address', '10.0.0.0/7', 'target'],
  ['address', '203.0.113.7/24', 'target'],
  ['account', 'alice', 'target'],
  ['key', 'short', 'target'],
  ['planet', 'mars', 'kind'],
])('DEC-OPR-179: %s %s is refused by name, as for bans', async (kind, target, parameter) => {
  const before = operator.digest();
  const reply = await put(kind, target);
  expect([reply.status, reply.body.errors?.[0]?.parameter]).toEqual([400, parameter]);
  expect(operator.digest()).toBe(before);
});

const { rateWeightMax, rateCallsMax } = engineLimits;
const more = { until: null, reason: 'x' };
test.each([
  ['address', { ...more, weight: 0 }, 422, '/weight', 'must not be 0: ban whoever may call nothing'],
  ['address', { ...more, weight: -1 }, 422, '/weight', `must be 1 to ${rateWeightMax}`],
  ['address', { ...more, weight: rateWeightMax + 1 }, 422, '/weight', `must be 1 to ${rateWeightMax}`],
  ['address', { ...more, weight: 1, futuresCalls: 0 }, 422, '/futuresCalls', 'must not be 0'],
  ['address', { ...more, futuresCalls: rateCallsMax + 1 }, 422, '/futuresCalls', `must be 1 to ${rateCallsMax}`],
  ['address', { ...more, weight: 1, callsPerSecond: 1 }, 422, '/callsPerSecond', 'must be null'],
  ['account', { ...more, weight: 1, futuresCalls: 1 }, 422, '/futuresCalls', 'must be null'],
  ['account', more, 422, '/weight', 'must be set, or callsPerSecond'],
  ['address', more, 422, '/weight', 'must be set, or futuresCalls'],
  ['address', { ...more, weight: 1.5 }, 400, '/weight', 'must'],
  ['address', { ...more, weight: '50' }, 400, '/weight', 'must'],
  ['address', { ...more, weight: 1, until: 1 }, 400, '/until', 'must be in the future'],
  ['address', { weight: 1, until: null }, 400, '/reason', 'is missing'],
  ['address', { weight: 1, reason: 'x' }, 400, '/until', 'is missing'],
  ['address', { ...more, weight: 1, since: 1 }, 400, '/since', 'is not known'],
])('DEC-OPR-179: of %s %j is %i at %s', async (kind, body, status, pointer, detail) => {
  const before = operator.digest();
  const reply = await put(kind, kind === 'account' ? `${operator.alice.uid}` : '198.51.100.1', body);
  expect([reply.status, reply.body.errors[0].pointer]).toEqual([status, pointer]);
  expect(reply.body.errors[0].detail).toContain(detail);
  expect(operator.digest()).toBe(before);
});

test('DEC-OPR-179: what is unknown is 404, a stale edit is 412, and both have scopes', async () => {
  expect((await put('account', '99999999')).body.code).toBe('unknownAccount');
  expect((await put('account', '1')).body.code).toBe('unknownAccount');
  expect((await put('key', 'mx0nobodyhasit')).body.code).toBe('unknownKey');
  for (const method of ['GET', 'DELETE']) {
    const asked = await operator.ask(method, at('address', '198.51.100.1'));
    expect([asked.status, asked.body.code]).toEqual([404, 'unknownRateLimit']);
  }
  await put('address', '198.51.100.1');
  const tag = (await operator.ask('GET', at('address', '198.51.100.1'))).headers.get('etag')!;
  await put('address', '198.51.100.1', { ...terms, weight: 51 });
  for (const method of ['PUT', 'DELETE']) {
    const body = method === 'PUT' ? terms : undefined;
    const stale = await operator.ask(method, at('address', '198.51.100.1'), body, { headers: { 'if-match': tag } });
    expect([stale.status, stale.body.code]).toEqual([412, 'staleEdit']);
  }
  expect(await list()).toMatchObject([{ weight: 51 }]);
  const reader = { actor: 'olga', scopes: ['limits:read', 'bans:write'], validHours: 1 };
  const { body } = await operator.ask('POST', '/v1/tokens', reader);
  const asked = await operator.ask('DELETE', at('address', '198.51.100.1'), undefined, { token: body.token });
  expect([asked.status, asked.body.code]).toEqual([403, 'insufficientScope']);
  expect((await operator.ask('GET', '/v1/rate-limits', undefined, { token: body.token })).status).toBe(200);
  await liftAll();
});

test('DEC-OPR-171: no limit holds on the operator port', async () => {
  await put('address', '192.0.2.1', { ...terms, weight: 1 });
  const from = { headers: { 'x-forwarded-for': '192.0.2.1' } };
  for (let call = 0; call < 3; call += 1) {
    expect((await operator.ask('GET', '/v1/rate-limits', undefined, from)).status).toBe(200);
    expect((await operator.ask('GET', '/openapi.json', undefined, from)).status).toBe(200);
    expect((await operator.ask('GET', '/nowhere', undefined, from)).status).toBe(404);
  }
  await liftAll();
});

test('DEC-OPR-179: setting and lifting are acts with their target, what was before, and a reason', async () => {
  const { uid } = operator.alice;
  await put('account', `${uid}`);
  await put('account', `${uid}`, { ...terms, weight: 5000, reason: 'It trades now.' });
  await operator.ask('DELETE', at('account', `${uid}`));
  const { body } = await operator.ask('GET', `/v1/acts?targetType=account&targetId=${uid}&limit=3`);
  expect(body.items).toMatchObject([
    { command: 'liftRateLimit', refusal: null },
    { command: 'setRateLimit', reason: 'It trades now.' },
    { command: 'setRateLimit', reason: 'It polls.' },
  ]);
  const [lifted, replaced] = body.items.map((each: { changes: object }) => JSON.stringify(each.changes));
  for (const text of ['50', '5000']) expect(replaced).toContain(text);
  expect(lifted).toContain('5000');
});
