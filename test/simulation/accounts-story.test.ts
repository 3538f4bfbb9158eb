import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { permissions } from '#model/permission.ts';
import { verifyData } from '../crash/server-process.ts';
import { AccountsWorld, hasChains } from './accounts-world.ts';
import { coinsOf, unitsOf } from './expected-balances.ts';
import {
  type ExpectedRebate,
  expectedRebates,
  type ListedTrade,
  sumsByAsset,
  turnover,
  worth,
} from './expected-rebates.ts';

/*
 * A story of desks, customers and invitations on a real process, over the public API and what operators do. Each test
 * is a chapter: what came before it is where it begins. Commissions are taken from the trades that accounts list, and
 * what inviters get of them is computed here.
 */

const desks = ['deskOne001', 'deskTwo001'] as const;
const customer = 'customerNine';
const outsider = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const md5 = (password: string): string => createHash('md5').update(password).digest('hex');
const campaign = { code: 'STORY-1', campaign: 'A story' };

let world: AccountsWorld;
beforeAll(async () => {
  world = await AccountsWorld.start();
});
afterAll(async () => {
  await world?.remove();
});

interface Order {
  readonly orderId: string;
  readonly status: string;
  readonly executedQty: string;
}
interface Rebate {
  readonly asset: string;
  readonly rate: string;
  readonly amount: string;
  readonly uid: string;
  readonly account: string;
  readonly tradeTime: number;
  readonly updateTime: number;
}
interface AffiliateAnswer<Entry> {
  readonly data: { readonly resultList: readonly Entry[]; readonly [name: string]: unknown };
}

/** A limit order at a price of BTC; it answers with its state right after it. */
async function trade(who: string, side: string, price: string, quantity: string, stpMode = ''): Promise<Order> {
  const terms = { symbol: 'BTCUSDT', side, type: 'LIMIT', price, quantity };
  const { orderId } = await world.must<Order>(who, 'POST', 'order', stpMode === '' ? terms : { ...terms, stpMode });
  return orderOf(who, orderId);
}
const orderOf = (who: string, orderId: string): Promise<Order> =>
  world.must<Order>(who, 'GET', 'order', { symbol: 'BTCUSDT', orderId });

const tradesOf = (who: string): Promise<ListedTrade[]> => world.must(who, 'GET', 'myTrades', { symbol: 'BTCUSDT' });

/** All rebates of a report, in an order that does not depend on who traded first in a millisecond. */
async function rebatesOf(who: string, report: string): Promise<readonly Rebate[]> {
  const { data, totalRecords } = await world.must<{ data: Rebate[]; totalRecords: number }>(who, 'GET', report);
  expect(data).toHaveLength(totalRecords);
  return data;
}
const inOrder = <Entry extends object>(entries: readonly Entry[]): Entry[] =>
  [...entries].sort((first, second) => (JSON.stringify(first) < JSON.stringify(second) ? -1 : 1));
const told = ({ asset, rate, amount, uid, tradeTime }: Rebate | ExpectedRebate) => ({
  asset,
  rate,
  amount,
  uid,
  tradeTime,
});

const affiliateReport = async <Entry>(name: string, parameters: Readonly<Record<string, string>> = {}) =>
  (await world.must<AffiliateAnswer<Entry>>('affiliate', 'GET', `rebate/affiliate/${name}`, parameters)).data;

/** Registers somebody, with a key of the same name. */
async function register(name: string, inviteCode: string): Promise<string> {
  const body = { name, kycLevel: 3, email: `${name}@example.com`, inviteCode };
  const { uid } = await world.operator.must<{ uid: number }>('POST', '/v1/accounts', body);
  type Made = { accessKey: string; secretKey: string };
  const made = await world.operator.must<Made>('POST', `/v1/accounts/${uid}/api-keys`, { note: name, permissions });
  world.addKey(name, { apiKey: made.accessKey, secretKey: made.secretKey });
  return String(uid);
}

