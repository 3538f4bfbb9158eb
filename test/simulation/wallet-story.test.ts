import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyData } from '../crash/server-process.ts';
import { differencesOf } from '../crash/wallet-comparison.ts';
import { StreamClient } from '../streams/stream-client.ts';
import { coinsOf, ExpectedBalances, unitsOf } from './expected-balances.ts';
import { people, type Person, WalletWorld, withdrawalPaths } from './wallet-world.ts';

/*
 * A story of the wallet on a real process, over the public API and the operator's. Each test is a chapter: what came
 * before it is where it begins. `books` is written by hand beside the exchange and has to equal it to the last unit.
 */

const outsider = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const books = new ExpectedBalances();
/** What carol's account channel has to say, in order. */
const expectedPushes: string[] = [];

interface Deposit {
  readonly amount: string;
  readonly status: number;
  readonly txId: string;
  readonly confirmTimes: string;
  readonly unlockConfirm: string;
}
interface Withdrawal {
  readonly id: string;
  readonly status: number;
  readonly txId: string | null;
  readonly confirmNo: number | null;
  readonly transferType: number;
  readonly transactionFee: string;
}

let world: WalletWorld;
let stream: StreamClient;
beforeAll(async () => {
  world = await WalletWorld.start();
  for (const person of people)
    for (const { asset, free } of await world.balancesOf(person)) {
      if (['USDT', 'BTC', 'ETH', 'DOGE', 'SVC'].includes(asset)) books.change(person, asset, free);
    }
  const { listenKey } = await world.must<{ listenKey: string }>('carol', 'POST', 'userDataStream');
  stream = await StreamClient.open(`${world.server.demo.ws_url}?listenKey=${listenKey}`);
  await stream.subscribe('spot@private.account.v3.api.pb');
});
afterAll(async () => {
  await world?.remove();
});

/** Changes carol's balance and what her channel has to tell of it. */
function carols(type: string, asset: string, free: string, locked = '0'): void {
  books.change('carol', asset, free, locked);
  expectedPushes.push(`${type} ${asset} ${free} ${locked}`);
}

/** Everybody owns what the books say, of the assets that the story moves. */
async function compareBooks(): Promise<void> {
  for (const person of people) {
    const listed = await world.balancesOf(person);
    expect(
      listed.filter(({ asset }) => ['USDT', 'BTC', 'ETH', 'DOGE', 'SVC'].includes(asset)),
      person,
    ).toEqual(books.listed(person));
  }
}

const depositOf = async (person: Person, txId: string): Promise<Deposit | undefined> =>
  (await world.must<Deposit[]>(person, 'GET', 'capital/deposit/hisrec')).find((each) => each.txId === txId);

const withdrawalOf = async (id: string): Promise<Withdrawal> =>
  (await world.must<Withdrawal[]>('carol', 'GET', 'capital/withdraw/history')).find((each) => each.id === id)!;

const withdrawalIn = (id: string, status: number): Promise<Withdrawal> =>
  world.until(
    `withdrawal in ${status}`,
    () => withdrawalOf(id),
    (withdrawal) => withdrawal.status === status,
  );

async function addressOf(person: Person, coin: string, network: string): Promise<string> {
  const [made] = await world.must<{ address: string }[]>(person, 'POST', 'capital/deposit/address', { coin, network });
  return made!.address;
}

async function pay(asset: string, network: string, address: string, amount: string): Promise<string> {
  const body = { asset, address, memo: null, amount };
  return (await world.operator.must<{ txId: string }>('POST', `/v1/chains/${network}/deposits`, body)).txId;
}

/** Carol asks for money to be sent outside; the amount is held. */
async function withdraw(amount: string): Promise<string> {
  const terms = { coin: 'USDT', netWork: 'ETH', address: outsider, amount };
  const { id } = await world.must<{ id: string }>('carol', 'POST', 'capital/withdraw', terms);
  carols('WITHDRAW', 'USDT', `-${amount}`, amount);
  return id;
}

/** The number by which operators know a withdrawal of carol's that waits for them. */
async function queued(status: string): Promise<number> {
  type Page = { items: { withdrawal: number }[] };
  const page = await world.operator.must<Page>(
    'GET',
    `/v1/withdrawals?status=${status}&uid=${Number(world.uidOf('carol'))}`,
  );
  expect(page.items).toHaveLength(1);
  return page.items[0]!.withdrawal;
}

