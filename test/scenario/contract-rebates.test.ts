import { describe, expect, test } from 'vitest';
import { futuresWalletOf, house } from '#model/account.ts';
import type { Event } from '#model/event-record.ts';
import type { OrderRequest } from '#model/order.ts';
import { as } from '#model/units.ts';
import { contract, FuturesDesk } from './contract-rebate-desk.ts';
import { coin, usd } from './rebate-desk.ts';

/** anna invited bob, bob carl, carl dora; all have 100,000 USD in their futures wallet. */
function family() {
  const desk = new FuturesDesk();
  const anna = desk.open('anna');
  const bob = desk.open('bob', anna);
  const carl = desk.open('carl', bob);
  const dora = desk.open('dora', carl);
  for (const person of [anna, bob, carl, dora]) desk.toFutures(person, 100_000);
  return { desk, anna, bob, carl, dora };
}

describe('DEC-FUT-73: rebates accrue from the commissions of contract trades', () => {
  test('with the product futures, in the settle coin, from what opens and from what closes', () => {
    const { desk, anna, bob, carl, dora } = family();
    // 100 lots at 50 are 5000, of which dora pays 500: carl gets 100, bob 25, anna 10.
    const [opened, ...others] = desk.trade(dora, 'buy', 100, 50);
    expect(others).toEqual([]);
    expect(opened).toMatchObject({
      ...{ accrual: 1, product: 'futures', symbol: contract, trade: 1, payer: dora, source: dora, isMaker: false },
      ...{ asset: usd, commission: 500, turnover: 5000, assetValue: [1, 1], quoteValue: [1, 1] },
      ...{ beneficiaries: [carl, bob, anna, 0], ratesPpm: [200_000, 50_000, 20_000, 0], amounts: [100, 25, 10, 0] },
    });
    // The maker, whom nobody invited, paid 1 % of 5000.
    expect([desk.house('fees', usd), desk.house('rebates', usd)]).toEqual([415n, 135n]);
    // The profit of 10 a lot is no turnover: 100 lots at 60 are 6000, of which 600 are the commission.
    expect(desk.trade(dora, 'sell', 100, 60)[0]).toMatchObject({ turnover: 6000, amounts: [120, 30, 12, 0] });
    // A trade of dora with herself pays both of her fees: 10 % and 1 % of 500.
    const both = desk.trade(dora, 'buy', 10, 50, dora);
    expect(both.map(({ isMaker, commission, amounts }) => ({ isMaker, commission, amounts }))).toEqual([
      { isMaker: false, commission: 50, amounts: [10, 2, 1, 0] },
      { isMaker: true, commission: 5, amounts: [1, 0, 0, 0] },
    ]);
  });

  test('at the rates that inviters have for futures, which those for spot do not touch', () => {
    const { desk, anna, bob, carl, dora } = family();
    desk.ratesOf(carl, 'spot', [10_000, 10_000, 10_000, 10_000]);
    desk.ratesOf(bob, 'spot', [10_000, 10_000, 10_000, 0]);
    desk.ratesOf(carl, 'futures', [400_000, 0, 0, 100_000]);
    desk.ratesOf(anna, 'futures', [0, 0, 60_000, 0]);
    desk.restore();
    expect(desk.trade(dora, 'buy', 100, 50)[0]).toMatchObject({
      ...{ beneficiaries: [carl, bob, anna, dora], ratesPpm: [300_000, 50_000, 50_000, 100_000] },
      amounts: [150, 25, 25, 50],
    });
    // And the other way round: 10 % of 5000 lots are 500.
    expect(desk.buy(dora, 5000)[0]).toMatchObject({ product: 'spot', amounts: [0, 5, 10, 5] });
  });

  test('from what was really paid, where less was free than the fee', () => {
    const { desk, carl } = family();
    const erin = desk.open('erin', carl);
    // To buy 100 lots at 50 she holds 5000 / 20 and 10 % of 5000: all that she has.
    desk.toFutures(erin, 750);
    expect(desk.trade(erin, 'buy', 100, 50)[0]).toMatchObject({ commission: 500 });
    // She reduces at a loss of 200: 250 of margin come back, 50 are left for a fee of 480.
    desk.order(desk.maker, 'buy', 100, 48);
    const order: OrderRequest = {
      ...{ symbol: contract, side: 'sell', kind: 'market', price: null, quantity: as(100), budget: null },
      ...{ clientOrderId: null, stpMode: 'none' },
    };
    const events = desk.run({ kind: 'reducePosition', account: erin, order });
    expect(events.find(({ kind }) => kind === 'rebateAccrued')).toMatchObject({
      accrual: { commission: 50, turnover: 4800, amounts: [10, 2, 1, 0] },
    });
    expect(desk.free(futuresWalletOf(erin), usd)).toBe(0n);
  });

  test('and are paid into the spot wallet with those of spot, or given back to fees', () => {
    const { desk, bob, carl, dora } = family();
    desk.trade(dora, 'buy', 100, 50);
    desk.buy(dora, 10_000, { seller: desk.maker });
    const before = [desk.free(carl, usd), desk.free(carl, coin), desk.free(futuresWalletOf(carl), usd)] as const;
    expect(desk.reject(bob, null, desk.today)).toBe('rebatesRejected');
    desk.restore();
    desk.at += 86_400_000;
    const settlement = desk.settle(desk.today - 86_400_000)!;
    expect(settlement.isDone).toBe(true);
    expect(settlement.payouts.filter(({ beneficiary }) => beneficiary === carl)).toEqual([
      { beneficiary: carl, asset: usd, amount: 100n },
      { beneficiary: carl, asset: coin, amount: 200n },
    ]);
    expect([desk.free(carl, usd), desk.free(carl, coin), desk.free(futuresWalletOf(carl), usd)]).toEqual([
      before[0] + 100n,
      before[1] + 200n,
      before[2],
    ]);
    // Of 550 and 135: what bob lost of futures, 25, is a fee again.
    expect([desk.house('fees', usd), desk.house('rebates', usd)]).toEqual([550n - 135n + 25n, 0n]);
    expect(desk.replayed().digest()).toEqual(desk.engine.digest());
  });

  test('while funding moves between wallets without any', () => {
    const { desk, dora } = family();
    desk.trade(dora, 'buy', 100, 50);
    const index = 60 * 1e8;
    const prices = (): Event[] => desk.run({ kind: 'updateIndices', prices: [{ contract, price: index }] });
    prices();
    const fees = desk.free(house.fees, usd);
    desk.at = (Math.floor(desk.at / 28_800_000) + 1) * 28_800_000;
    const events = prices();
    expect(events.some((event) => event.kind === 'fundingSettled' && event.funding.paid > 0n)).toBe(true);
    expect(events.some(({ kind }) => kind === 'rebateAccrued')).toBe(false);
    expect(desk.free(house.fees, usd)).toBe(fees);
  });
});