async function addressOf(who: string, path: string): Promise<string> {
  const made = await world.must<unknown>(who, 'POST', path, { coin: 'USDT', network: 'ETH' });
  return (Array.isArray(made) ? made[0] : made).address;
}

test('SPEC-SUB-01, SPEC-SUB-03, SPEC-SUB-07: a master opens desks with keys and funds them', async () => {
  for (const subAccount of desks) {
    await world.must('alice', 'POST', 'sub-account/virtualSubAccount', { subAccount, note: `of ${subAccount}` });
    const terms = { subAccount, note: 'trading', permissions: 'SPOT_ACCOUNT_READ,SPOT_DEAL_READ,SPOT_DEAL_WRITE' };
    const key = await world.must<{ apiKey: string; secretKey: string }>('alice', 'POST', 'sub-account/apiKey', terms);
    world.addKey(subAccount, key);
  }
  const wallets = { fromAccountType: 'SPOT', toAccountType: 'SPOT' };
  const fund = async (toAccount: string, asset: string, amount: string) =>
    world.must<{ tranId: string }>('alice', 'POST', 'capital/sub-account/universalTransfer', {
      toAccount,
      ...wallets,
      asset,
      amount,
    });
  const first = await fund(desks[0], 'USDT', '5000');
  await fund(desks[1], 'BTC', '0.1');
  expect(await world.balancesOf(desks[0])).toEqual({ USDT: ['5000', '0'] });
  expect(await world.balancesOf(desks[1])).toEqual({ BTC: ['0.1', '0'] });
  const asked = { toAccount: desks[0], ...wallets };
  expect(await world.must('alice', 'GET', 'capital/sub-account/universalTransfer', asked)).toMatchObject([
    { tranId: first.tranId, toAccount: desks[0], asset: 'USDT', amount: '5000', status: 'SUCCESS' },
  ]);
  const listed = { subAccount: desks[1], accountType: 'SPOT' };
  expect(await world.must('alice', 'GET', 'sub-account/asset', listed)).toEqual({
    balances: [{ asset: 'BTC', free: '0.1', locked: '0' }],
  });
  expect(await world.codeOf('bob', 'GET', 'sub-account/asset', listed)).toBe(140001);
});

test('DEC-ORD-20, DEC-ORD-21: desks of a group trade with each other only without a prevention mode', async () => {
  type Desks = { subAccounts: { subAccount: string; uid: string }[] };
  const { subAccounts } = await world.must<Desks>('alice', 'GET', 'sub-account/list');
  const uid = subAccounts
    .filter(({ subAccount }) => subAccount.startsWith('desk'))
    .map((each) => each.uid)
    .join(',');
  type Group = { data: { tradeGroupId: string } };
  const { data } = await world.must<Group>('alice', 'POST', 'strategy/group', { tradeGroupName: 'desks' });
  await world.must('alice', 'POST', 'strategy/group/uid', { uid, tradeGroupId: data.tradeGroupId });
  const meet = async (stpMode: string) => {
    const maker = await trade(desks[1], 'SELL', '50000', '0.001');
    const taker = await trade(desks[0], 'BUY', '50000', '0.001', stpMode);
    const { status } = await orderOf(desks[1], maker.orderId);
    for (const desk of desks) await world.must(desk, 'DELETE', 'openOrders', { symbol: 'BTCUSDT' });
    return { maker: status, taker: taker.status };
  };
  expect(await meet('')).toEqual({ maker: 'FILLED', taker: 'FILLED' });
  expect(await meet('cancel_taker')).toEqual({ maker: 'NEW', taker: 'CANCELED' });
  expect(await meet('cancel_maker')).toEqual({ maker: 'CANCELED', taker: 'NEW' });
  expect(await meet('cancel_both')).toEqual({ maker: 'CANCELED', taker: 'CANCELED' });
  expect(await tradesOf(desks[0])).toMatchObject([{ qty: '0.001', price: '50000' }]);
});

