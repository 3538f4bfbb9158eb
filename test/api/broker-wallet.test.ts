import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { house } from '#model/account.ts';
import { expectCode, expectShape } from './answer-shape.ts';
import { type BrokerHarness, type Customer, md5, startBrokerHarness } from './broker-harness.ts';
import { assets, outside, units } from './wallet-harness.ts';
import { seenWith } from '../chain-sight.ts';

const day = 86_400_000;
let desk: BrokerHarness;
let carl: Customer;
let dora: Customer;
beforeAll(async () => {
  desk = await startBrokerHarness();
  carl = await desk.open('customerCarl');
  dora = await desk.open('customerDora', { password: md5('open sesame') });
});
afterAll(() => desk.close());

let payments = 0;
/** A deposit of a customer that its chain has confirmed, unless fewer confirmations are told. */
async function deposit(by: Customer, amount: number, confirmations = 12): Promise<string> {
  const { body } = await desk.post('capital/deposit/subAddress', { coin: 'USDT', network: 'ETH' }, { by });
  payments += 1;
  const txId = `0x${String(payments).padStart(64, '0')}`;
  const { address, memo } = body;
  const payment = { network: 'ETH', txId, output: 0, asset: assets.USDT, address, memo } as const;
  await desk.wallet.run({
    kind: 'reportDeposit',
    ...payment,
    amount: units('USDT', amount),
    sight: seenWith(confirmations),
  });
  return txId;
}
const amounts = (reply: { readonly body: readonly { readonly amount: string }[] }) =>
  reply.body.map(({ amount }) => amount);

describe('capital/deposit/subAddress', () => {
  const path = 'capital/deposit/subAddress';

  test('SPEC-BRK-05: an address is made once, by code or label of the network, and listed by asset', async () => {
    expect((await desk.get(path, { coin: 'USDT' }, { by: carl })).body).toEqual([]);
    const made = await desk.post(path, { coin: 'USDT', network: 'ETH' }, { by: carl });
    expectShape('createBrokerDepositAddress', made);
    expect(made.body).toMatchObject({ coin: 'USDT', network: 'Ethereum(ERC20)', memo: null });
    const again = await desk.post(path, { coin: 'USDT', network: 'Ethereum(ERC20)' }, { by: carl });
    expect(again.body).toEqual(made.body);
    const tron = await desk.post(path, { coin: 'USDT', network: 'TRX' }, { by: carl });
    const listed = await desk.get(path, { coin: 'USDT' }, { by: carl });
    expectShape('brokerDepositAddresses', listed);
    expect(listed.body).toEqual([made.body, tron.body]);
    const other = await desk.post(path, { coin: 'USDT', network: 'ETH' }, { by: dora });
    expect(other.body.address).not.toBe(made.body.address);
  });

  test.each([
    ['no coin', { network: 'ETH' }, 10222],
    ['an unknown coin', { coin: 'NOSUCH', network: 'ETH' }, 10232],
    ['no network', { coin: 'USDT' }, 44444],
    ['a network that the coin is not on', { coin: 'USDT', network: 'BTC' }, 33333],
    ['a coin on no network', { coin: 'DOG', network: 'ETH' }, 10206],
  ])('%s is refused', async (_title, body, code) => {
    expectCode(await desk.post(path, body, { by: carl }), code);
  });
});

