import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AssetId, as, type Lots, type PriceTicks, type TimestampMs } from '#model/units.ts';
import { assignDueFeeTiers } from '#jobs/assign-fee-tiers.ts';
import { bitcoinPair } from './bitcoin-pair.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openRules } from '../scenario/wallet-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());

const path = '/v1/fee-tiers';
const tier = { volume: '1000', tokenBalance: null, makerFeePpm: 100, takerFeePpm: 200 };
const put = (body: object) => operator.ask('PUT', path, body);
const of = async (uid: number) => (await operator.ask('GET', `/v1/accounts/${uid}/fee-tier`)).body;

test('DEC-OPR-210: tiers need the rules of the wallet, and are off at first', async () => {
  expect((await operator.ask('GET', path)).body).toEqual({ enabled: false, tiers: [], valuedIn: null, nextAt: null });
  expect((await put({ enabled: true, tiers: [tier] })).body.code).toBe('walletNotConfigured');
  expect((await of(operator.alice.uid)).code).toBe('noFeeTiers');
  await operator.exchange.submit({ kind: 'configureWallet', rules: { ...openRules, valuedIn: as<AssetId>(0) } });
});

test('DEC-OPR-210, DEC-OPR-211: tiers are set and shown; an account tells its tier, and what is missing to the next', async () => {
  const { exchange, alice, bob } = operator;
  const higher = { volume: '2000.5', tokenBalance: null, makerFeePpm: 0, takerFeePpm: 100 };
  const nextAt = exchange.clock.time - (exchange.clock.time % 86_400_000) + 86_400_000;
  const set = { enabled: true, tiers: [tier, higher] };
  expect((await put(set)).body).toEqual({ ...set, valuedIn: 'USDT', nextAt });
  expect(await of(alice.uid)).toEqual({
    ...{ masterUid: alice.uid, tier: null, makerFeePpm: null, takerFeePpm: null, since: null, counted: null },
    present: { volume: '0', tokenBalance: '0' },
    next: { tier: 1, volumeMissing: '1000', tokenBalanceMissing: null },
  });
  await operator.ask('PUT', '/v1/pairs/BTCUSDT', bitcoinPair);
  await operator.ask('PATCH', '/v1/pairs/BTCUSDT', { status: 'online' });
  await exchange.submit({ kind: 'creditFunds', account: bob.account, asset: as<AssetId>(1), amount: as(10n ** 10n) });
  const { state } = exchange.engine;
  const rules = state.symbols.find('BTCUSDT')!.rules;
  const amounts = { price: as<PriceTicks>(100_000), quantity: as<Lots>(15_000), budget: null };
  const order = { ...amounts, symbol: rules.id, kind: 'limit', clientOrderId: null, stpMode: 'none' } as const;
  await exchange.submit({ kind: 'placeOrder', account: bob.account, order: { ...order, side: 'sell' } });
  await exchange.submit({ kind: 'placeOrder', account: alice.account, order: { ...order, side: 'buy' } });
  expect((await of(alice.uid)).present.volume).toBe('1500');
  exchange.clock.time = nextAt;
  await assignDueFeeTiers(
    { ingress: exchange.sequencer, queries: exchange.queries },
    as<TimestampMs>(exchange.clock.time),
  );
  expect(await of(alice.uid)).toEqual({
    ...{ masterUid: alice.uid, tier: 1, makerFeePpm: 100, takerFeePpm: 200, since: nextAt },
    counted: { volume: '1500', tokenBalance: '0' },
    present: { volume: '1500', tokenBalance: '0' },
    next: { tier: 2, volumeMissing: '500.5', tokenBalanceMissing: null },
  });
  expect(await exchange.queries.feeRates(alice.account, rules.id)).toEqual({ makerPpm: 0, takerPpm: 200 });
  expect((await put({ enabled: false })).body.enabled).toBe(false);
  expect(await exchange.queries.feeRates(alice.account, rules.id)).toEqual({ makerPpm: 0, takerPpm: 500 });
});

test.each([
  [{ tiers: [] }, 400, '/enabled'],
  [{ enabled: false, tiers: [tier] }, 400, '/tiers'],
  [{ enabled: true, tiers: [{ ...tier, volume: 'much' }] }, 400, '/tiers/0/volume'],
  [{ enabled: true, tiers: [{ ...tier, volume: '0.0000000001' }] }, 400, '/tiers/0/volume'],
  [{ enabled: true, tiers: [{ ...tier, volume: null }] }, 422, '/tiers/0/volume'],
  [{ enabled: true, tiers: [tier, tier] }, 422, '/tiers/1/volume'],
  [{ enabled: true, tiers: [tier, { ...tier, volume: '2000', takerFeePpm: 201 }] }, 422, '/tiers/1/takerFeePpm'],
  [{ enabled: true, tiers: [{ ...tier, tokenBalance: '5' }] }, 422, '/tiers/0/tokenBalance'],
  [{ enabled: true, tiers: [{ ...tier, makerFeePpm: -1 }] }, 400, '/tiers/0/makerFeePpm'],
])('DEC-OPR-210: %j is refused by name', async (body, status, pointer) => {
  const before = operator.digest();
  const reply = await put(body);
  expect([reply.status, reply.body.errors[0].pointer]).toEqual([status, pointer]);
  expect(operator.digest()).toBe(before);
});

test('DEC-OPR-210: a platform token lets balances lead to tiers; a stale edit is 412, an unknown account 404', async () => {
  await operator.ask('PUT', '/v1/platform-token', { asset: 'BTC', valuedIn: 'USDT', discountPpm: 0 });
  const tag = (await operator.ask('GET', path)).headers.get('etag')!;
  const set = { enabled: true, tiers: [{ ...tier, volume: null, tokenBalance: '2.5' }] };
  expect((await put(set)).body.tiers).toEqual(set.tiers);
  expect((await of(operator.bob.uid)).next).toBeNull();
  expect((await of(operator.alice.uid)).next).toEqual({ tier: 1, volumeMissing: null, tokenBalanceMissing: '1.00075' });
  const stale = await operator.ask('PUT', path, set, { headers: { 'if-match': tag } });
  expect(stale.status).toBe(412);
  expect((await of(99_999_999)).code).toBe('unknownAccount');
  const { body } = await operator.ask('GET', '/v1/acts?command=setFeeTiers&limit=1');
  expect(JSON.stringify(body.items[0].parameters)).toContain('"2.5"');
});
