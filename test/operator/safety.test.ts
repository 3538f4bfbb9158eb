import { afterEach, beforeEach, expect, test } from 'vitest';
import { as, type Balance } from '#model/units.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { addresses, openWallet, pay, withdraw } from './wallet-stage.ts';

let operator: TestOperator;
beforeEach(async () => {
  operator = await startTestOperator({ hasChains: true });
  await openWallet(operator);
  await operator.exchange.submit({ kind: 'recordProfile', profile: 'production' });
});
afterEach(() => operator.close());

/** USDT counts 9 decimals on this ledger. */
const usdt = (coins: bigint) => as<Balance>(coins * 10n ** 9n);
const nothing = { asset: null, amount: as<Balance>(0n), address: null, memo: null, networkFee: as<Balance>(0n) };

/** Custody finds a payment of 47 USDT to a stranger, which the journal did not make. */
const find = (nonce: number, changes: object = {}) =>
  operator.exchange.submit({
    kind: 'recordUnknownPayment',
    network: 'ETH',
    nonce,
    txId: `0x${String(nonce).repeat(64).slice(0, 64)}`,
    ...nothing,
    ...{ asset: as<never>(0 as never), amount: usdt(47n), address: addresses.stranger },
    ...changes,
  });
const safety = async () => (await operator.ask('GET', '/v1/safety')).body;
const book = (payment: string, body: object, key?: string) =>
  operator.ask('POST', `/v1/safety/payments/ETH/${payment}/bookings`, body, {
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });
const waitsFor = async (withdrawal: number) =>
  (await operator.ask('GET', `/v1/withdrawals/${withdrawal}`)).body.waitsFor;

test('DEC-OPR-102: safety tells the profile, who is guarded, and nothing to do where all is well', async () => {
  expect(await safety()).toEqual({
    profile: 'production',
    isAlone: false,
    openProposals: [],
    networks: [
      { network: 'ETH', isGuarded: true, isHeld: false, reason: null, waitsForFunds: [] },
      { network: 'BTC', isGuarded: true, isHeld: false, reason: null, waitsForFunds: [] },
    ],
    unknownPayments: [],
    lostPayments: [],
  });
  const bare = await startTestOperator();
  await openWallet(bare);
  const { body } = await bare.ask('GET', '/v1/safety');
  expect(body.networks[0]).toMatchObject({ isGuarded: false, isHeld: false });
  expect(body.networks[0].reason).toContain('operators pay by hand');
  await bare.close();
});

test('DEC-OPR-103, DEC-WAL-123: a payment is booked to the withdrawal that it made, once, under its key', async () => {
  const withdrawal = await withdraw(operator, 50n);
  const step = { transaction: null, confirmations: 0, networkFee: as<Balance>(0n) };
  await operator.exchange.submit({ kind: 'advanceWithdrawal', withdrawal, event: 'assess', ...step });
  await find(0);
  expect(await waitsFor(withdrawal)).toBe('Withdrawals of the network are held: see GET /v1/safety.');
  const { networks, unknownPayments } = await safety();
  expect(networks[0]).toMatchObject({ network: 'ETH', isHeld: true });
  expect(networks[1]).toMatchObject({ network: 'BTC', isHeld: false });
  expect(unknownPayments).toMatchObject([
    { payment: '0', nonce: 0, asset: 'USDT', amount: '47', address: addresses.stranger, booking: null },
  ]);
  expect(unknownPayments[0].toDo).toContain('Book it');
  const booked = await book('0', { booking: 'withdrawal', withdrawal }, 'book-1');
  expect([booked.status, booked.body.booking, booked.body.withdrawal, booked.body.toDo]).toEqual([
    200,
    'withdrawal',
    withdrawal,
    null,
  ]);
  expect((await book('0', { booking: 'withdrawal', withdrawal }, 'book-1')).body).toEqual(booked.body);
  expect((await operator.ask('GET', `/v1/withdrawals/${withdrawal}`)).body).toMatchObject({
    status: 'success',
    txId: `0x${'0'.repeat(64)}`,
    nonce: 0,
  });
  expect((await safety()).networks[0].isHeld).toBe(false);
  expect((await book('0', { booking: 'capital' })).body).toMatchObject({ status: 409, code: 'wrongState' });
  expect(operator.exchange.faults()).toEqual([]);
});

test('DEC-OPR-103, DEC-WAL-124: booked to an account or as capital, it stands in the books of the house', async () => {
  await find(0);
  const { uid } = operator.alice;
  const before = (await operator.ask('GET', '/v1/ledger/trial-balance')).body.items;
  expect((await book('0', { booking: 'account', uid })).body).toMatchObject({ booking: 'account', uid });
  await find(1);
  expect((await book('1', { booking: 'capital' })).status).toBe(200);
  const after = (await operator.ask('GET', '/v1/ledger/trial-balance')).body.items;
  const of = (items: { asset: string; users: string }[]) => Number(items.find(({ asset }) => asset === 'USDT')!.users);
  expect(of(before) - of(after)).toBe(47);
  const { house } = after.find(({ asset }: { asset: string }) => asset === 'USDT');
  expect(house).toContainEqual({ account: 'capital', balance: '-47' });
  expect(operator.exchange.faults()).toEqual([]);
});

