import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChainSettlement, startSettlement } from '#custody/settlement/settlement.ts';
import type { Custody } from '#custody/custody.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { addresses, openWallet, pay, usdtOnEth } from './wallet-stage.ts';

let operator: TestOperator;
let settlement: ChainSettlement;
let custody: Custody;
/** Where carol, whose account is frozen, pays to. */
let paid: string;

beforeEach(async () => {
  operator = await startTestOperator({
    hasChains: true,
    context: (context) => {
      custody = context.custody;
      settlement = startSettlement({
        ...context,
        monotonic: { now: () => 0 },
        repeat: () => () => {},
        everyMs: 1000,
        notice: () => {},
        onTrouble: () => {},
      });
      return { ...context, payingState: (network) => settlement.payingState(network) };
    },
  });
  await openWallet(operator);
  const place = (await custody.get('ETH')!.depositAddress(2))!;
  paid = place.address;
  const { body } = await ask('POST', '/v1/accounts', { name: 'carol', kycLevel: 1 });
  const { account } = (await operator.exchange.queries.accountByUid(body.uid))!;
  await operator.exchange.submit({ kind: 'assignDepositAddress', account, network: 'ETH', index: 2, ...place });
  await ask('PUT', `/v1/accounts/${body.uid}/status`, { status: 'frozen' });
});
afterEach(() => operator.close());

const ask = async (method: string, path: string, body?: object, asking = {}) => {
  const { status, body: answer } = await operator.ask(method, path, body, asking);
  return { status, body: answer };
};
/** Polls of 6 s each, with a block between. */
async function polls(count: number): Promise<void> {
  for (let poll = 0; poll < count; poll += 1) {
    await ask('POST', '/v1/chains/ETH/blocks', { blocks: 12 });
    operator.exchange.clock.time += 6000;
    await settlement.run();
  }
}
const difference = async () => {
  const { body } = await ask('GET', '/v1/reconciliation');
  return body.items.find(({ asset }: { asset: string }) => asset === 'USDT').difference;
};
const houseOf = async () => {
  const { body } = await ask('GET', '/v1/ledger/trial-balance');
  return body.items.find(({ asset }: { asset: string }) => asset === 'USDT').house;
};
const shown = async (deposit: number) => (await ask('GET', `/v1/deposits/${deposit}`)).body;

/** A payment to the frozen account that is to be refunded; its number. */
async function toRefund(amount: string): Promise<number> {
  const asked = { asset: 'USDT', address: paid, memo: null, amount };
  const { body } = await ask('POST', '/v1/chains/ETH/deposits', asked);
  await polls(3);
  const { items } = (await ask('GET', '/v1/deposits?network=ETH')).body;
  const { deposit, status } = items.find(({ txId }: { txId: string }) => txId === body.txId);
  expect(status).toBe('restricted');
  expect((await ask('POST', `/v1/deposits/${deposit}/review`, { decision: 'refund' })).body.status).toBe('refund');
  return deposit;
}
const payBack = (deposit: number, body: object = { address: addresses.stranger }, asking = {}) =>
  ask('POST', `/v1/deposits/${deposit}/refund`, body, asking);
const withdrawal = async (number: number) => (await ask('GET', `/v1/withdrawals/${number}`)).body;