describe('capital/deposit/subHisrec', () => {
  const path = 'capital/deposit/subHisrec';
  let by: Customer;
  beforeAll(async () => {
    by = await desk.open('customerPaul');
    for (const amount of [101, 102, 103]) await deposit(by, amount);
    await deposit(by, 104, 3);
    await deposit(by, 1, 12);
  });

  test('SPEC-BRK-06: deposits of the sub-account, newest first, amounts as text', async () => {
    const reply = await desk.get(path, {}, { by });
    expectShape('brokerDeposits', reply);
    expect(
      reply.body.map((row: Record<string, unknown>) => [row['amount'], row['status'], row['confirmTimes']]),
    ).toEqual([
      ['1', 1, '12'],
      ['104', 4, '3'],
      ['103', 5, '12'],
      ['102', 5, '12'],
      ['101', 5, '12'],
    ]);
    expect(reply.body[2]).toMatchObject({
      coin: 'USDT',
      network: 'Ethereum(ERC20)',
      unlockConfirm: '12',
      addressTag: null,
    });
    expect((await desk.get(path, {}, { by: carl })).body).toEqual([]);
  });

  test.each([
    ['5', 'SUCCESS', ['103', '102', '101']],
    ['4', 'PENDING', ['104']],
    ['1', 'SMALL', ['1']],
    ['7', 'REJECTED', []],
    ['2', 'TIME_DELAY', []],
  ])('DEC-SUB-19: the status %s is as well %s', async (number, name, expected) => {
    for (const status of [number, name]) expect(amounts(await desk.get(path, { status }, { by }))).toEqual(expected);
    expectCode(await desk.get(path, { status: name.toLowerCase() }, { by }), 33333);
  });

  test('SPEC-BRK-06: pages and assets', async () => {
    const page = (number: string) => desk.get(path, { limit: '2', page: number }, { by });
    expect(amounts(await page('1'))).toEqual(['1', '104']);
    expect(amounts(await page('2'))).toEqual(['103', '102']);
    expect(amounts(await page('3'))).toEqual(['101']);
    expect(amounts(await page('4'))).toEqual([]);
    expect(amounts(await desk.get(path, { limit: '1', page: '2', status: 'SUCCESS' }, { by }))).toEqual(['102']);
    expect((await desk.get(path, { coin: 'BTC' }, { by })).body).toEqual([]);
    expectCode(await desk.get(path, { coin: 'NOSUCH' }, { by }), 10232);
  });

  test('DEC-WAL-77: a removed deposit is shown on no page, and pages do not shift', async () => {
    const paid = await desk.open('customerRita');
    await deposit(paid, 201);
    const txId = await deposit(paid, 202, 1);
    await deposit(paid, 203);
    await desk.wallet.run({ kind: 'removeDeposit', network: 'ETH', txId, output: 0, forks: 0 });
    const page = async (number: string) => amounts(await desk.get(path, { limit: '1', page: number }, { by: paid }));
    expect([await page('1'), await page('2'), await page('3')]).toEqual([['203'], ['201'], []]);
    const all = await desk.get('capital/deposit/subHisrec/getall', { limit: '1000' });
    expect(amounts(all)).toContain('201');
    expect(amounts(all)).not.toContain('202');
  });

  test('SPEC-BRK-06, SPEC-BRK-07: 10 days back unless asked, 3 of all sub-accounts whatever is asked', async () => {
    const { clock } = desk.gate.exchange;
    const waited = await desk.open('customerWanda');
    const start = clock.time;
    await deposit(waited, 301);
    const own = async (more = {}) => amounts(await desk.get(path, more, { by: waited }));
    const all = async (more = {}) =>
      (await desk.get('capital/deposit/subHisrec/getall', { ...more, limit: '1000' })).body.filter(
        ({ subAccount }: { subAccount: string }) => subAccount === waited.name,
      ).length;
    expect([await own(), await all()]).toEqual([['301'], 1]);
    clock.time = start + 3 * day + 1;
    expect([await own(), await all(), await all({ startTime: String(start) })]).toEqual([['301'], 0, 0]);
    clock.time = start + 10 * day;
    expect(await own()).toEqual(['301']);
    clock.time = start + 10 * day + 1;
    expect([await own(), await own({ startTime: String(start) })]).toEqual([[], ['301']]);
    clock.time = start + 90 * day + 1;
    expect(await own({ startTime: '0' })).toEqual([]);
  });
});