/** A deposit of 50 USDT that is to be refunded. */
const refunded = async (txId: string): Promise<number> => {
  const name = `0x${txId.repeat(64)}`;
  await pay(operator, name, 50n, 1);
  const { items } = (await operator.ask('GET', '/v1/deposits?network=ETH')).body;
  const { deposit } = items.find((each: { txId: string }) => each.txId === name);
  for (const decision of ['flag', 'refund'] as const)
    await operator.exchange.submit({ kind: 'reviewDeposit', deposit, decision, account: null, sight: null });
  return deposit;
};
const houseOf = async () => {
  const { items } = (await operator.ask('GET', '/v1/ledger/trial-balance')).body;
  return items.find(({ asset }: { asset: string }) => asset === 'USDT').house;
};

test('DEC-OPR-187: a payment that took out fees is booked as revenue, up to what the fees are', async () => {
  await find(0);
  const lacks = await book('0', { booking: 'revenue' });
  expect([lacks.status, lacks.body.code]).toEqual([409, 'houseHasTooLittle']);
  const adjust = { house: 'fees', asset: 'USDT', amount: '50', kind: 'credit', reason: 'fees of a test' };
  await operator.ask('POST', '/v1/adjustments', adjust);
  expect((await book('0', { booking: 'revenue' })).body).toMatchObject({ booking: 'revenue', deposit: null });
  expect(await houseOf()).toContainEqual({ account: 'revenue', balance: '47' });
  expect(await houseOf()).toContainEqual({ account: 'fees', balance: '3' });
  expect(operator.exchange.faults()).toEqual([]);
});

test('DEC-OPR-187: a payment that paid a deposit back is booked to it; what was kept becomes capital', async () => {
  const [first, second] = [await refunded('a'), await refunded('b')];
  await pay(operator, `0x${'c'.repeat(64)}`, 50n);
  await find(0);
  for (const [body, status, code, pointer] of [
    [{ booking: 'refund' }, 400, 'invalidMember', '/deposit'],
    [{ booking: 'capital', deposit: first }, 400, 'invalidMember', '/deposit'],
    [{ booking: 'refund', deposit: 99 }, 404, 'unknownDeposit', '/deposit'],
    [{ booking: 'refund', deposit: second + 1 }, 409, 'wrongState', undefined],
  ] as const) {
    const answer = await book('0', body);
    expect([answer.status, answer.body.code, answer.body.errors?.[0].pointer]).toEqual([status, code, pointer]);
  }
  const booked = await book('0', { booking: 'refund', deposit: first });
  expect(booked.body).toMatchObject({ booking: 'refund', deposit: first, withdrawal: null, uid: null });
  expect((await operator.ask('GET', `/v1/deposits/${first}`)).body.status).toBe('refunded');
  expect(await houseOf()).toContainEqual({ account: 'capital', balance: '3' });
  // Once: the same deposit is not paid back again, nor with more than it was.
  await find(1);
  expect((await book('1', { booking: 'refund', deposit: first })).body.code).toBe('wrongState');
  await find(2, { amount: usdt(51n) });
  expect((await book('2', { booking: 'refund', deposit: second })).body).toMatchObject({
    code: 'paymentDiffers',
    errors: [{ pointer: '/deposit' }],
  });
  expect(operator.exchange.faults()).toEqual([]);
});

test('DEC-OPR-187: where operators pay by hand, the one who paid a deposit back says so', async () => {
  const deposit = await refunded('a');
  const review = (on: TestOperator) =>
    on.ask('POST', `/v1/deposits/${deposit}/review`, { decision: 'paidBack' }, { token });
  const { token } = (
    await operator.ask('POST', '/v1/tokens', { actor: 'erin', scopes: ['deposits:review'], validHours: 1 })
  ).body;
  expect((await review(operator)).body.code).toBe('paidByCustody');
  await operator.close();
  operator = await startTestOperator();
  await openWallet(operator);
  expect(await refunded('a')).toBe(deposit);
  const root = await operator.ask('POST', `/v1/deposits/${deposit}/review`, { decision: 'paidBack' });
  expect(root.body).toMatchObject({ deposit, status: 'refunded' });
  const again = await operator.ask('POST', `/v1/deposits/${deposit}/review`, { decision: 'paidBack' });
  expect(again.body.code).toBe('wrongState');
});