test('SPEC-WAL-07, DEC-WAL-14, DEC-WAL-19: a deposit is seen, counts its confirmations and is credited once', async () => {
  await world.mine('ETH', 10);
  const address = await addressOf('carol', 'ETH', 'ETH');
  // The chain counts 18 decimals, the ledger 9: the rest stays with the address.
  const txId = await pay('ETH', 'ETH', address, '1.234567890999999999');
  const counted = new Set<number>();
  for (;;) {
    await world.mine('ETH', 1);
    const seen = await world.until(
      'one more confirmation',
      () => depositOf('carol', txId),
      (deposit) => deposit !== undefined && !counted.has(Number(deposit.confirmTimes)),
    );
    expect(seen).toMatchObject({ amount: '1.23456789', unlockConfirm: '12' });
    expect(Number(seen!.confirmTimes)).toBeGreaterThan(Math.max(0, ...counted));
    counted.add(Number(seen!.confirmTimes));
    if (seen!.status === 5) break;
    expect(seen!.status).toBe(4);
    expect(Number(seen!.confirmTimes)).toBeLessThan(12);
    await compareBooks();
  }
  expect(counted.size).toBeGreaterThan(5);
  carols('DEPOSIT', 'ETH', '1.23456789');
  await compareBooks();
  // Its block is replaced and the payment is in a later one: it is not credited again. What comes behind it is.
  await world.operator.must('POST', '/v1/chains/ETH/reorganisations', { depth: 20, drop: false, blocks: 1 });
  const behind = await pay('ETH', 'ETH', address, '0.5');
  await world.mine('ETH', 20);
  await world.until(
    'the deposit behind it',
    () => depositOf('carol', behind),
    (deposit) => deposit?.status === 5,
  );
  carols('DEPOSIT', 'ETH', '0.5');
  await compareBooks();
});