describe('capital/deposit/subHisrec/getall', () => {
  const path = 'capital/deposit/subHisrec/getall';

  test('SPEC-BRK-07: deposits of all sub-accounts of the broker and of nobody else, newest first, by pages', async () => {
    await deposit(carl, 401);
    await deposit(dora, 402, 2);
    const alice = await desk.wallet.post('deposit/address', { coin: 'USDT', network: 'ETH' });
    const { address, memo } = alice.body[0];
    const payment = { network: 'ETH', txId: 'alice', output: 0, asset: assets.USDT, address, memo } as const;
    await desk.wallet.run({ kind: 'reportDeposit', ...payment, amount: units('USDT', 99), sight: seenWith(12) });
    await deposit(carl, 403);
    const reply = await desk.get(path);
    expectShape('allBrokerDeposits', reply);
    expect(reply.body[0]).not.toHaveProperty('addressTag');
    expect(reply.body.map((row: Record<string, unknown>) => [row['subAccount'], row['amount'], row['status']])).toEqual(
      [
        [carl.name, '403', 5],
        [dora.name, '402', 4],
        [carl.name, '401', 5],
      ],
    );
    expect(reply.body[0].insertTime).toBe(desk.gate.exchange.clock.time);
    expect(amounts(await desk.get(path, { limit: '2', page: '2' }))).toEqual(['401']);
    expect(amounts(await desk.get(path, { status: 'SUCCESS', limit: '1', page: '2' }))).toEqual(['401']);
    expect(amounts(await desk.get(path, { status: '4' }))).toEqual(['402']);
    expect(amounts(await desk.get(path, { coin: 'BTC' }))).toEqual([]);
  });

  test('SPEC-BRK-07: a deposit that an operator gives to a sub-account is there', async () => {
    const { address } = (await desk.post('capital/deposit/subAddress', { coin: 'XRP', network: 'XRP' }, { by: carl }))
      .body;
    const terms = { network: 'XRP', txId: 'lost', output: 0, asset: assets.XRP, address, memo: '777777' } as const;
    await desk.wallet.run({ kind: 'reportDeposit', ...terms, amount: units('XRP', 50), sight: seenWith(1) });
    expect(amounts(await desk.get(path, { coin: 'XRP' }))).toEqual([]);
    const [lost] = (await desk.gate.exchange.queries.wallet.liveDeposits('XRP')).filter(
      ({ account }) => account === house.outside,
    );
    const { deposit: number } = lost as { deposit: number };
    await desk.wallet.run({
      kind: 'reviewDeposit',
      deposit: number,
      decision: 'credit',
      account: carl.account,
      sight: seenWith(1),
    });
    expect(amounts(await desk.get(path, { coin: 'XRP' }))).toEqual(['50']);
  });
});

