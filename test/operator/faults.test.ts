import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
let production: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator({ hasChains: true });
  production = await startTestOperator();
});
afterEach(async () => void (await operator.ask('DELETE', '/v1/faults')));
afterAll(() => Promise.all([operator.close(), production.close()]));

const path = '/v1/faults';
const fault = { kind: 'refuse', status: 503 };
const list = async () => (await operator.ask('GET', path)).body.items;

describe('DEC-KIT-20: rules of faults', () => {
  test('are added, listed in order, replaced, removed and cleared', async () => {
    const first = await operator.ask('POST', path, { fault });
    expect([first.status, first.body]).toEqual([
      201,
      {
        ...{ id: first.body.id, match: {}, count: null, forMs: null, seen: 0, hits: 0, isOver: false, endsAt: null },
        fault: { ...fault, code: null, message: 'Service not available, retry.', retryAfterSeconds: null },
        madeAt: operator.exchange.clock.now(),
      },
    ]);
    await operator.ask('POST', path, { id: 'mine', fault: { kind: 'malform' }, forMs: 5000 });
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([first.body.id, 'mine']);
    expect((await operator.ask('DELETE', `${path}/mine`)).body.endsAt).toBe(operator.exchange.clock.now() + 5000);
    const rules = Array.from({ length: 100 }, (_, at) => ({
      ...{ id: `r${at}`, match: { path: '/api/v3/order', method: 'POST', nth: at + 1, account: operator.alice.uid } },
      ...{ count: 1, forMs: 1000, fault },
    }));
    expect((await operator.ask('PUT', path, { rules })).body.items).toHaveLength(100);
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual(rules.map(({ id }) => id));
    expect((await operator.ask('DELETE', path)).body).toEqual({ removed: 100 });
    expect(await list()).toEqual([]);
  });

  test('a rule that there is not cannot be removed', async () => {
    expect((await operator.ask('DELETE', `${path}/nobody`)).body.code).toBe('unknownFault');
  });

  test('are added once for one idempotency key', async () => {
    const headers = { 'idempotency-key': 'a-fault' };
    const replies = await Promise.all([1, 2].map(() => operator.ask('POST', path, { fault }, { headers })));
    expect(replies[0]!.body).toEqual(replies[1]!.body);
    expect(await list()).toHaveLength(1);
  });

  test.each(['GET', 'POST', 'PUT', 'DELETE'])('in production there is no %s of them', async (method) => {
    const { status, body } = await production.ask(method, path, method === 'POST' ? { fault } : undefined);
    expect([status, body.code]).toEqual([404, 'unknownPath']);
  });
});

describe('DEC-KIT-26: what can never strike', () => {
  test.each([
    ['/match/path', { match: { path: '/api/v3/nothing' } }],
    ['/match/path', { match: { path: '/api/v3/order/test/more' } }],
    ['/match/method', { match: { path: '/api/v3/depth', method: 'POST' } }],
    ['/match/method', { match: { path: '/api/v3/order/test' }, fault: { kind: 'stale', ms: 1 } }],
    ['/match/key', { match: { path: '/api/v3/time', key: 'mx0aliceAAAAAAAAAA' } }],
    ['/match/account', { match: { path: '/api/v3/time', account: 10_000_001 } }],
    ['/match/key', { match: { key: 'mx0nobodyNNNNNNNNN' } }],
    ['/match/account', { match: { account: 99_999_999 } }],
    ['/match/pair', { match: { path: '/api/v3/time', pair: 'BTCUSDT' } }],
    ['/match/pair', { match: { pair: 'NOPEUSDT' } }],
    ['/match/pair', { match: { path: '/api/v1/contract/depth/ETH_USDT', pair: 'BTC_USDT' } }],
    ['/match/every', { match: { nth: 1, every: 2 } }],
    ['/match/probabilityPpm', { match: { every: 2, probabilityPpm: 5 } }],
    ['/count', { match: { nth: 2 }, count: 2 }],
  ])('is refused with 422 at %s: %o', async (pointer, change) => {
    const { status, body } = await operator.ask('POST', path, { fault, ...change });
    expect([status, body.errors?.[0].pointer]).toEqual([422, pointer]);
    expect(await list()).toEqual([]);
  });

  test.each([
    ['/match/nth', { match: { nth: 0 } }],
    ['/match/every', { match: { every: 0 } }],
    ['/match/probabilityPpm', { match: { probabilityPpm: 0 } }],
    ['/match/probabilityPpm', { match: { probabilityPpm: 1_000_001 } }],
    ['/match/colour', { match: { colour: 'red' } }],
    ['/count', { count: 0 }],
    ['/forMs', { forMs: -1 }],
    ['/forMs', { forMs: 1e15 }],
    ['/id', { id: 'Mine!' }],
    ['/more', { more: 1 }],
    ['/fault', { fault: undefined }],
    ['/fault/kind', { fault: { kind: 'nothing' } }],
    ['/fault/ms', { fault: { kind: 'delay', ms: -1 } }],
    ['/fault/ms', { fault: { kind: 'delay', ms: 60_001 } }],
    ['/fault/ms', { fault: { kind: 'stale', ms: 0 } }],
    ['/fault/more', { fault: { kind: 'malform', more: 1 } }],
    ['/fault/status', { fault: { kind: 'refuse', status: 200 } }],
    ['/fault/retryAfterSeconds', { fault: { kind: 'refuse', status: 429, retryAfterSeconds: -1 } }],
  ])('a member that is not what it must be is refused with 400 at %s: %o', async (pointer, change) => {
    const { status, body } = await operator.ask('POST', path, { fault, ...change });
    expect([status, body.errors?.[0].pointer]).toEqual([400, pointer]);
    expect(await list()).toEqual([]);
  });

  test('a list is taken as a whole or not at all, and the place of what is refused is told', async () => {
    await operator.ask('POST', path, { id: 'before', fault });
    const rules = [{ fault }, { match: { path: '/nothing' }, fault }];
    const { status, body } = await operator.ask('PUT', path, { rules });
    expect([status, body.errors[0].pointer]).toEqual([422, '/rules/1/match/path']);
    const twice = await operator.ask('PUT', path, {
      rules: [
        { id: 'same', fault },
        { id: 'same', fault },
      ],
    });
    expect([twice.status, twice.body.errors[0].pointer]).toEqual([422, '/rules/1/id']);
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual(['before']);
    expect((await operator.ask('POST', path, { id: 'before', fault })).body.errors[0].pointer).toBe('/id');
  });

  test('there are at most a hundred rules', async () => {
    const rules = Array.from({ length: 100 }, () => ({ fault: { kind: 'malform' } }));
    expect((await operator.ask('PUT', path, { rules })).status).toBe(200);
    expect((await operator.ask('POST', path, { fault })).status).toBe(422);
    expect(await list()).toHaveLength(100);
    expect((await operator.ask('PUT', path, { rules: [...rules, ...rules] })).status).toBe(400);
  });
});