describe('a deposit is paid back', () => {
  test('DEC-OPR-215, DEC-OPR-219: to the address that an operator names, and both sides tell of each other', async () => {
    const deposit = await toRefund('200');
    expect(await difference()).toBe('0');
    const { status, body } = await payBack(deposit, { address: addresses.stranger.toLowerCase() });
    expect([status, body.status, body.paidBackBy]).toEqual([201, 'refunding', 1]);
    expect(await withdrawal(1)).toMatchObject({
      ...{ deposit, uid: null, address: addresses.stranger, memo: null, amount: '200', fee: '3', status: 'apply' },
      ...{ waitsFor: null, approvals: [] },
    });
    expect(await houseOf()).toContainEqual({ account: 'refunds', balance: '200' });
    const lines = (await ask('GET', '/v1/ledger/house/refunds/lines')).body.items;
    expect(lines.map(({ change }: { change: string }) => change)).toContain('200');
    for (let poll = 0; poll < 4; poll += 1) {
      expect(await difference()).toBe('0');
      await polls(1);
    }
    expect(await shown(deposit)).toMatchObject({ status: 'refunded', paidBackBy: 1 });
    expect(await withdrawal(1)).toMatchObject({ status: 'success', txId: expect.stringMatching(/^0x/) });
    expect([await difference(), await houseOf()]).toEqual(['0', expect.not.arrayContaining([{ account: 'refunds' }])]);
    expect(await houseOf()).toContainEqual({ account: 'fees', balance: '3' });
    const listed = (await ask('GET', '/v1/withdrawals')).body.items;
    expect(listed).toMatchObject([{ withdrawal: 1, deposit }]);
    expect(operator.exchange.faults()).toEqual([]);
  });

  test('DEC-OPR-219: the act tells the deposit, the address, and what changed', async () => {
    const deposit = await toRefund('200');
    await payBack(deposit);
    await ask('DELETE', `/v1/deposits/${deposit}/refund`);
    const { items } = (await ask('GET', `/v1/acts?limit=2`)).body;
    expect(items).toMatchObject([
      { command: 'cancelRefund', target: { type: 'deposit', id: String(deposit) }, refusal: null },
      {
        ...{ command: 'payBackDeposit', target: { type: 'deposit', id: String(deposit) } },
        parameters: { address: addresses.stranger, memo: null },
      },
    ]);
    expect(items[1].changes).toContainEqual({ member: 'status', before: 'refund', after: 'refunding' });
    expect(items[0].changes).toContainEqual({ member: 'status', before: 'refunding', after: 'refund' });
  });

  test('DEC-OPR-06, DEC-OPR-215: asked for again under its key it is the same, under none it is refused', async () => {
    const deposit = await toRefund('200');
    const asking = { headers: { 'Idempotency-Key': 'back-1' } };
    const first = await payBack(deposit, undefined, asking);
    await polls(1);
    const again = await payBack(deposit, undefined, asking);
    expect([first.status, again.status, again.body.paidBackBy]).toEqual([201, 201, 1]);
    expect((await payBack(deposit, { address: addresses.alice }, asking)).body.code).toBe('idempotencyKeyInUse');
    const both = await Promise.all([payBack(deposit), payBack(deposit)]);
    expect(both.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([409, 'wrongState']));
    await polls(5);
    expect((await ask('GET', '/v1/withdrawals')).body.items).toHaveLength(1);
  });

  test('DEC-OPR-215: of many requests at once one makes a withdrawal', async () => {
    const deposit = await toRefund('200');
    const all = await Promise.all(Array.from({ length: 8 }, () => payBack(deposit)));
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect((await ask('GET', '/v1/withdrawals')).body.items).toHaveLength(1);
  });

  test('DEC-OPR-218: a refund that was cancelled is paid to another address', async () => {
    const deposit = await toRefund('200');
    await payBack(deposit);
    const cancelled = await ask('DELETE', `/v1/deposits/${deposit}/refund`);
    expect([cancelled.status, cancelled.body.status, cancelled.body.paidBackBy]).toEqual([200, 'refund', 1]);
    expect((await ask('DELETE', `/v1/deposits/${deposit}/refund`)).body.code).toBe('wrongState');
    expect((await ask('DELETE', '/v1/deposits/99/refund')).status).toBe(404);
    expect((await payBack(deposit, { address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' })).body.paidBackBy).toBe(2);
    await polls(3);
    expect((await ask('DELETE', `/v1/deposits/${deposit}/refund`)).body.code).toBe('notCancellable');
    await polls(3);
    expect((await ask('DELETE', `/v1/deposits/${deposit}/refund`)).body.code).toBe('wrongState');
    expect([(await shown(deposit)).status, (await withdrawal(1)).status]).toEqual(['refunded', 'cancelled']);
    expect(await difference()).toBe('0');
  });

  test('DEC-OPR-217: above the bound of four eyes two operators approve it, and one that is rejected waits again', async () => {
    await ask('PUT', '/v1/assets/USDT/networks/ETH', { ...usdtOnEth, withdrawMax: '1000' });
    const deposit = await toRefund('1500');
    expect((await payBack(deposit)).status).toBe(201);
    await polls(2);
    expect(await withdrawal(1)).toMatchObject({ status: 'manual', value: '1500' });
    const scopes = ['withdrawals:review', 'withdrawals:read'];
    const tokens = await Promise.all(
      ['ann', 'ben'].map((actor) => ask('POST', '/v1/tokens', { actor, scopes, validHours: 1 })),
    );
    const approve = (index: number, number: number, decision = 'approve') =>
      ask('POST', `/v1/withdrawals/${number}/review`, { decision }, { token: tokens[index]!.body.token });
    expect((await approve(0, 1)).body).toMatchObject({ status: 'manual', approvals: ['ann'] });
    expect((await approve(0, 1)).body.code).toBe('sameOperator');
    expect((await approve(1, 1, 'reject')).body.status).toBe('failed');
    expect((await shown(deposit)).status).toBe('refund');
    await payBack(deposit);
    await polls(2);
    await approve(0, 2);
    expect((await approve(1, 2)).body.status).toBe('wait');
    await polls(3);
    expect([(await shown(deposit)).status, await difference()]).toEqual(['refunded', '0']);
  });
});

describe('DEC-OPR-216: what is not paid back', () => {
  test.each([
    [{}, 400, 'invalidMember', '/address'],
    [{ address: 7 }, 400, 'invalidMember', '/address'],
    [{ address: addresses.stranger, to: 'x' }, 400, 'invalidMember', '/to'],
    [{ address: '' }, 400, 'invalidMember', '/address'],
    [{ address: '0x1234' }, 422, 'noNormalForm', '/address'],
    [{ address: addresses.aliceBtc }, 422, 'noNormalForm', '/address'],
    [{ address: addresses.stranger.replace('dbF', 'DBF') }, 422, 'noNormalForm', '/address'],
    [{ address: `0x${'0'.repeat(40)}` }, 422, 'noNormalForm', '/address'],
    [{ address: addresses.stranger, memo: '7' }, 422, 'noNormalForm', '/memo'],
    [{ address: usdtOnEth.contract }, 422, 'noNormalForm', '/address'],
    [{ address: addresses.alice }, 422, 'addressNotAllowed', '/address'],
  ])('%j', async (body, status, code, pointer) => {
    const deposit = await toRefund('200');
    const digest = operator.digest();
    const answer = await payBack(deposit, body);
    expect([answer.status, answer.body.code, answer.body.errors?.[0].pointer]).toEqual([status, code, pointer]);
    expect((await shown(deposit)).status).toBe('refund');
    if (status === 400) expect(operator.digest()).toBe(digest);
  });

  test('one that nobody decided to refund, that was credited, or that nobody knows', async () => {
    expect([(await payBack(99)).status, (await payBack(99)).body.code]).toEqual([404, 'unknownDeposit']);
    await ask('POST', '/v1/chains/ETH/deposits', { asset: 'USDT', address: paid, memo: null, amount: '200' });
    await polls(3);
    expect((await shown(1)).status).toBe('restricted');
    expect([(await payBack(1)).status, (await payBack(1)).body.code]).toEqual([409, 'wrongState']);
    await ask('POST', '/v1/deposits/1/review', { decision: 'credit' });
    expect((await shown(1)).status).toBe('success');
    expect((await payBack(1)).body.code).toBe('wrongState');
  });

  test('less than the fee, while withdrawals are off, and without the scope', async () => {
    const small = await toRefund('3');
    expect([(await payBack(small)).status, (await payBack(small)).body.code]).toEqual([422, 'nothingLeft']);
    await ask('PUT', '/v1/assets/USDT/networks/ETH', { ...usdtOnEth, withdrawEnabled: false });
    const deposit = await toRefund('200');
    expect([(await payBack(deposit)).status, (await payBack(deposit)).body.code]).toEqual([409, 'withdrawalsOff']);
    const scopes = ['withdrawals:review', 'deposits:read'];
    const { token } = (await ask('POST', '/v1/tokens', { actor: 'erin', scopes, validHours: 1 })).body;
    expect((await payBack(deposit, undefined, { token })).status).toBe(403);
    expect((await payBack(deposit, undefined, { token: 'x'.repeat(40) })).status).toBe(401);
    expect((await ask('DELETE', `/v1/deposits/${deposit}/refund`, undefined, { token })).status).toBe(403);
    expect((await shown(deposit)).status).toBe('refund');
  });

  test('one that its chain dropped, until it is in a block again', async () => {
    const deposit = await toRefund('200');
    const replaced = { depth: 39, drop: true, blocks: 41 };
    expect(await ask('POST', '/v1/chains/ETH/reorganisations', replaced)).toMatchObject({ status: 200 });
    const gone = await payBack(deposit);
    expect([gone.status, gone.body.code]).toEqual([409, 'notOnChain']);
    await polls(2);
    expect((await payBack(deposit)).body.code).toBe('notOnChain');
    expect(await difference()).toBe('0');
    expect(operator.exchange.faults()).toEqual([]);
  });

  test('on a network that operators pay on by hand, where they say so by paidBack', async () => {
    await operator.close();
    operator = await startTestOperator();
    await openWallet(operator);
    await pay(operator, `0x${'a'.repeat(64)}`, 50n, 1);
    for (const decision of ['flag', 'refund'] as const)
      await operator.exchange.submit({ kind: 'reviewDeposit', deposit: 1, decision, account: null, sight: null });
    const answer = await payBack(1);
    expect([answer.status, answer.body.code]).toEqual([409, 'notPaidByCustody']);
    expect((await shown(1)).status).toBe('refund');
  });
});