test('DEC-OPR-103: a booking that does not fit names the member and changes nothing', async () => {
  const withdrawal = await withdraw(operator, 60n);
  await find(0);
  await find(1, { txId: null, ...nothing });
  for (const [payment, body, status, code, pointer] of [
    ['7', { booking: 'capital' }, 404, 'unknownPayment', undefined],
    ['0', { booking: 'withdrawal', withdrawal: 999 }, 404, 'unknownWithdrawal', '/withdrawal'],
    ['0', { booking: 'withdrawal', withdrawal }, 422, 'paymentDiffers', '/withdrawal'],
    ['0', { booking: 'capital', asset: 'USDT', amount: '46' }, 422, 'paymentDiffers', '/amount'],
    ['0', { booking: 'withdrawal' }, 400, 'invalidMember', '/withdrawal'],
    ['0', { booking: 'capital', withdrawal }, 400, 'invalidMember', '/withdrawal'],
    ['0', { booking: 'account' }, 400, 'invalidMember', '/uid'],
    ['0', { booking: 'account', uid: 5 }, 400, 'invalidMember', '/uid'],
    ['0', { booking: 'capital', amount: '47' }, 400, 'invalidMember', '/asset'],
    ['0', { booking: 'nothing' }, 400, 'invalidMember', '/booking'],
    ['1', { booking: 'capital' }, 422, 'paymentDiffers', '/asset'],
    ['1', { booking: 'capital', asset: 'BTC', amount: '1' }, 404, 'unknownAsset', '/asset'],
    ['1', { booking: 'capital', asset: 'NOPE', amount: '1' }, 400, 'invalidMember', '/asset'],
    ['1', { booking: 'capital', txId: '0xab' }, 422, 'noNormalForm', '/txId'],
    ['1', { booking: 'capital', txId: 'AB'.repeat(32) }, 422, 'paymentDiffers', '/txId'],
  ] as const) {
    const answer = await book(payment, body);
    expect([payment, body, answer.status, answer.body.code, answer.body.errors?.[0].pointer]).toEqual([
      ...[payment, body, status, code, pointer],
    ]);
  }
  expect((await safety()).unknownPayments.map(({ booking }: { booking: unknown }) => booking)).toEqual([null, null]);
  expect((await safety()).unknownPayments[1].toDo).toContain('name it as txId');
  const given = await book('1', { booking: 'capital', asset: 'USDT', amount: '12.5' });
  expect([given.status, given.body.asset, given.body.amount]).toEqual([200, 'USDT', '12.5']);
  expect(operator.exchange.faults()).toEqual([]);
});

test('DEC-OPR-103: reading and booking need scopes of their own', async () => {
  await find(0);
  const { body } = await operator.ask('POST', '/v1/tokens', {
    actor: 'reader',
    scopes: ['withdrawals:read'],
    validHours: 1,
  });
  const asReader = { token: body.token as string };
  expect((await operator.ask('GET', '/v1/safety', undefined, asReader)).status).toBe(200);
  const denied = await operator.ask('POST', '/v1/safety/payments/ETH/0/bookings', { booking: 'capital' }, asReader);
  expect([denied.status, denied.body.code]).toEqual([403, 'insufficientScope']);
});

test('DEC-OPR-104, DEC-WAL-127: a paid withdrawal that is lost is booked once, to its account or as capital', async () => {
  const withdrawal = await withdraw(operator, 50n);
  const none = { transaction: null, confirmations: 0, networkFee: as<Balance>(0n) };
  const transaction = { txId: '0xpaid', raw: 'raw', nonce: 0 };
  const advance = (event: 'assess' | 'begin' | 'sign' | 'broadcast' | 'confirm', more: object = {}) =>
    operator.exchange.submit({ kind: 'advanceWithdrawal', withdrawal, event, ...none, ...more });
  await advance('assess');
  operator.exchange.clock.time += 5000;
  await advance('begin');
  await advance('sign', { transaction });
  await advance('broadcast');
  await advance('confirm', { confirmations: 12 });
  const path = `/v1/safety/lost/${withdrawal}/bookings`;
  expect((await operator.ask('POST', path, { booking: 'account' })).body.code).toBe('unknownWithdrawal');
  await operator.exchange.submit({ kind: 'recordLostPayment', withdrawal, by: '0xother' });
  expect((await safety()).lostPayments).toMatchObject([
    { withdrawal, asset: 'USDT', amount: '47', txId: '0xpaid', lostBy: '0xother', booking: null },
  ]);
  const booked = await operator.ask('POST', path, { booking: 'capital' });
  expect([booked.status, booked.body.booking, booked.body.toDo]).toEqual([200, 'capital', null]);
  expect((await operator.ask('POST', path, { booking: 'account' })).body.code).toBe('wrongState');
  expect((await operator.ask('GET', `/v1/withdrawals/${withdrawal}`)).body.status).toBe('success');
  expect(operator.exchange.faults()).toEqual([]);
});