test('SPEC-BRK-01, SPEC-BRK-05: a broker opens a customer, with a key and a password', async () => {
  const opened = { subAccount: customer, note: 'the ninth', password: md5('secret') };
  await world.must('broker', 'POST', 'broker/sub-account/virtualSubAccount', opened);
  type Made = { apikey: string; secretKey: string };
  const terms = { subAccount: customer, note: 'all', permissions: permissions.join(',') };
  const made = await world.must<Made>('broker', 'POST', 'broker/sub-account/apiKey', terms);
  world.addKey(customer, { apiKey: made.apikey, secretKey: made.secretKey });
});

test.skipIf(hasChains)('DEC-CLU-24: a broker pays its customer at a node that follows', async () => {
  const amount = '1900.5';
  const toBroker = { toAccountType: 'UID', toAccount: world.uidOf('broker'), asset: 'USDT', amount };
  await world.must('alice', 'POST', 'capital/transfer/internal', toBroker);
  const spot = { fromAccountType: 'SPOT', toAccountType: 'SPOT', asset: 'USDT', amount };
  await world.must('broker', 'POST', 'broker/sub-account/universalTransfer', { ...spot, toAccount: customer });
  expect(await world.balancesOf(customer)).toEqual({ USDT: [amount, '0'] });
});

test.skipIf(!hasChains)('SPEC-BRK-06 to SPEC-BRK-08: it deposits, and withdraws with its password', async () => {
  const address = await addressOf(customer, 'broker/capital/deposit/subAddress');
  await world.deposit('USDT', 'ETH', address, '2000.5');
  type Deposit = { amount: string; status: number; subAccount?: string };
  const deposits = await world.until(
    'the deposit of a customer',
    () => world.must<Deposit[]>(customer, 'GET', 'broker/capital/deposit/subHisrec'),
    ([deposit]) => deposit?.status === 5,
  );
  expect(deposits).toMatchObject([{ amount: '2000.5', address, unlockConfirm: '12' }]);
  expect(await world.must('broker', 'GET', 'broker/capital/deposit/subHisrec/getall')).toMatchObject([
    { amount: '2000.5', subAccount: customer },
  ]);
  const withdrawal = { coin: 'USDT', network: 'ETH', address: outsider, amount: '100' };
  const withdraw = 'broker/capital/withdraw/apply';
  expect(await world.codeOf(customer, 'POST', withdraw, { ...withdrawal, password: md5('guess') })).toBe(730002);
  expect(await world.codeOf(customer, 'POST', withdraw, withdrawal)).toBe(730002);
  expect(await world.codeOf('broker', 'POST', withdraw, { ...withdrawal, password: md5('secret') })).toBe(730003);
  const { id } = await world.must<{ id: string }>(customer, 'POST', withdraw, {
    ...withdrawal,
    password: md5('secret'),
  });
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  const rules = await world.operator.must<object>('GET', '/v1/wallet/rules');
  await world.operator.must('PUT', '/v1/wallet/rules', { ...rules, waitMs: 0 });
  await world.until(
    'the withdrawal of a customer',
    async () => {
      await world.operator.must('POST', '/v1/chains/ETH/blocks', { blocks: 12 });
      return world.balancesOf(customer);
    },
    (balances) => balances['USDT']?.[1] === '0',
  );
  expect(await world.balancesOf(customer)).toEqual({ USDT: ['1900.5', '0'] });
});

/** People whom the story registers, by name. */
const uids = new Map<string, string>();
/** What each trader's commissions are, once all have traded. */
const traded = new Map<string, readonly ListedTrade[]>();
const affiliated = (who: string, percent: bigint, givenBack = 0n): readonly ExpectedRebate[] =>
  expectedRebates(traded.get(who)!, uids.get(who)!, { percent, givenBack });
