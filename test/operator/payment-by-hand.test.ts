import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet, withdraw } from './wallet-stage.ts';

const txIds = Array.from({ length: 6 }, (_, index) => `0x${String(index).repeat(64)}`);

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
});
afterAll(() => operator.close());

/** A withdrawal that settlement has taken up: nobody signs it, for the harness has no custody. */
async function takenUp(coins: bigint): Promise<number> {
  const withdrawal = await withdraw(operator, coins);
  operator.exchange.clock.time += 5000;
  const step = { transaction: null, confirmations: 0, networkFee: as<Balance>(0n) };
  await operator.exchange.submit({ kind: 'advanceWithdrawal', withdrawal, event: 'begin', ...step });
  return withdrawal;
}
const record = (withdrawal: number, txId: unknown, key?: string) =>
  operator.ask(
    'POST',
    `/v1/withdrawals/${withdrawal}/payment`,
    { txId },
    {
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    },
  );

test('DEC-WAL-98: a recorded payment makes a withdrawal a success, however often it is told', async () => {
  const withdrawal = await takenUp(50n);
  const { status, body } = await record(withdrawal, txIds[1], 'paid-1');
  expect([status, body.status, body.txId]).toEqual([200, 'success', txIds[1]]);
  for (const key of ['paid-1', 'paid-2', undefined])
    expect((await record(withdrawal, txIds[1], key)).body).toEqual(body);
  expect((await record(withdrawal, txIds[2])).body.code).toBe('wrongState');
  expect(operator.exchange.faults()).toEqual([]);
});

test('DEC-WAL-100: however its transaction is written, it is kept and compared in the normal form', async () => {
  const withdrawal = await takenUp(40n);
  const normal = `0x${'ab'.repeat(32)}`;
  for (const txId of [normal.toUpperCase(), normal.slice(2), normal]) {
    const { status, body } = await record(withdrawal, txId);
    expect([status, body.txId]).toEqual([200, normal]);
  }
});

test('DEC-WAL-98: one that was not paid fails and gives the money back', async () => {
  const withdrawal = await takenUp(60n);
  expect((await record(withdrawal, null)).body).toMatchObject({ status: 'failed', txId: null });
  expect((await record(withdrawal, null)).status).toBe(200);
  expect((await record(withdrawal, txIds[3])).body.code).toBe('wrongState');
  expect(operator.exchange.faults()).toEqual([]);
});

test('DEC-WAL-98: one that is not taken up, or unknown, or told of badly changes nothing', async () => {
  const withdrawal = await withdraw(operator, 70n);
  expect((await record(withdrawal, txIds[4])).body.code).toBe('wrongState');
  expect((await record(999, txIds[4])).body.code).toBe('unknownWithdrawal');
  for (const txId of ['', 'a b', 'x'.repeat(129), 7, undefined])
    expect((await record(withdrawal, txId)).body.errors[0]).toMatchObject({ pointer: '/txId' });
  for (const txId of ['tx-4', '0x', txIds[1]!.slice(1), `${txIds[1]}0`]) {
    const { status, body } = await record(withdrawal, txId);
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'noNormalForm', '/txId']);
  }
});

test('DEC-WAL-98: where the exchange pays itself, operators record nothing', async () => {
  const paying = await startTestOperator({ hasChains: true });
  try {
    await openWallet(paying);
    const withdrawal = await withdraw(paying, 50n);
    const answer = await paying.ask('POST', `/v1/withdrawals/${withdrawal}/payment`, { txId: txIds[5] });
    expect([answer.status, answer.body.code]).toEqual([409, 'paidByCustody']);
  } finally {
    await paying.close();
  }
});
