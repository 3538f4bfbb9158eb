import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContractListing } from '#model/contract.ts';
import type { OrderRequest, Side } from '#model/order.ts';
import type { AccountId, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { expectShape } from './answer-shape.ts';
import { type Person, type RebateHarness, startRebateHarness } from './rebate-harness.ts';
import { assets, units } from './wallet-harness.ts';

/*
 * Ann is an affiliate and invited bea, who invited dan and gives nothing back; ann gives 5 % of commissions of futures
 * back. Contracts are of 0.0001 BTC: 1000 of them at 30,000 USDT are 3000 USDT, of which takers pay 0.04 %, 1.2 USDT,
 * and makers 0.01 %, 0.3 USDT. On spot takers pay 0.05 % of what they get: of 0.1 BTC, 0.00005 BTC or 1.5 USDT.
 */

let harness: RebateHarness;
let [ann, bea, dan, broker]: Person[] = [];
let contract: SymbolId;
let customer: { readonly account: AccountId; readonly uid: string };
/** When bea and dan traded contracts. */
const times: number[] = [];

const terms: ContractListing = {
  name: 'BTC_USDT',
  base: assets.BTC,
  settle: assets.USDT,
  ...{ size: 1, sizeDecimals: 4, priceDecimals: 1, state: 'enabled', minLots: as(1) },
  ...{ maxLots: as(100_000), makerFeePpm: 100, takerFeePpm: 400, bidLimitPpm: 100_000, fairLimitPpm: 10_000 },
  ...{ askLimitPpm: 100_000, collarPpm: 50_000, minFundingPpm: -1800, maxFundingPpm: 1800, fundingHours: 8 },
  liquidationFeePpm: 400,
  tiers: [{ maxLots: as(100_000), maintenancePpm: 4000, initialPpm: 5000, maxLeverage: 200 }],
};

const orderOf = (side: Side): OrderRequest => ({
  ...{ symbol: contract, side, kind: 'limit', price: as(300_000), quantity: as(1000), budget: null },
  ...{ clientOrderId: null, stpMode: 'none' },
});

const filled = { order: { closeReason: 'filled' } };

/** Somebody buys 1000 contracts of somebody else for 3000 USDT. */
async function buy(taker: AccountId, maker: AccountId): Promise<void> {
  harness.gate.exchange.clock.time += 60_000;
  await harness.wallet.run({ kind: 'placeOrder', account: maker, order: orderOf('sell') });
  const { events } = await harness.gate.exchange.submit({ kind: 'placeOrder', account: taker, order: orderOf('buy') });
  expect(events.filter(({ kind }) => kind === 'orderClosed')).toMatchObject([filled, filled]);
  times.push(harness.gate.exchange.clock.time);
}

async function openCustomer(): Promise<typeof customer> {
  const master = broker!.account;
  const opening = { kind: 'openSubAccount', master, name: 'customer1', note: '', passwordHash: null } as const;
  const { events } = await harness.gate.exchange.submit({ ...opening, atMost: 9 });
  const opened = events.find((event) => event.kind === 'accountOpened')!.account;
  await harness.wallet.run(
    { kind: 'enableFutures', master, account: opened.account },
    { kind: 'creditFunds', account: opened.account, asset: assets.USDT, amount: units('USDT', 10_000) },
  );
  return { account: opened.account, uid: String(opened.uid) };
}

beforeAll(async () => {
  harness = await startRebateHarness();
  const { wallet, gate } = harness;
  ann = await harness.register('ann', { class: 'affiliate' });
  bea = await harness.register('bea', { inviteCode: ann.referCode });
  gate.exchange.clock.time += 1000;
  dan = await harness.register('dan', { inviteCode: bea.referCode });
  broker = await harness.register('broker', { class: 'broker' });
  customer = await openCustomer();
  const rates = { referralPpm: 200_000, subAffiliatePpm: 50_000, thirdPpm: 20_000, kickbackPpm: 50_000 };
  await wallet.run(
    { kind: 'setRebateRates', inviter: ann.account, product: 'futures', ...rates },
    { kind: 'configureContract', contract: terms },
  );
  contract = gate.exchange.engine.state.contracts.find('BTC_USDT')!.rules.id;
  const move = { from: 'spot', to: 'futures', asset: assets.USDT, amount: units('USDT', 5000) } as const;
  for (const { account } of [ann, bea, dan, customer])
    await wallet.run({ kind: 'transferFunds', account, ...move, clientTranId: null });
  await harness.trade(bea, { side: 'BUY', quantity: '0.1', price: '30000' });
  await buy(bea.account, ann.account);
  await buy(ann.account, dan.account);
  await buy(customer.account, ann.account);
});
afterAll(() => harness.close());

describe('DEC-FUT-73: reports of rebates tell futures from spot', () => {
  const masked = ({ uid }: { readonly uid: string }): string => `${uid.slice(0, 3)}****${uid.slice(-3)}`;

  test('SPEC-REB-02, SPEC-REB-03: each record has its type', async () => {
    const reply = await harness.report('detail', ann!);
    expectShape('rebateDetail', reply);
    const futures = { asset: 'USDT', type: 'futures' };
    const ofDan = { ...futures, rate: '0.05', amount: '0.015', uid: dan!.uid, account: masked(dan!) };
    const ofBea = { ...futures, rate: '0.15', amount: '0.18', uid: bea!.uid, account: masked(bea!) };
    expect(reply.body.data).toEqual([
      { ...ofDan, tradeTime: times[1], updateTime: times[1] },
      { ...ofBea, tradeTime: times[0], updateTime: times[0] },
      expect.objectContaining({ asset: 'BTC', type: 'spot', rate: '0.2', amount: '0.00001', uid: bea!.uid }),
    ]);
    const back = await harness.report('detail/kickback', bea!);
    expectShape('kickbackDetail', back);
    const own = { ...futures, rate: '0.05', amount: '0.06', uid: bea!.uid, account: masked(bea!) };
    expect(back.body.data).toEqual([{ ...own, tradeTime: times[0], updateTime: times[0] }]);
  });

  test('SPEC-REB-01: sums by user have both, and what they are together', async () => {
    const reply = await harness.report('taxQuery', ann!);
    expectShape('rebateSummary', reply);
    expect(reply.body.data).toMatchObject([
      { uid: dan!.uid, spot: '0', futures: '0.015', total: '0.015' },
      { uid: bea!.uid, spot: '0.3', futures: '0.18', total: '0.48' },
    ]);
    expect((await harness.report('taxQuery', bea!)).body.data).toMatchObject([
      { uid: dan!.uid, spot: '0', futures: '0.06', total: '0.06' },
    ]);
  });

  test('SPEC-AFF-02: commissions by user have both, and turnover counts both', async () => {
    const reply = await harness.report('affiliate/commission', ann!);
    expectShape('affiliateCommission', reply);
    expect(reply.body.data).toMatchObject({
      resultList: [{ uid: bea!.uid, spot: '0.3', etf: '0', futures: '0.18', total: '0.48' }],
      ...{ usdtAmount: '6000', totalCommissionUsdtAmount: '0.48', totalTradeUsdtAmount: '6000' },
    });
  });

  test('SPEC-AFF-04: commission detail has the contract, its turnover in the settle coin, and a filter by type', async () => {
    const detail = async (type?: string) => {
      const reply = await harness.report('affiliate/commission/detail', ann!, type === undefined ? {} : { type });
      expectShape('affiliateCommissionDetail', reply);
      return reply.body.data;
    };
    const ofContract = { type: 2, state: 1, symbol: 'BTC_USDT', amountCurrency: 'USDT', currency: 'USDT' };
    const ofDan = { ...ofContract, sourceType: 2, date: times[1], uid: dan!.uid, rate: '0.05', commission: '0.015' };
    const ofBea = { ...ofContract, sourceType: 1, date: times[0], uid: bea!.uid, rate: '0.15', commission: '0.18' };
    const expected = [
      { ...ofDan, takerAmount: '0', makerAmount: '3000', usdtAmount: '3000' },
      { ...ofBea, takerAmount: '3000', makerAmount: '0', usdtAmount: '3000' },
    ];
    const futures = await detail('2');
    expect(futures.resultList).toEqual(expected);
    expect(futures).toMatchObject({ totalCommissionUsdtAmount: '0.195', totalTradeUsdtAmount: '6000' });
    expect((await detail('1')).resultList).toMatchObject([{ type: 1, symbol: 'BTCUSDT', commission: '0.00001' }]);
    expect((await detail('3')).resultList).toEqual([]);
    expect((await detail()).resultList).toMatchObject([{ type: 2 }, { type: 2 }, { type: 1 }]);
  });

  test('SPEC-BRK-11: a broker earns from contracts of its customers', async () => {
    const reply = await harness.gate.signed('GET', '/api/v3/broker/rebate/taxQuery', {}, { key: broker!.key });
    expectShape('brokerRebates', reply);
    expect(reply.body.data).toMatchObject([{ asset: 'USDT', amount: '0.24', type: 'futures', uid: customer.uid }]);
  });
});
