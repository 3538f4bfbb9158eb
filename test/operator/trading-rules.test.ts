import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
let path: string;
beforeAll(async () => {
  operator = await startTestOperator();
  path = `/v1/accounts/${operator.alice.uid}/trading-rules`;
});
afterAll(() => operator.close());

const listed = { makerFeePpm: null, takerFeePpm: null, openOrdersMax: 500 };

test('DEC-OPR-168: an account has the rules of the pairs at first; its own are set, shown and taken back', async () => {
  expect((await operator.ask('GET', path)).body).toEqual(listed);
  const own = { makerFeePpm: 0, takerFeePpm: 300, openOrdersMax: 2000 };
  expect((await operator.ask('PUT', path, own)).body).toEqual(own);
  expect((await operator.ask('GET', path)).body).toEqual(own);
  expect(operator.exchange.engine.state.accounts.openOrdersMax(operator.alice.account)).toBe(2000);
  expect((await operator.ask('PUT', path, listed)).body).toEqual(listed);
});

test.each([
  [{ makerFeePpm: -1 }, '/makerFeePpm'],
  [{ takerFeePpm: 1_000_001 }, '/takerFeePpm'],
  [{ takerFeePpm: '5' }, '/takerFeePpm'],
  [{ openOrdersMax: null }, '/openOrdersMax'],
  [{ openOrdersMax: 1_000_001 }, '/openOrdersMax'],
  [{ openOrdersMax: undefined }, '/openOrdersMax'],
  [{ feeTier: 1 }, '/feeTier'],
])('DEC-OPR-168: %j is refused by name', async (change, pointer) => {
  const before = operator.digest();
  const reply = await operator.ask('PUT', path, { ...listed, ...change });
  expect([reply.status, reply.body.errors[0].pointer]).toEqual([400, pointer]);
  expect(operator.digest()).toBe(before);
});

test('DEC-OPR-168: an unknown account is 404, a stale edit 412', async () => {
  const unknown = '/v1/accounts/99999999/trading-rules';
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', listed],
  ] as const)
    expect((await operator.ask(method, unknown, body)).body.code).toBe('unknownAccount');
  const tag = (await operator.ask('GET', path)).headers.get('etag')!;
  const put = (openOrdersMax: number) =>
    operator.ask('PUT', path, { ...listed, openOrdersMax }, { headers: { 'if-match': tag } });
  expect([(await put(1)).status, (await put(2)).status]).toEqual([200, 412]);
});