test('what was deposited is traded', async () => {
  const order = (person: Person, terms: Record<string, string>) => world.must(person, 'POST', 'order', terms);
  await order('bob', { symbol: 'ETHUSDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '2345.67' });
  await order('carol', { symbol: 'ETHUSDT', side: 'SELL', type: 'MARKET', quantity: '1' });
  books.change('bob', 'USDT', '-2345.67');
  books.change('bob', 'ETH', '1');
  carols('ENTRUST', 'ETH', '-1');
  carols('ENTRUST', 'USDT', '2345.67');
  // 500 parts per million of what the taker receives.
  carols('TRADE_FEE', 'USDT', '-1.172835');
  await compareBooks();
});

test('DEC-WAL-23, DEC-WAL-28: a held withdrawal is approved by two operators and paid, status by status', async () => {
  await world.changeRules({ riskHoldAbove: '500', fourEyesAbove: '500', waitMs: 600_000 });
  const id = await withdraw('1000.5');
  await compareBooks();
  await withdrawalIn(id, 10);
  const number = await queued('manual');
  const [erin, frank] = [await world.hire('erin'), await world.hire('frank')];
  const path = `/v1/withdrawals/${number}/review`;
  const approve = { decision: 'approve' };
  expect(await erin.must('POST', path, approve)).toMatchObject({ status: 'manual', approvals: ['erin'] });
  expect((await erin.call('POST', path, approve))?.body).toMatchObject({ code: 'sameOperator' });
  expect(await frank.must('POST', path, approve)).toMatchObject({ status: 'wait', approvals: ['erin', 'frank'] });
  expect(await withdrawalOf(id)).toMatchObject({ status: 3, txId: null, transferType: 0, transactionFee: '3' });
  await world.changeRules({ waitMs: 0 });
  const sent = await withdrawalIn(id, 6);
  expect(sent.txId).toMatch(/^0x[0-9a-f]{64}$/);
  await world.mine('ETH', 1);
  await world.until(
    'the first confirmations',
    () => withdrawalOf(id),
    ({ confirmNo }) => (confirmNo ?? 0) > 0,
  );
  expect((await withdrawalOf(id)).status).toBe(6);
  await compareBooks();
  await world.mine('ETH', 11);
  expect(await withdrawalIn(id, 7)).toMatchObject({ txId: sent.txId });
  carols('WITHDRAW', 'USDT', '0', '-997.5');
  carols('WITHDRAW_FEE', 'USDT', '0', '-3');
  await compareBooks();
});

test('DEC-WAL-24: a withdrawal is cancelled in time, once, and gives everything back', async () => {
  await world.changeRules({ riskHoldAbove: null, fourEyesAbove: null, waitMs: 600_000 });
  const id = await withdraw('123.456789');
  await withdrawalIn(id, 3);
  expect(await world.must('carol', 'DELETE', 'capital/withdraw', { id })).toEqual({ id });
  carols('WITHDRAW', 'USDT', '123.456789', '-123.456789');
  expect(await withdrawalOf(id)).toMatchObject({ status: 9, txId: null });
  expect((await world.call('carol', 'DELETE', 'capital/withdraw', { id })).body).toMatchObject({ code: 26 });
  await compareBooks();
});

test('DEC-WAL-23: a withdrawal that an operator rejects is FAILED and gives everything back', async () => {
  await world.changeRules({ riskHoldAbove: '100', waitMs: 0 });
  const id = await withdraw('100.000001');
  await withdrawalIn(id, 10);
  const body = { decision: 'reject' };
  await world.operator.must('POST', `/v1/withdrawals/${await queued('manual')}/review`, body);
  carols('WITHDRAW', 'USDT', '100.000001', '-100.000001');
  expect(await withdrawalOf(id)).toMatchObject({ status: 8, txId: null });
  await compareBooks();
  await world.changeRules({ riskHoldAbove: null });
});

test('DEC-WAL-25: to the deposit address of another user nothing goes over a chain and nothing is charged', async () => {
  const address = await addressOf('alice', 'USDT', 'ETH');
  const terms = { coin: 'USDT', netWork: 'ETH', address, amount: '50' };
  const { id } = await world.must<{ id: string }>('carol', 'POST', 'capital/withdraw', terms);
  carols('WITHDRAW', 'USDT', '-50');
  books.change('alice', 'USDT', '50');
  const told = { status: 7, txId: null, transferType: 1, transactionFee: '0' };
  expect(await withdrawalOf(id)).toMatchObject(told);
  expect(await depositOf('alice', id)).toMatchObject({ amount: '50', status: 5 });
  await compareBooks();
});

test('SPEC-WAL-19: money goes to other users by uid, mail and mobile number', async () => {
  const send = (target: Record<string, string>, asset: string, amount: string) =>
    world.must('carol', 'POST', 'capital/transfer/internal', { ...target, asset, amount });
  await send({ toAccountType: 'UID', toAccount: world.uidOf('alice') }, 'USDT', '1.000000001');
  await send({ toAccountType: 'EMAIL', toAccount: 'Alice@Example.com' }, 'ETH', '0.000000001');
  await send({ toAccountType: 'MOBILE', toAccount: world.uidOf('bob'), areaCode: '44' }, 'USDT', '2');
  for (const [person, asset, amount] of [
    ['alice', 'USDT', '1.000000001'],
    ['alice', 'ETH', '0.000000001'],
    ['bob', 'USDT', '2'],
  ] as const) {
    books.change(person, asset, amount);
    carols('TRANSFER', asset, `-${amount}`);
  }
  await compareBooks();
});

test('SPEC-WAL-13: money goes to the futures wallet and part of it comes back', async () => {
  const transfer = (fromAccountType: string, toAccountType: string, amount: string) =>
    world.must('carol', 'POST', 'capital/transfer', { fromAccountType, toAccountType, asset: 'USDT', amount });
  await transfer('SPOT', 'FUTURES', '200.5');
  carols('CONTRACT_TRANSFER', 'USDT', '-200.5');
  await transfer('FUTURES', 'SPOT', '50.25');
  carols('CONTRACT_TRANSFER', 'USDT', '50.25');
  const wallets = await world.operator.must('GET', `/v1/accounts/${world.uidOf('carol')}/balances`);
  expect(wallets).toMatchObject({ futures: [{ asset: 'USDT', free: '150.25', held: '0' }] });
  await compareBooks();
});

test('DEC-WAL-35: dust becomes platform token at the prices of the rules, rounded against its owner', async () => {
  const cross = async (symbol: string, base: string, price: string, quantity: string, quoteAmount: string) => {
    await world.must('alice', 'POST', 'order', { symbol, side: 'SELL', type: 'LIMIT', quantity, price });
    await world.must('bob', 'POST', 'order', { symbol, side: 'BUY', type: 'LIMIT', quantity, price });
    books.change('alice', base, `-${quantity}`);
    books.change('alice', 'USDT', quoteAmount);
    books.change('bob', 'USDT', `-${quoteAmount}`);
    books.change('bob', base, quantity);
  };
  await cross('DOGEUSDT', 'DOGE', '0.12345', '100', '12.345');
  books.change('bob', 'DOGE', '-0.05');
  await cross('SVCUSDT', 'SVC', '0.4321', '100', '43.21');
  books.change('bob', 'SVC', '-0.02');
  const toCarol = { toAccountType: 'UID', toAccount: world.uidOf('carol'), asset: 'DOGE', amount: '13.333333' };
  await world.must('bob', 'POST', 'capital/transfer/internal', toCarol);
  books.change('bob', 'DOGE', '-13.333333');
  carols('TRANSFER', 'DOGE', '13.333333');

  const { items } = await world.operator.must<{ items: { asset: string; lower: string; higher: string }[] }>(
    'GET',
    '/v1/prices',
  );
  const priceOf = (code: string, bound: 'lower' | 'higher'): bigint => {
    const [whole, part = ''] = items.find(({ asset }) => asset === code)![bound].split('.');
    return BigInt(`${whole}${part.padEnd(18, '0')}`);
  };
  // 13.333333 DOGE of 10^-6 at the lower price, in SVC of 10^-8 at the higher one: down; of that 0.2 %: up.
  const gross = (13_333_333n * priceOf('DOGE', 'lower') * 10n ** 8n) / (10n ** 6n * priceOf('SVC', 'higher'));
  const fee = (gross * 2_000n + 999_999n) / 1_000_000n;
  const converted = coinsOf('SVC', gross - fee);
  expect(await world.must('carol', 'POST', 'capital/convert', { asset: 'DOGE' })).toEqual({
    totalConvert: converted,
    convertFee: coinsOf('SVC', fee),
    successList: ['DOGE'],
    failedList: [],
  });
  carols('DUST', 'DOGE', '-13.333333');
  carols('DUST', 'SVC', converted);
  await compareBooks();
});

test('DEC-WAL-30, DEC-STR-14: the account channel told every change, in order, each with the balance after it', async () => {
  await stream.drain();
  const owned = new Map<string, readonly [bigint, bigint]>();
  const heard = stream.pushes.flatMap(({ body }) => {
    if (body.case !== 'privateAccount') return [];
    const { type, vcoinName: asset, balanceAmountChange, frozenAmountChange, ...after } = body.value;
    const [free, locked] = owned.get(asset) ?? [0n, 0n];
    const now = [free + unitsOf(asset, balanceAmountChange), locked + unitsOf(asset, frozenAmountChange)] as const;
    owned.set(asset, now);
    expect([after.balanceAmount, after.frozenAmount]).toEqual(now.map((amount) => coinsOf(asset, amount)));
    return [`${type} ${asset} ${balanceAmountChange} ${frozenAmountChange}`];
  });
  expect(heard).toEqual(expectedPushes);
  stream.socket.close();
});

test('every amount is accounted for: the trial balance is zero, and outside owes what came over the chains', async () => {
  interface Line {
    readonly asset: string;
    readonly house: { account: string; balance: string }[];
    readonly futures: string;
    readonly outside: string;
    readonly sum: string;
  }
  const { items } = await world.operator.must<{ items: Line[] }>('GET', '/v1/ledger/trial-balance');
  expect(items.filter(({ sum }) => sum !== '0')).toEqual([]);
  const outside = Object.fromEntries(items.map((line) => [line.asset, line.outside]));
  // 997.5 USDT went out; their transaction took 65,000 gas at 3 gwei, which the house paid.
  expect(outside['USDT']).toBe('997.5');
  expect(outside['ETH']).toBe(coinsOf('ETH', unitsOf('ETH', '0.000195') - unitsOf('ETH', '1.73456789')));
  const usdt = items.find(({ asset }) => asset === 'USDT')!;
  // 150.25 that was transferred there, and the insurance funds of four contracts.
  expect(usdt.futures).toBe('2000150.25');
  // Of carol's trade and of the withdrawal; bob took in DOGE and SVC, and paid his fees in them.
  expect(usdt.house).toContainEqual({ account: 'fees', balance: '4.172835' });
  const eth = items.find(({ asset }) => asset === 'ETH')!;
  expect(eth.house).toContainEqual({ account: 'gas', balance: '-0.000195' });
});

test('DEC-WAL-81: after the stop all files verify, chains and ledger agree, and each withdrawal took every step', async () => {
  expect(await world.stop()).toBe(0);
  const report = await verifyData(world.data);
  expect(report.text).toContain('All sound.');
  expect(report.code).toBe(0);
  expect(await differencesOf(world.data)).toEqual([]);
  const paid = ['apply', 'auditing', 'manual', 'wait', 'processing', 'packaging', 'confirming', 'success'];
  expect([...(await withdrawalPaths(world.data)).values()]).toEqual([
    paid,
    ['apply', 'wait', 'cancelled'],
    ['apply', 'auditing', 'manual', 'failed'],
    ['success'],
  ]);
});