/** 20 % less a kickback of 10 % of dorothea, whom it invited itself, and 5 % of ericsson, whom she invited. */
const ofAffiliate = () => [...affiliated('dorothea', 20n, 10n), ...affiliated('ericsson', 5n)];

test('DEC-SUB-23, DEC-SUB-27: an operator makes a campaign with a kickback, and registers who comes by it', async () => {
  const affiliate = `/v1/accounts/${world.uidOf('affiliate')}`;
  await world.operator.must('POST', `${affiliate}/invite-codes`, campaign);
  const rates = { referralPpm: 200_000, subAffiliatePpm: 50_000, thirdPpm: 20_000, kickbackPpm: 100_000 };
  await world.operator.must('PUT', `${affiliate}/rebate-rates/spot`, rates);
  const minute = world.now() - (world.now() % 60_000);
  await world.operator.must('POST', `/v1/invite-codes/${campaign.code}/clicks`, { minute, count: 17 });
  uids.set('dorothea', await register('dorothea', campaign.code));
  const { referCode } = await world.must<{ referCode: string }>('dorothea', 'GET', 'rebate/referCode');
  uids.set('ericsson', await register('ericsson', referCode));
  const ericssons = { toAccountType: 'UID', toAccount: uids.get('ericsson')!, asset: 'BTC', amount: '0.2' };
  await world.must('bob', 'POST', 'capital/transfer/internal', ericssons);
  const dorotheas = { toAccountType: 'UID', toAccount: uids.get('dorothea')!, asset: 'USDT', amount: '10000' };
  if (hasChains)
    await world.deposit('USDT', 'ETH', await addressOf('dorothea', 'capital/deposit/address'), dorotheas.amount);
  else await world.must('alice', 'POST', 'capital/transfer/internal', dorotheas);
  await world.until(
    'the deposit of dorothea',
    () => world.balancesOf('dorothea'),
    (balances) => balances['USDT']?.[0] === '10000',
  );
});

test('DEC-SUB-05: they and the customer trade as takers and as makers, and pay commissions', async () => {
  await trade('bob', 'SELL', '50000', '0.05');
  await trade('dorothea', 'BUY', '50000', '0.01234');
  await trade('dorothea', 'BUY', '50001', '0.03');
  await trade('dorothea', 'BUY', '49990', '0.02');
  await trade('bob', 'SELL', '49990', '0.01999');
  await trade('dorothea', 'SELL', '50100', '0.00777');
  await trade('ericsson', 'SELL', '50100', '0.01');
  await trade('bob', 'BUY', '50100', '0.01');
  await trade('bob', 'BUY', '49980', '0.1');
  await trade('ericsson', 'SELL', '49980', '0.07123');
  await trade(customer, 'BUY', '50200', '0.012');
  for (const who of ['bob', 'dorothea', 'ericsson', customer])
    await world.must(who, 'DELETE', 'openOrders', { symbol: 'BTCUSDT' });
  for (const who of ['dorothea', 'ericsson', customer]) traded.set(who, await tradesOf(who));
  const makers = [...traded.values()].flat().filter(({ isMaker }) => isMaker);
  expect(makers.length).toBeGreaterThan(2);
  const assets = new Set([...traded.values()].flat().map(({ commissionAsset }) => commissionAsset));
  expect([...assets].sort()).toEqual(['BTC', 'USDT']);
});

