import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet, pay, withdraw } from './wallet-stage.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
  await pay(operator, `0x${'a1'.repeat(32)}`, 10_000n);
});
afterAll(() => operator.close());

describe('remarks of reviews', () => {
  test('DEC-OPR-230: a review tells the account why, and history keeps it', async () => {
    const withdrawal = await withdraw(operator, 600n);
    const path = `/v1/withdrawals/${withdrawal}`;
    const before = operator.digest();
    for (const remark of ['', '\u{1f600}'.repeat(65), 'two\nlines', 7]) {
      const { status, body } = await operator.ask('POST', `${path}/review`, { decision: 'reject', remark });
      expect([status, body.errors[0].pointer]).toEqual([400, '/remark']);
    }
    expect(operator.digest()).toBe(before);
    const remark = '\u{1f600}'.repeat(64);
    const kept = await operator.ask('POST', `${path}/review`, { decision: 'manual', remark });
    expect(kept.body).toMatchObject({ status: 'manual', remark });
    const rejected = await operator.ask('POST', `${path}/review`, { decision: 'reject', reason: 'Odd.' });
    expect(rejected.body).toMatchObject({ status: 'failed', remark });
    const { body } = await operator.ask('GET', `/v1/accounts/${operator.alice.uid}/withdrawals`);
    expect(body.items[0]).toMatchObject({ withdrawal, status: 'failed', remark });
  });
});
