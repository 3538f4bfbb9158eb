import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManualTime } from '#sandbox/simulated-time.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

const start = Date.UTC(2026, 0, 1);
const time = createManualTime(start);
let operator: TestOperator;
let without: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator({ context: (context) => ({ ...context, time: time.controls }) });
  without = await startTestOperator();
});
afterAll(() => Promise.all([operator.close(), without.close()]));

const path = '/v1/clock/advance';

describe('DEC-OPR-28: a clock that stands', () => {
  test('is advanced, and what was due on the way is done before the answer', async () => {
    const ticks: number[] = [];
    const end = time.repeat(500, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      ticks.push(time.clock.now() - start);
    });
    const { status, body } = await operator.ask('POST', path, { ms: 1_200 });
    end();
    expect([status, body]).toEqual([200, { now: start + 1_200 }]);
    expect(ticks).toEqual([500, 1_000]);
  });

  test('is advanced once for one idempotency key', async () => {
    const headers = { 'idempotency-key': 'a-minute' };
    const before = time.clock.now();
    const replies = await Promise.all([1, 2].map(() => operator.ask('POST', path, { ms: 60_000 }, { headers })));
    expect(replies.map(({ body }) => body)).toEqual([1, 2].map(() => ({ now: before + 60_000 })));
    expect(time.clock.now()).toBe(before + 60_000);
  });

  test.each([0, -1, 3_600_001, 0.5, '1'])('by %s ms it is not', async (ms) => {
    const before = time.clock.now();
    expect((await operator.ask('POST', path, { ms })).status).toBe(400);
    expect(time.clock.now()).toBe(before);
  });

  test('a clock that runs by itself has no such path', async () => {
    expect((await without.ask('POST', path, { ms: 1 })).body.code).toBe('unknownPath');
  });
});
