import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rootToken, startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());

describe('pages that need no token', () => {
  test('health, readiness, version, metrics and documents answer', async () => {
    for (const path of ['/healthz', '/readyz', '/version', '/metrics', '/openapi.json', '/docs/']) {
      const { status } = await operator.ask('GET', path, undefined, { token: null });
      expect([path, status]).toEqual([path, 200]);
    }
    expect((await operator.ask('GET', '/metrics', undefined, { token: null })).text).toBe('bourse_up 1\n');
  });
});

describe('reading', () => {
  test('assets are listed page by page', async () => {
    const first = await operator.ask('GET', '/v1/assets?limit=1');
    expect(first.body.items.map(({ asset }: { asset: string }) => asset)).toEqual(['USDT']);
    const second = await operator.ask('GET', `/v1/assets?limit=1&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ items: [{ asset: 'BTC', scale: 8, cap: '10000000000' }], nextCursor: null });
  });
  test('an account is found by its uid', async () => {
    const { body } = await operator.ask('GET', `/v1/accounts/${operator.alice.uid}`);
    expect(body).toMatchObject({ uid: operator.alice.uid, name: 'alice', status: 'normal', kycLevel: 2 });
  });
});

describe('acting', () => {
  test('an act is journaled with its actor, and answers what reading gives', async () => {
    const path = `/v1/accounts/${operator.bob.uid}`;
    const changed = await operator.ask('PUT', `${path}/status`, { status: 'frozen' });
    expect(changed.body.status).toBe('frozen');
    expect((await operator.ask('GET', path)).body).toEqual(changed.body);
    expect(operator.exchange.entries.at(-1)?.command).toMatchObject({
      kind: 'operate',
      actor: 'root',
      idempotencyKey: null,
      command: { kind: 'setAccountStatus', account: operator.bob.account, status: 'frozen' },
    });
    await operator.ask('PUT', `${path}/status`, { status: 'normal' });
  });
});

test('the token is in no log', () => {
  expect(operator.logged.filter((line) => line.includes(rootToken))).toEqual([]);
});
