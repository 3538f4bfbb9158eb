import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());

const path = '/v1/trading';
const put = (body: object) => operator.ask('PUT', path, body);

test('DEC-OPR-166: trading is open at first, is halted with a reason, and opened again', async () => {
  expect((await operator.ask('GET', path)).body).toEqual({ state: 'open', reason: null, actor: null, since: null });
  const since = operator.exchange.clock.time;
  const halted = { state: 'halted', reason: 'A price is wrong.', actor: 'root', since };
  expect((await put({ state: 'halted', reason: 'A price is wrong.' })).body).toEqual(halted);
  expect((await operator.ask('GET', path)).body).toEqual(halted);
  expect(operator.exchange.engine.state.trading.isOpen).toBe(false);
  expect((await put({ state: 'open', reason: 'It is right again.' })).body).toMatchObject({ state: 'open' });
  expect(operator.exchange.engine.state.trading.isOpen).toBe(true);
});

test.each([
  [{ state: 'halted' }, '/reason'],
  [{ state: 'halted', reason: '' }, '/reason'],
  [{ state: 'halted', reason: 'x'.repeat(501) }, '/reason'],
  [{ state: 'halted', reason: 'two\nlines' }, '/reason'],
  [{ state: 'closed', reason: 'x' }, '/state'],
  [{ reason: 'x' }, '/state'],
  [{ state: 'open', reason: 'x', since: 1 }, '/since'],
])('DEC-OPR-166: %j is refused by name', async (body, pointer) => {
  const before = operator.digest();
  const reply = await put(body);
  expect([reply.status, reply.body.errors[0].pointer]).toEqual([400, pointer]);
  expect(operator.digest()).toBe(before);
});

test('DEC-OPR-166: it takes the scope of pairs', async () => {
  const { body } = await operator.ask('POST', '/v1/tokens', { actor: 'olga', scopes: ['pairs:read'], validHours: 1 });
  const asked = await operator.ask('PUT', path, { state: 'halted', reason: 'x' }, { token: body.token });
  expect([asked.status, asked.body.code]).toEqual([403, 'insufficientScope']);
});
