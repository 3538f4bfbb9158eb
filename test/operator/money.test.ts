import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asking, startTestOperator, type TestOperator } from './operator-harness.ts';
import { addresses, openWallet, pay, withdraw } from './wallet-stage.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
});
afterAll(() => operator.close());

const txId = (name: string): string => `0x${createHash('sha256').update(name).digest('hex')}`;
const freeOf = async (uid: number, asset = 'USDT'): Promise<string> => {
  const { body } = await operator.ask('GET', `/v1/accounts/${uid}/balances`);
  return body.spot.find((each: { asset: string }) => each.asset === asset)?.free ?? '0';
};
const depositOf = async (name: string) => {
  const { body } = await operator.ask('GET', '/v1/deposits?limit=500');
  return body.items.find((each: { txId: string }) => each.txId === txId(name));
};
const tokenOf = async (actor: string): Promise<string> => {
  const scopes = ['withdrawals:read', 'withdrawals:review', 'deposits:read', 'deposits:review'];
  return (await operator.ask('POST', '/v1/tokens', { actor, scopes, validHours: 1 })).body.token;
};

describe('deposits', () => {
  const review = (deposit: number, decision: string, more: object = {}, asking: Asking = {}) =>
    operator.ask('POST', `/v1/deposits/${deposit}/review`, { decision, ...more }, asking);

  test('are listed by status, network and account, the oldest first', async () => {
    await pay(operator, txId('pending'), 10n, 3);
    await pay(operator, txId('small'), 1n);
    await pay(operator, txId('success'), 20n);
    const numbers = async (query: string) =>
      (await operator.ask('GET', `/v1/deposits?${query}`)).body.items.map(({ status }: { status: string }) => status);
    expect(await numbers('network=ETH')).toEqual(['pending', 'small', 'success']);
    expect(await numbers('status=small')).toEqual(['small']);
    expect(await numbers(`uid=${operator.alice.uid}&status=success`)).toEqual(['success']);
    expect(await numbers(`uid=${operator.bob.uid}`)).toEqual([]);
    expect(await numbers('network=BTC')).toEqual([]);
    expect((await operator.ask('GET', '/v1/deposits?uid=3')).body.code).toBe('unknownAccount');
    expect((await operator.ask('GET', '/v1/deposits/999')).body.code).toBe('unknownDeposit');
  });

  test('DEC-WAL-16, DEC-WAL-106: a large one waits until it is credited by hand, once, by two where nobody looks', async () => {
    await pay(operator, txId('large'), 100_000n);
    const { deposit, status } = await depositOf('large');
    expect(status).toBe('largeDelay');
    const before = Number(await freeOf(operator.alice.uid));
    const first = { token: await tokenOf('erin') };
    expect((await review(deposit, 'credit', {}, first)).body).toMatchObject({
      status: 'largeDelay',
      approvals: ['erin'],
    });
    expect((await review(deposit, 'credit', {}, first)).body.code).toBe('sameOperator');
    expect(Number(await freeOf(operator.alice.uid))).toBe(before);
    const headers = { 'idempotency-key': 'credit-1' };
    const { body } = await review(deposit, 'credit', {}, { headers });
    expect(body).toMatchObject({ deposit, status: 'success', uid: operator.alice.uid, amount: '100000' });
    expect(body.approvals).toEqual(['erin', 'root']);
    expect((await review(deposit, 'credit', {}, { headers })).body).toEqual(body);
    expect((await review(deposit, 'credit')).body.code).toBe('wrongState');
    expect(Number(await freeOf(operator.alice.uid)) - before).toBe(100_000);
  });

  test('DEC-WAL-16: a flagged one can be rejected or given back', async () => {
    for (const [decision, status] of [
      ['reject', 'rejected'],
      ['refund', 'refund'],
    ] as const) {
      await pay(operator, txId(decision), 200_000n);
      const { deposit } = await depositOf(decision);
      const before = await freeOf(operator.alice.uid);
      expect((await review(deposit, 'flag')).body.status).toBe('auditing');
      expect((await review(deposit, decision)).body.status).toBe(status);
      expect(await freeOf(operator.alice.uid)).toBe(before);
    }
  });

  test('those of an account are all there, newest first, page by page', async () => {
    const path = `/v1/accounts/${operator.alice.uid}/deposits`;
    const { body: all } = await operator.ask('GET', path);
    const numbers = all.items.map(({ deposit }: { deposit: number }) => deposit);
    expect(numbers).toEqual([...numbers].sort((one, other) => other - one));
    expect(all.items).toContainEqual({ ...(await depositOf('large')), approvals: [] });
    const first = (await operator.ask('GET', `${path}?limit=2`)).body;
    const second = (await operator.ask('GET', `${path}?limit=500&cursor=${first.nextCursor}`)).body;
    expect([...first.items, ...second.items]).toEqual(all.items);
    expect(second.nextCursor).toBeNull();
    expect((await operator.ask('GET', `/v1/accounts/${operator.bob.uid}/deposits`)).body.items).toEqual([]);
    expect((await operator.ask('GET', '/v1/accounts/1/deposits')).body.code).toBe('unknownAccount');
  });

  test('decisions about unknown deposits, unknown accounts and unknown decisions are refused', async () => {
    await pay(operator, txId('odd'), 150_000n);
    const { deposit } = await depositOf('odd');
    expect((await review(999, 'credit')).body.code).toBe('unknownDeposit');
    expect((await review(deposit, 'credit', { uid: 77 })).body.errors).toMatchObject([{ pointer: '/uid' }]);
    expect((await review(deposit, 'credit', { uid: 2 })).body.errors).toMatchObject([{ pointer: '/uid' }]);
    await review(deposit, 'credit', {}, { token: await tokenOf('erin') });
    expect((await review(deposit, 'credit', { uid: operator.bob.uid })).body.code).toBe('invalidConfiguration');
    expect((await review(deposit, 'steal')).body.errors).toMatchObject([{ pointer: '/decision' }]);
    expect((await depositOf('odd')).status).toBe('largeDelay');
  });

  describe('DEC-OPR-14, DEC-WAL-20: reported by hand', () => {
    const body = {
      asset: 'BTC',
      network: 'BTC',
      address: addresses.aliceBtc,
      memo: null,
      txId: 'ab'.repeat(32),
      output: 3,
      amount: '0.25',
    };
    const report = (changes: object = {}) => operator.ask('POST', '/v1/deposits', { ...body, ...changes });

    test('a native coin is credited once, however often it is reported', async () => {
      const { status, body: answered } = await report({ address: addresses.aliceBtc.toUpperCase() });
      expect({ status, answered }).toMatchObject({
        status: 201,
        answered: {
          uid: operator.alice.uid,
          status: 'auditing',
          amount: '0.25',
          address: addresses.aliceBtc,
          txId: body.txId,
          approvals: ['root'],
        },
      });
      expect((await report()).body).toEqual(answered);
      expect((await report({ amount: '0.5' })).body.code).toBe('invalidConfiguration');
      expect((await review(answered.deposit, 'credit')).body.code).toBe('sameOperator');
      expect(await freeOf(operator.alice.uid, 'BTC')).toBe('0');
      const { body: credited } = await review(answered.deposit, 'credit', {}, { token: await tokenOf('erin') });
      expect(credited).toMatchObject({ status: 'success', approvals: ['root', 'erin'] });
      expect((await report()).body).toEqual(credited);
      expect(await freeOf(operator.alice.uid, 'BTC')).toBe('0.25');
    });

    test('DEC-WAL-106: what two operators vouched for is listed in the reconciliation', async () => {
      const { body: reconciliation } = await operator.ask('GET', '/v1/reconciliation');
      const row = reconciliation.items.find(({ asset }: { asset: string }) => asset === 'BTC');
      expect(row.onWord).toMatchObject([{ txId: body.txId, amount: '0.25', approvals: ['root', 'erin'] }]);
    });

    test('a token of a network that is only watched is credited too', async () => {
      const before = Number(await freeOf(operator.alice.uid));
      const token = { asset: 'USDT', network: 'ETH', address: addresses.alice, txId: txId('by hand'), amount: '7' };
      const { deposit } = (await report(token)).body;
      const { body: credited } = await review(deposit, 'credit', {}, { token: await tokenOf('erin') });
      expect(credited).toMatchObject({ status: 'success', asset: 'USDT', amount: '7' });
      expect(Number(await freeOf(operator.alice.uid)) - before).toBe(7);
    });

    test('long after it was settled it is refused', async () => {
      operator.exchange.clock.time += 4 * 86_400_000;
      await operator.exchange.submit({ kind: 'advanceClock' });
      await pay(operator, txId('later'), 10n);
      expect((await report()).body.code).toBe('settledBefore');
      expect(await freeOf(operator.alice.uid, 'BTC')).toBe('0.25');
    });

    test.each([
      ['an address of nobody', { address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g' }, '/address'],
      ['F16: nothing', { amount: '0' }, '/amount'],
      ['F16: less than nothing', { amount: '-1' }, '/amount'],
      ['F16: more decimals than the ledger has', { amount: '0.000000001' }, '/amount'],
      ['F16: 19 decimals', { amount: '1.0000000000000000001' }, '/amount'],
      ['F16: more than a balance can be', { amount: '99999999999999999' }, '/amount'],
      ['F16: an exponent', { amount: '1e2' }, '/amount'],
      ['a network that nobody knows', { network: 'DOGE' }, '/network'],
      ['an asset that is not listed', { asset: 'NOPE' }, '/asset'],
      ['an output below zero', { output: -1 }, '/output'],
      ['no transaction', { txId: '' }, '/txId'],
    ])('%s is refused by name', async (_, changes, pointer) => {
      const before = operator.digest();
      const { status, body: refusal } = await report({ txId: 'cd'.repeat(32), ...changes });
      expect({ status, at: refusal.errors[0].pointer }).toEqual({ status: 400, at: pointer });
      expect(operator.digest()).toBe(before);
    });

    test.each([
      ['an address that is none', { address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyv' }, '/address'],
      ['a memo that the network does not have', { memo: '7' }, '/memo'],
      ['a transaction of another network', { txId: `0x${'cd'.repeat(32)}` }, '/txId'],
      ['a transaction with a blank before it', { txId: ` ${'cd'.repeat(32)}` }, '/txId'],
      ['a transaction with a digit too few', { txId: 'cd'.repeat(32).slice(1) }, '/txId'],
    ])('DEC-WAL-100: %s is refused by name', async (_, changes, pointer) => {
      const before = operator.digest();
      const { status, body: refusal } = await report({ txId: 'cd'.repeat(32), ...changes });
      expect([status, refusal.code, refusal.errors[0].pointer]).toEqual([422, 'noNormalForm', pointer]);
      expect(operator.digest()).toBe(before);
    });

    test('DEC-WAL-100: one payment, however its transaction is written, is one deposit', async () => {
      const digits = 'ef'.repeat(32);
      const token = { asset: 'USDT', network: 'ETH', address: addresses.alice, amount: '40' };
      const writings = [`0x${digits}`, `0X${digits}`, digits, digits.toUpperCase(), `0X${digits.toUpperCase()}`];
      const answers = [];
      for (const txId of writings) answers.push((await report({ ...token, txId })).body);
      expect(answers).toEqual(writings.map(() => expect.objectContaining({ txId: `0x${digits}` })));
      expect(new Set(answers.map(({ deposit }) => deposit)).size).toBe(1);
      expect((await report({ ...token, txId: ` 0x${digits}` })).body.errors).toMatchObject([{ pointer: '/txId' }]);
    });

    test('an asset that is not on the network is 404', async () => {
      expect((await report({ network: 'ETH', address: addresses.alice })).body.code).toBe('unknownNetwork');
    });
  });
});

describe('withdrawals', () => {
  const review = (withdrawal: number, decision: string, token?: string, key?: string) =>
    operator.ask(
      'POST',
      `/v1/withdrawals/${withdrawal}/review`,
      { decision },
      {
        ...(token === undefined ? {} : { token }),
        ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      },
    );

  test('are listed by status, network and account', async () => {
    const small = await withdraw(operator, 100n);
    const held = await withdraw(operator, 600n);
    const numbers = async (query: string) =>
      (await operator.ask('GET', `/v1/withdrawals?${query}`)).body.items.map(
        (each: { withdrawal: number }) => each.withdrawal,
      );
    expect(await numbers('status=wait')).toEqual([small]);
    expect(await numbers(`status=auditing&uid=${operator.alice.uid}`)).toEqual([held]);
    expect(await numbers('network=ETH')).toEqual([small, held]);
    expect(await numbers(`uid=${operator.bob.uid}`)).toEqual([]);
    expect((await operator.ask('GET', `/v1/withdrawals/${held}`)).body).toMatchObject({
      withdrawal: held,
      uid: operator.alice.uid,
      asset: 'USDT',
      amount: '600',
      fee: '3',
      value: '600',
      status: 'auditing',
      txId: null,
      approvals: [],
    });
    expect((await operator.ask('GET', '/v1/withdrawals/999')).body.code).toBe('unknownWithdrawal');
  });

  test('one that is held back goes on when it is approved', async () => {
    const held = await withdraw(operator, 700n);
    const { body } = await review(held, 'approve', undefined, 'approve-700');
    expect(body).toMatchObject({ status: 'wait', approvals: ['root'] });
    expect((await review(held, 'approve', undefined, 'approve-700')).body).toEqual(body);
    expect((await review(held, 'approve')).body.code).toBe('wrongState');
  });

  test('a rejected one fails and gives the money back', async () => {
    const before = await freeOf(operator.alice.uid);
    const held = await withdraw(operator, 800n);
    expect(Number(before) - Number(await freeOf(operator.alice.uid))).toBe(800);
    expect((await review(held, 'manual')).body.status).toBe('manual');
    expect((await review(held, 'reject')).body.status).toBe('failed');
    expect(await freeOf(operator.alice.uid)).toBe(before);
  });

  test('DEC-WAL-28: above the bound of four eyes it takes two operators', async () => {
    const [erin, dan] = [await tokenOf('erin'), await tokenOf('dan')];
    const held = await withdraw(operator, 2000n);
    const first = await review(held, 'approve', erin);
    expect(first.body.approvals).toEqual(['erin']);
    expect(first.body.status).not.toBe('wait');
    expect((await review(held, 'approve', erin)).body.code).toBe('sameOperator');
    // A second token of the same person is the same person.
    expect((await review(held, 'approve', await tokenOf('erin'))).body.code).toBe('sameOperator');
    expect((await review(held, 'approve', dan)).body).toMatchObject({ status: 'wait', approvals: ['erin', 'dan'] });
  });

  test('are found by the id that their account knows, and in the past of the account', async () => {
    const { body: newest } = await operator.ask('GET', `/v1/accounts/${operator.alice.uid}/withdrawals?limit=1`);
    const [{ id, withdrawal }] = newest.items;
    const { body: found } = await operator.ask('GET', `/v1/withdrawals?id=${id}`);
    const { approvals, waitsFor, waitsForFunds, deposit, ...others } = found.items[0];
    expect(found.items).toHaveLength(1);
    expect([waitsFor, waitsForFunds, deposit]).toEqual([null, null, null]);
    expect([others, approvals]).toEqual([newest.items[0], ['erin', 'dan']]);
    const { body: rest } = await operator.ask(
      'GET',
      `/v1/accounts/${operator.alice.uid}/withdrawals?cursor=${newest.nextCursor}`,
    );
    expect(rest.items.map((each: { withdrawal: number }) => each.withdrawal)).toEqual(
      Array.from({ length: withdrawal - 1 }, (_, index) => withdrawal - 1 - index),
    );
    expect((await operator.ask('GET', `/v1/withdrawals?id=${'0'.repeat(32)}`)).body.items).toEqual([]);
    expect((await operator.ask('GET', '/v1/withdrawals?id=1')).body.errors).toMatchObject([{ parameter: 'id' }]);
  });

  test('unknown withdrawals and decisions are refused', async () => {
    expect((await review(999, 'approve')).body.code).toBe('unknownWithdrawal');
    expect((await review(1, 'cancel')).body.errors).toMatchObject([{ pointer: '/decision' }]);
  });
});
