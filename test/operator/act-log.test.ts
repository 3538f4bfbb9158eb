import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import { rootToken, startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeEach(async () => {
  operator = await startTestOperator();
});
afterEach(() => operator.close());

const { freePerWindow, firstDelayMs, longestDelayMs, waitingMax } = operatorLimits.failedAuthentications;
const { linesPerAddress } = operatorLimits.log;
/** Level, text and fields of each line. */
const lines = (from: TestOperator = operator) =>
  from.logged.map((line) => {
    const [, level, text, fields] = /^(\w+) (.*?) (\{.*\})$/s.exec(line)!;
    return { level, text, ...(JSON.parse(fields!) as object) };
  });
const guess = (count: number, token = 'f'.repeat(64)) =>
  Promise.all(Array.from({ length: count }, () => operator.ask('GET', '/v1/assets', undefined, { token })));

describe('DEC-OPR-198: log lines', () => {
  test('an act has one, with its number and hash, and without what anybody wrote', async () => {
    const path = `/v1/accounts/${operator.alice.uid}/kyc-level`;
    const headers = { 'idempotency-key': 'pasted-secret-key' };
    await operator.ask('PUT', path, { kycLevel: 3, reason: 'pasted secret reason' }, { headers });
    const { hash } = operator.exchange.engine.state.acts.head;
    const who = { actor: 'root', token: 'root', address: '127.0.0.1' };
    expect(lines()).toEqual([
      {
        level: 'info',
        text: 'an operator acted',
        ...{ act: 1, seq: operator.exchange.engine.seq, ...who, command: 'setKycLevel', target: 'account' },
        targetId: String(operator.alice.uid),
        hash,
      },
    ]);
    await operator.ask('PUT', path, { kycLevel: 3, reason: 'pasted secret reason' }, { headers });
    expect(lines()).toHaveLength(1);
  });

  test('a refused act has one too', async () => {
    await operator.ask('DELETE', `/v1/tokens/${'ab'.repeat(32)}`);
    expect(lines()).toMatchObject([
      { level: 'warn', text: 'an act of an operator was refused', act: 1, refusal: 'unknownOperatorToken' },
    ]);
    expect(operator.logged.join()).not.toContain('ab'.repeat(32));
  });

  test('a failed authentication has one, with the address and what was wrong', async () => {
    const made = await operator.ask('POST', '/v1/tokens', { actor: 'erin', scopes: ['assets:read'], validHours: 1 });
    operator.logged.length = 0;
    operator.exchange.clock.time += 3_600_000;
    const { token } = made.body;
    for (const tried of [null, 'f'.repeat(64), token, 'short'])
      await operator.ask('GET', '/v1/assets', undefined, { token: tried });
    expect(lines()).toEqual(
      ['no token', 'unknown token', 'expired token', 'no bearer token'].map((why) => ({
        level: 'warn',
        text: 'an authentication failed',
        ...{ address: '127.0.0.1', why, leftOut: 0 },
      })),
    );
    for (const secret of [token, 'f'.repeat(64)]) expect(operator.logged.join()).not.toContain(secret);
  });

  test('a token without the scope has one, with its name', async () => {
    const made = await operator.ask('POST', '/v1/tokens', { actor: 'erin', scopes: ['assets:read'], validHours: 1 });
    await operator.ask('GET', '/v1/acts', undefined, { token: made.body.token });
    const line = { level: 'warn', text: 'a token lacks a scope', address: '127.0.0.1', actor: 'erin' };
    expect(lines().at(-1)).toMatchObject({ ...line, scope: 'acts:read' });
    expect(lines().at(-1)).toMatchObject({ token: made.body.id.slice(0, 16) });
  });

  test('are bounded a minute; what was left out is told by the next', async () => {
    for (let round = 0; round < linesPerAddress + 7; round += 1) await guess(1);
    expect(lines()).toHaveLength(linesPerAddress);
    operator.time.pass(operatorLimits.log.windowMs);
    await guess(1);
    expect(lines().at(-1)).toMatchObject({ why: 'unknown token', leftOut: 7 });
  });
});

describe('DEC-OPR-197: who guesses tokens is slowed', () => {
  test('each further failure is answered later than the one before, up to a bound', async () => {
    for (let round = 0; round < freePerWindow + 9; round += 1) await guess(1);
    const doubled = Array.from({ length: 9 }, (_, index) => Math.min(firstDelayMs * 2 ** index, longestDelayMs));
    expect(operator.time.delays).toEqual(doubled);
    operator.time.pass(operatorLimits.failedAuthentications.windowMs);
    await guess(1);
    expect(operator.time.delays).toHaveLength(9);
  });

  test('while many of its answers are held back, its requests are refused unread, with any token', async () => {
    const release = operator.time.hold();
    const held = guess(freePerWindow + waitingMax);
    await operator.time.untilHeld(waitingMax);
    for (const token of ['f'.repeat(64), rootToken]) {
      const { status, body, headers } = await operator.ask('GET', '/v1/assets', undefined, { token });
      expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'tooManyRequests', '5']);
    }
    release();
    for (const { status } of await held) expect(status).toBe(401);
    expect((await operator.ask('GET', '/v1/assets')).status).toBe(200);
  });

  test('a thousand wrong tokens are refused, counted and block the address; a right one waits for nothing before', async () => {
    await operator.close();
    operator = await startTestOperator({ settings: { faultsPerWindow: 100 } });
    expect((await operator.ask('GET', '/v1/assets')).status).toBe(200);
    const statuses = new Map<number, number>();
    for (let round = 0; round < 1000; round += 10)
      for (const { status } of await guess(10)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect([...statuses.keys()].sort()).toEqual([401, 403]);
    expect(statuses.get(401)).toBeGreaterThan(100);
    expect(statuses.get(401)! + statuses.get(403)!).toBe(1000);
    expect(operator.time.delays.length).toBe(statuses.get(401)! - freePerWindow);
    expect(operator.time.delays.filter((delay) => delay === longestDelayMs).length).toBeGreaterThan(50);
    expect(operator.refusals('invalidToken')).toBe(statuses.get(401));
    expect(operator.logged).toHaveLength(linesPerAddress);
  });
});