describe('POST capital/withdraw/apply', () => {
  const path = 'capital/withdraw/apply';
  const terms = { coin: 'USDT', network: 'ETH', address: outside.ETH, amount: '50' } as const;

  test('SPEC-BRK-08, DEC-SUB-54: a withdrawal is the one of the wallet, its id repeated for the same withdrawOrderId', async () => {
    await desk.fund(carl, 'USDT', '1000');
    const [before] = await desk.balance('USDT', { by: carl });
    const asked = { ...terms, network: 'Ethereum(ERC20)', remark: 'rent', withdrawOrderId: 'broker-1' };
    const reply = await desk.post(path, asked, { by: carl });
    expectShape('brokerWithdraw', reply);
    expect(await desk.balance('USDT', { by: carl })).toEqual([String(Number(before) - 50), '50']);
    const history = await desk.get('/api/v3/capital/withdraw/history', {}, { by: carl });
    expect(history.body[0]).toMatchObject({
      id: reply.body.id,
      network: 'Ethereum(ERC20)',
      amount: '50',
      transactionFee: '3',
      remark: 'rent',
      status: 1,
    });
    expect((await desk.post(path, asked, { by: carl })).body).toEqual(reply.body);
    expectCode(await desk.post(path, { ...asked, amount: '51' }, { by: carl }), 33333);
  });

  test('DEC-SUB-54: a memo goes with the address that needs one', async () => {
    const payment = { coin: 'XRP', network: 'XRP', address: outside.XRP, amount: '25' };
    await desk.wallet.run({
      kind: 'creditFunds',
      account: carl.account,
      asset: assets.XRP,
      amount: units('XRP', 60),
    });
    expectCode(await desk.post(path, payment, { by: carl }), 33333);
    expect((await desk.post(path, { ...payment, memo: '12' }, { by: carl })).status).toBe(200);
  });

  test.each([
    ['no coin', { coin: '' }, 10222],
    ['no network', { network: '' }, 44444],
    ['no address', { address: '' }, 44444],
    ['no amount', { amount: '' }, 10095],
    ['an unknown coin', { coin: 'NOSUCH' }, 10232],
    ['an unknown network', { network: 'BTC' }, 33333],
    ['an address of another network', { address: outside.BTC }, 33333],
    ['nothing', { amount: '0' }, 10102],
    ['less than nothing', { amount: '-1' }, 10102],
    ['too many decimals', { amount: '50.0000000001' }, 10096],
    ['less than the minimum', { amount: '9.99' }, 10097],
    ['more than there is', { amount: '90000' }, 10101],
    ['a remark of 65 characters', { remark: 'r'.repeat(65) }, 10268],
  ])('DEC-REQ-22: %s is refused', async (_title, change, code) => {
    const before = desk.gate.digest();
    expectCode(await desk.post(path, { ...terms, ...change }, { by: carl }), code);
    expect(desk.gate.digest()).toBe(before);
  });

  test('the last unit can be withdrawn once, not twice, also at the same moment', async () => {
    const poor = await desk.open('customerPoor');
    await desk.fund(poor, 'USDT', '100.00000001');
    const all = { ...terms, amount: '100.00000001' };
    expectCode(await desk.post(path, { ...all, amount: '100.00000002' }, { by: poor }), 10101);
    const replies = await Promise.all(Array.from({ length: 8 }, () => desk.post(path, all, { by: poor })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)]);
    expect(await desk.balance('USDT', { by: poor })).toEqual(['0', '100.00000001']);
    expect(desk.gate.exchange.faults()).toEqual([]);
  });

  test('DEC-SUB-16: wrong or missing a password is 730002; it is looked at when nothing else is wrong', async () => {
    await desk.fund(dora, 'USDT', '200');
    const password = md5('open sesame');
    for (const given of [undefined, md5('open'), 'open sesame', password.slice(1), '']) {
      const reply = await desk.post(path, { ...terms, password: given }, { by: dora });
      expectCode(reply, 730002);
      expect(reply.body.msg).toContain("'password'");
    }
    for (const given of [md5('open'), password]) {
      expectCode(await desk.post(path, { ...terms, coin: 'NOSUCH', password: given }, { by: dora }), 10232);
      expectCode(await desk.post(path, { ...terms, amount: '900', password: given }, { by: dora }), 10101);
    }
    expect((await desk.post(path, { ...terms, password }, { by: dora })).status).toBe(200);
    const upper = password.toUpperCase();
    expect((await desk.post(path, { ...terms, password: upper }, { by: dora })).status).toBe(200);
    expect(await desk.balance('USDT', { by: dora })).toEqual(['100', '100']);
  });

  test('DEC-SUB-16: where none is set, none is looked at', async () => {
    expect((await desk.post(path, { ...terms, password: 'whatever' }, { by: carl })).status).toBe(200);
  });

  test('DEC-SUB-56: after ten wrong passwords within a minute none is looked at', async () => {
    const guessed = await desk.open('customerGuess', { password: md5('x') });
    await desk.fund(guessed, 'USDT', '100');
    const guess = (password: string) => desk.post(path, { ...terms, password }, { by: guessed });
    for (let each = 0; each < 10; each += 1) expectCode(await guess(md5(`${each}`)), 730002);
    expectCode(await guess(md5('x')), 10098);
    desk.gate.monotonic.time += 60_000;
    expect((await guess(md5('x'))).status).toBe(200);
  });

  test('DEC-SUB-56: passwords that are wrong at the same moment count like those one after the other', async () => {
    const guessed = await desk.open('customerBurst', { password: md5('x') });
    await desk.fund(guessed, 'USDT', '100');
    const ask = (password: string) => desk.post(path, { ...terms, password }, { by: guessed });
    const replies = await Promise.all(Array.from({ length: 40 }, (_, at) => ask(md5(`wrong ${at}`))));
    const codes = replies.map(({ body }) => body.code);
    expect(codes.filter((code) => code === 730002)).toHaveLength(10);
    expect(codes.filter((code) => code === 10098)).toHaveLength(30);
    desk.gate.monotonic.time += 60_000;
  });

  test('DEC-SUB-56: customers without money make nobody wait for his password', async () => {
    const password = md5('y');
    const names = Array.from({ length: 9 }, (_, at) => `customerFlood${at}`);
    const floods = await Promise.all(names.map((name) => desk.open(name, { password })));
    await desk.fund(dora, 'USDT', '50');
    const asked = floods.flatMap((by) =>
      Array.from({ length: 30 }, () => desk.post(path, { ...terms, password }, { by })),
    );
    const paid = await desk.post(path, { ...terms, password: md5('open sesame') }, { by: dora });
    expect(paid.status).toBe(200);
    const codes = (await Promise.all(asked)).map(({ body }) => body.code);
    expect(codes).toEqual(Array(270).fill(10101));
  });

  test('DEC-SUB-56: sixty customers with passwords are opened at once, and who has more than that waits: 429', async () => {
    const open = (at: number) =>
      desk.post('sub-account/virtualSubAccount', { subAccount: `crowd${1000 + at}`, note: 'x', password: md5('z') });
    const opened = await Promise.all(Array.from({ length: 60 }, (_, at) => open(at)));
    expect(opened.map(({ status }) => status)).toEqual(Array(60).fill(200));
    const again = await Promise.all(Array.from({ length: 60 }, (_, at) => open(at)));
    expect(again.map(({ body }) => body.code)).toEqual(Array(60).fill(730101));
    const more = await Promise.all(Array.from({ length: 150 }, (_, at) => open(100 + at)));
    const late = more.filter(({ status }) => status === 429);
    expect(late.length).toBeGreaterThan(0);
    expect(more.filter(({ status }) => status === 200)).toHaveLength(150 - late.length);
    for (const { headers, body } of late) {
      expect(headers.get('Retry-After')).toBe('1');
      expect(body.msg).toContain("'password'");
    }
  });

  test('DEC-SUB-100: with a password set, money leaves by this endpoint alone: 730002 elsewhere', async () => {
    await desk.fund(dora, 'USDT', '50');
    const before = desk.gate.digest();
    const password = md5('open sesame');
    const { coin, network, address, amount } = terms;
    const asked = { coin, address, amount, password };
    const inside = { toAccountType: 'UID', toAccount: carl.uid, asset: 'USDT', amount: '10' };
    const send = (to: string, parameters: Record<string, string>, by: Customer) =>
      desk.gate.signed('POST', `/api/v3/capital/${to}`, parameters, { key: by.key, secret: by.secret });
    for (const reply of [
      await send('withdraw', { ...asked, netWork: network }, dora),
      await send('withdraw/apply', { ...asked, network }, dora),
      await send('transfer/internal', inside, dora),
    ]) {
      expectCode(reply, 730002);
      expect(reply.body.msg).toContain("'password'");
    }
    expect(desk.gate.digest()).toBe(before);
    expect((await send('withdraw', { ...asked, netWork: network }, carl)).status).toBe(200);
  });

  test('SPEC-BRK-08, DEC-REQ-28: SPOT_TRANSFER_READ withdraws as specified; hardened it takes the WRITE twin', async () => {
    const hardened = await startBrokerHarness({ settings: { hardenedPermissions: true } });
    const codesOf = async (own: BrokerHarness) => {
      const codes = [];
      for (const permission of ['SPOT_TRANSFER_READ', 'SPOT_TRANSFER_WRITE'] as const) {
        const by = await own.open(`only${permission.replaceAll('_', '')}`, { permissions: [permission] });
        codes.push((await own.post(path, terms, { by })).body.code);
      }
      return codes;
    };
    expect(await codesOf(desk)).toEqual([10101, 700007]);
    expect(await codesOf(hardened)).toEqual([700007, 10101]);
    await hardened.close();
  });
});

test('a frozen sub-account reads and does nothing else: 140002', async () => {
  const by = await desk.open('customerCold');
  await deposit(by, 500);
  await desk.wallet.run({ kind: 'setAccountStatus', account: by.account, status: 'frozen' });
  const terms = { coin: 'USDT', network: 'ETH', address: outside.ETH, amount: '50' };
  expectCode(await desk.post('capital/withdraw/apply', terms, { by }), 140002);
  expectCode(await desk.post('capital/deposit/subAddress', { coin: 'USDT', network: 'TRX' }, { by }), 140002);
  expect((await desk.get('capital/deposit/subAddress', { coin: 'USDT' }, { by })).body).toHaveLength(1);
  expect((await desk.get('capital/deposit/subHisrec', {}, { by })).body).toHaveLength(1);
});
