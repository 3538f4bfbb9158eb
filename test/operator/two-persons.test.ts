import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet, pay, withdraw } from './wallet-stage.ts';

let operator: TestOperator;
beforeEach(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
});
afterEach(() => operator.close());

const reviewing = ['withdrawals:read', 'withdrawals:review', 'deposits:read', 'deposits:review'];
const tokenOf = async (actor: string, scopes: readonly string[] = reviewing): Promise<string> =>
  (await operator.ask('POST', '/v1/tokens', { actor, scopes, validHours: 1 })).body.token;
const approve = (withdrawal: number, token?: string) =>
  operator.ask('POST', `/v1/withdrawals/${withdrawal}/review`, { decision: 'approve' }, token ? { token } : {});
const review = (deposit: number, decision: string, token: string) =>
  operator.ask('POST', `/v1/deposits/${deposit}/review`, { decision }, { token });
const largeDeposit = async (): Promise<number> => {
  await pay(operator, `0x${'ab'.repeat(32)}`, 100_000n);
  return (await operator.ask('GET', '/v1/deposits?status=largeDelay')).body.items[0].deposit;
};

describe('DEC-OPR-140: two spellings of a name are one person', () => {
  test('who approves a withdrawal', async () => {
    const held = await withdraw(operator, 2000n);
    expect((await approve(held, await tokenOf('erin'))).body.approvals).toEqual(['erin']);
    for (const spelling of ['ERIN', 'Erin', 'eRiN']) {
      const { status, body } = await approve(held, await tokenOf(spelling));
      expect([spelling, status, body.code]).toEqual([spelling, 409, 'sameOperator']);
    }
    expect((await approve(held, await tokenOf('Dan'))).body).toMatchObject({
      status: 'wait',
      approvals: ['erin', 'dan'],
    });
  });

  test('who vouches for a deposit, and who credits it', async () => {
    const deposit = await largeDeposit();
    expect((await review(deposit, 'credit', await tokenOf('Erin'))).body.approvals).toEqual(['erin']);
    expect((await review(deposit, 'credit', await tokenOf('ERIN'))).body.code).toBe('sameOperator');
    expect((await review(deposit, 'credit', await tokenOf('DAN'))).body).toMatchObject({
      status: 'success',
      approvals: ['erin', 'dan'],
    });
  });

  test('whose idempotency key it is', async () => {
    const held = await withdraw(operator, 600n);
    const asked = async (actor: string) =>
      operator.ask(
        'POST',
        `/v1/withdrawals/${held}/review`,
        { decision: 'approve' },
        { token: await tokenOf(actor), headers: { 'idempotency-key': 'once' } },
      );
    const { status, body } = await asked('erin');
    expect([status, body.status]).toEqual([200, 'wait']);
    expect((await asked('ERIN')).body).toEqual(body);
    expect((await asked('dan')).body.code).toBe('wrongState');
  });

  test('the token keeps the name as it was given', async () => {
    await tokenOf('Erin');
    const { body } = await operator.ask('GET', '/v1/tokens');
    expect(body.items.map(({ actor }: { actor: string }) => actor)).toEqual(['Erin']);
  });
});

describe('DEC-OPR-141: who may make tokens approves nothing', () => {
  test('not by another token of his either', async () => {
    const held = await withdraw(operator, 600n);
    const deposit = await largeDeposit();
    const token = await tokenOf('Tess');
    const { body: making } = await operator.ask('POST', '/v1/tokens', {
      actor: 'TESS',
      scopes: ['tokens:write'],
      validHours: 1,
    });
    const before = operator.digest();
    const answers = [
      await approve(held, token),
      await review(deposit, 'credit', token),
      await review(deposit, 'reject', token),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [403, 'mayMakeTokens']));
    expect((await operator.ask('GET', `/v1/withdrawals/${held}`)).body).toMatchObject({
      status: 'auditing',
      approvals: [],
    });
    expect(operator.digest()).toBe(before);
    await operator.ask('DELETE', `/v1/tokens/${making.id}`);
    expect((await approve(held, token)).body.status).toBe('wait');
  });

  test('nor does root in production, who makes tokens; in a sandbox he may', async () => {
    const held = await withdraw(operator, 600n);
    const another = await withdraw(operator, 700n);
    expect((await approve(another)).body.status).toBe('wait');
    await operator.exchange.submit({ kind: 'recordProfile', profile: 'production' });
    const { status, body } = await approve(held);
    expect([status, body.code]).toEqual([403, 'mayMakeTokens']);
    expect((await approve(held, await tokenOf('erin'))).body.status).toBe('wait');
  });
});