test('SPEC-REB-01 to SPEC-REB-03: every rebate report has exactly the shares of these commissions', async () => {
  expect(inOrder((await rebatesOf('affiliate', 'rebate/detail')).map(told))).toEqual(inOrder(ofAffiliate().map(told)));
  const kickbacks = affiliated('dorothea', 10n);
  expect(inOrder((await rebatesOf('dorothea', 'rebate/detail/kickback')).map(told))).toEqual(
    inOrder(kickbacks.map(told)),
  );
  const earned = await rebatesOf('dorothea', 'rebate/detail');
  expect(inOrder(earned.map(told))).toEqual(inOrder(affiliated('ericsson', 20n).map(told)));
  expect(new Set(earned.map(({ account }) => account))).toEqual(new Set(['eri****son@example.com']));
  type Summary = { data: { uid: string; spot: string; total: string }[] };
  const { data } = await world.must<Summary>('affiliate', 'GET', 'rebate/taxQuery');
  const spot = worth(affiliated('dorothea', 20n, 10n));
  expect(data.filter(({ uid }) => uid === uids.get('dorothea'))).toMatchObject([{ spot, futures: '0', total: spot }]);
});

test('SPEC-AFF-02, SPEC-AFF-04 to SPEC-AFF-07: reports of the affiliate add up the same commissions', async () => {
  const own = affiliated('dorothea', 20n, 10n);
  const [uid, trades] = [uids.get('dorothea')!, traded.get('dorothea')!];
  const deposited = hasChains ? '10000' : '0';
  const commission = await affiliateReport<{ uid: string }>('commission');
  expect(commission.resultList.find((entry) => entry.uid === uid)).toMatchObject({
    account: 'dor****hea@example.com',
    inviteCode: campaign.code,
    spot: worth(own),
    total: worth(own),
    deposit: deposited,
  });
  expect(commission).toMatchObject({ usdtAmount: turnover(trades), finished: false });

  const detail = await affiliateReport<object>('commission/detail');
  expect(detail['totalCommissionUsdtAmount']).toBe(worth(ofAffiliate()));
  const rows = ofAffiliate().map((rebate) => ({
    sourceType: rebate.uid === uid ? 1 : 2,
    state: 1,
    uid: rebate.uid,
    takerAmount: rebate.trade.isMaker ? '0' : rebate.trade.quoteQty,
    makerAmount: rebate.trade.isMaker ? rebate.trade.quoteQty : '0',
    usdtAmount: rebate.trade.quoteQty,
    commission: rebate.amount,
    currency: rebate.asset,
  }));
  expect(detail.resultList).toHaveLength(rows.length);
  for (const row of rows) expect(detail.resultList).toContainEqual(expect.objectContaining(row));

  const campaigns = await affiliateReport<{ inviteCode: string }>('campaign');
  expect(campaigns.resultList.find(({ inviteCode }) => inviteCode === campaign.code)).toMatchObject({
    campaign: campaign.campaign,
    clickTime: 17,
    signup: 1,
    deposited: hasChains ? 1 : 0,
    traded: 1,
    depositAmount: deposited,
    tradingAmount: turnover(trades),
    commission: worth(own),
  });
  expect((await affiliateReport('referral', { uid })).resultList).toMatchObject([
    { nickName: 'dorothea', email: 'do*****a@example.com', commission: worth(own), identification: 3 },
  ]);
  const below = await affiliateReport<{ subaffiliateName: string }>('subaffiliates');
  expect(below.resultList.find(({ subaffiliateName }) => subaffiliateName === 'dorothea')).toMatchObject({
    inviteCode: campaign.code,
    registered: 1,
    commission: worth(affiliated('ericsson', 5n)),
  });
});

test('SPEC-BRK-11: the broker has a fifth of what its customer pays', async () => {
  type Taxes = { data: { asset: string; amount: string; uid: string; time: string }[] };
  const { data } = await world.must<Taxes>('broker', 'GET', 'broker/rebate/taxQuery');
  const sums = sumsByAsset(expectedRebates(traded.get(customer)!, '', { percent: 20n }));
  expect(Object.fromEntries(data.map(({ asset, amount }) => [asset, amount]))).toEqual(sums);
  expect(data.map(({ time }) => time)).toEqual(data.map(() => world.today().replaceAll('-', '')));
});

