import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AssetId, as, type Balance } from '#model/units.ts';
import { assignDueFeeTiers } from '#jobs/assign-fee-tiers.ts';
import { openRules } from '../scenario/wallet-harness.ts';
import { expectCode, expectShape } from './answer-shape.ts';
import { keys, startTestGateway, type TestGateway } from './gateway-harness.ts';

const noOwnRules = { makerFeePpm: null, takerFeePpm: null, openOrdersMax: 500 };
let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
});
afterAll(() => gate.close());

test('SPEC-ACC-01, SPEC-ACC-02: who the caller is', async () => {
  const status = await gate.signed('GET', '/api/v3/kyc/status');
  expectShape('kycStatus', status);
  expect(status.body).toEqual({ status: '2' });
  const uid = await gate.signed('GET', '/api/v3/uid', {}, { key: keys.sub });
  expectShape('uid', uid);
  expect(uid.body).toEqual({ uid: '1002' });
});

test('SPEC-ACC-03: pairs that can be traded by API; those that cannot are left out', async () => {
  const reply = await gate.signed('GET', '/api/v3/selfSymbols');
  expectShape('selfSymbols', reply);
  expect(reply.body).toEqual({ code: 200, data: ['BTCUSDT'], msg: null });
  await gate.configure({ apiTradingAllowed: false });
  expect((await gate.signed('GET', '/api/v3/selfSymbols')).body.data).toEqual([]);
  expect((await gate.get('/api/v3/defaultSymbols')).body.data).toEqual([]);
  await gate.configure({});
});

test('SPEC-ACC-04: balances, with what orders hold', async () => {
  await gate.signed('POST', '/api/v3/order', {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    quantity: '0.5',
    price: '30000.25',
  });
  const reply = await gate.signed('GET', '/api/v3/account');
  expectShape('account', reply);
  expect(reply.body).toMatchObject({ accountType: 'SPOT', permissions: ['SPOT'], canTrade: true });
  expect(reply.body.balances).toEqual([
    { asset: 'USDT', free: '984999.875', locked: '15000.125', available: '984999.875' },
    { asset: 'BTC', free: '20', locked: '0', available: '20' },
  ]);
});

test('SPEC-ACC-06, SPEC-ACC-07: commission in the platform token is switched, under both names', async () => {
  const timestamp = gate.exchange.clock.time;
  const off = await gate.signed('GET', '/api/v3/svcDeduct/enable');
  expectShape('feeDeduction', off);
  expect(off.body).toEqual({ data: { svcDeductEnable: false, token: null }, code: 0, msg: 'success', timestamp });
  const on = await gate.signed('POST', '/api/v3/svcDeduct/enable', { svcDeductEnable: 'true' });
  expectShape('enableFeeDeduction', on);
  expect(on.body.data).toEqual({ svcDeductEnable: true });
  const alias = await gate.signed('GET', '/api/v3/mxDeduct/enable');
  expectShape('modelFeeDeduction', alias);
  expect(alias.body.data).toEqual({ mxDeductEnable: true });
  expect((await gate.signed('POST', '/api/v3/mxDeduct/enable', { mxDeductEnable: 'false' })).body.data).toEqual({
    mxDeductEnable: false,
  });
  expect((await gate.signed('GET', '/api/v3/svcDeduct/enable')).body.data).toMatchObject({ svcDeductEnable: false });
  expectCode(await gate.signed('POST', '/api/v3/svcDeduct/enable'), 44444);
  expectCode(await gate.signed('POST', '/api/v3/svcDeduct/enable', { svcDeductEnable: 'yes' }), 33333);
});

test("SPEC-ACC-08, DEC-OPR-168: commission rates of a pair, the account's own where they are lower", async () => {
  const fee = () => gate.signed('GET', '/api/v3/tradeFee', { symbol: 'BTCUSDT' });
  const reply = await fee();
  expectShape('tradeFee', reply);
  expect(reply.body.data).toEqual({ makerCommission: 0, takerCommission: 0.0005 });
  const own = { account: gate.accounts.alice, makerFeePpm: 100, takerFeePpm: 300, openOrdersMax: 500 };
  await gate.exchange.submit({ kind: 'setTradingRules', ...own });
  expect((await fee()).body.data).toEqual({ makerCommission: 0, takerCommission: 0.0003 });
  await gate.configure({ makerFeePpm: 200, takerFeePpm: 200 });
  expect((await fee()).body.data).toEqual({ makerCommission: 0.0001, takerCommission: 0.0002 });
  await gate.configure({});
  expectCode(await gate.signed('GET', '/api/v3/tradeFee'), 44444);
  expectCode(await gate.signed('GET', '/api/v3/tradeFee', { symbol: 'NOPEUSDT' }), 10007);
});

test('SPEC-ACC-08, DEC-OPR-214: the tier of an account shows in its commission rates', async () => {
  const { exchange } = gate;
  const valuedIn = as<AssetId>(0);
  await exchange.submit({ kind: 'configureWallet', rules: { ...openRules, valuedIn } });
  const tier = { volume: as<Balance>(0n), tokens: null, makerFeePpm: 100, takerFeePpm: 200 };
  await exchange.submit({ kind: 'setFeeTiers', table: { valuedIn, tiers: [tier] } });
  const rates = async () => (await gate.signed('GET', '/api/v3/tradeFee', { symbol: 'BTCUSDT' })).body.data;
  await gate.configure({ makerFeePpm: 150, takerFeePpm: 500 });
  await exchange.submit({ kind: 'setTradingRules', account: gate.accounts.alice, ...noOwnRules });
  expect(await rates()).toEqual({ makerCommission: 0.00015, takerCommission: 0.0005 });
  exchange.clock.time += 86_400_000;
  await assignDueFeeTiers({ ingress: exchange.sequencer, queries: exchange.queries }, as(exchange.clock.time));
  expect(await rates()).toEqual({ makerCommission: 0.0001, takerCommission: 0.0002 });
  await exchange.submit({ kind: 'setFeeTiers', table: null });
  await gate.configure({});
});

test('signed answers are not to be stored', async () => {
  expect((await gate.signed('GET', '/api/v3/uid')).headers.get('cache-control')).toBe('no-store');
});