test('SPEC-SUB-02, DEC-SUB-13: a frozen desk neither trades nor gets money, and its orders are cancelled', async () => {
  const resting = await trade(desks[0], 'BUY', '49000', '0.001');
  const account = await world.operator.must<{ items: { uid: number; name: string }[] }>(
    'GET',
    `/v1/accounts/${world.uidOf('alice')}/sub-accounts`,
  );
  const { uid } = account.items.find(({ name }) => name === desks[0])!;
  await world.operator.must('PUT', `/v1/accounts/${uid}/status`, { status: 'frozen' });
  const terms = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', price: '49000', quantity: '0.001' };
  expect(await world.codeOf(desks[0], 'POST', 'order', terms)).toBe(140002);
  const transfer = {
    toAccount: desks[0],
    fromAccountType: 'SPOT',
    toAccountType: 'SPOT',
    asset: 'USDT',
    amount: '1',
  };
  expect(await world.codeOf('alice', 'POST', 'capital/sub-account/universalTransfer', transfer)).toBe(140002);
  expect(await world.codeOf(desks[0], 'DELETE', 'order', { symbol: 'BTCUSDT', orderId: resting.orderId })).toBe(-2011);
  const frozen = await world.must('alice', 'GET', 'sub-account/list', { isFreeze: 'true' });
  expect(frozen).toMatchObject({ subAccounts: [{ subAccount: desks[0], isFreeze: true }] });
});

test('DEC-SUB-21, DEC-SUB-22: at midnight rebates are paid, but for those that an operator rejected', async () => {
  const day = world.today();
  const before = await world.balancesOf('affiliate');
  const rejection = { sourceUid: Number(uids.get('ericsson')), day };
  const affiliate = `/v1/accounts/${world.uidOf('affiliate')}/rebates`;
  await world.operator.must('POST', `${affiliate}/rejections`, rejection);
  world.passMidnight();
  await world.until(
    'the settlement of the day before',
    () => world.operator.must<{ settledBefore: string }>('GET', '/v1/rebates/settlement'),
    ({ settledBefore }) => settledBefore === world.today(),
  );
  expect(world.today()).not.toBe(day);

  const paid = sumsByAsset(affiliated('dorothea', 20n, 10n));
  const payouts = await affiliateReport<{ asset: string; amount: string; withdrawTime: number }>('withdraw');
  expect(Object.fromEntries(payouts.resultList.map(({ asset, amount }) => [asset, amount]))).toEqual(paid);
  const after = await world.balancesOf('affiliate');
  for (const [asset, amount] of Object.entries(paid)) {
    const grown = unitsOf(asset, after[asset]![0]) - unitsOf(asset, before[asset]?.[0] ?? '0');
    expect([asset, coinsOf(asset, grown)]).toEqual([asset, amount]);
  }
  const states = await affiliateReport<{ uid: string; state: number }>('commission/detail');
  expect(new Set(states.resultList.map(({ uid, state }) => `${uid} ${state}`))).toEqual(
    new Set([`${uids.get('dorothea')} 2`, `${uids.get('ericsson')} 3`]),
  );
  const midnight = Date.parse(world.today());
  for (const { updateTime, uid } of await rebatesOf('affiliate', 'rebate/detail'))
    expect([uid, updateTime >= midnight]).toEqual([uid, uid === uids.get('dorothea')]);
  const endTime = String(midnight - 1);
  expect(await affiliateReport('commission', { endTime })).toMatchObject({ finished: true });
});

test('I8: every amount is accounted for, and after the stop all files verify', async () => {
  type Lines = { items: { asset: string; sum: string }[] };
  const { items } = await world.operator.must<Lines>('GET', '/v1/ledger/trial-balance');
  expect(items.filter(({ sum }) => sum !== '0')).toEqual([]);
  expect(await world.stop()).toBe(0);
  const report = await verifyData(world.data);
  expect(report.text).toContain('All sound.');
  expect(report.code).toBe(0);
});
