import { describe, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { coin, coinToken, coinUsd, RebateDesk, token, tokenUsd, usd } from './rebate-desk.ts';

/** anna invited bob, bob carl, carl dora; nobody invited anna. */
function family() {
  const desk = new RebateDesk();
  const anna = desk.open('anna');
  const bob = desk.open('bob', anna);
  const carl = desk.open('carl', bob);
  const dora = desk.open('dora', carl);
  return { desk, anna, bob, carl, dora };
}

describe('DEC-SUB-05: rebates accrue from the commission of a trade', () => {
  test('20 % to the inviter, 5 % to the one above, 2 % to the third, in the asset of the fee', () => {
    const { desk, anna, bob, carl, dora } = family();
    // dora buys 10,000 and pays 10 % of it: 1000. Of these carl gets 200, bob 50, anna 20.
    const [accrual, ...others] = desk.buy(dora, 10_000);
    expect(others).toEqual([]);
    expect(accrual).toMatchObject({
      ...{ accrual: 1, product: 'spot', symbol: coinUsd, trade: 1, payer: dora, source: dora, isMaker: false },
      ...{ asset: coin, commission: 1000, turnover: 10_000 },
      ...{ beneficiaries: [carl, bob, anna, 0], ratesPpm: [200_000, 50_000, 20_000, 0], amounts: [200, 50, 20, 0] },
    });
    // DEC-SUB-21: the money is the house's rebates now, and the rest stays a fee.
    expect([desk.house('fees'), desk.house('rebates')]).toEqual([730n, 270n]);
  });

  test('each level is rounded down, and what is below a unit stays a fee', () => {
    const { desk, dora } = family();
    // 10 % of 390 is 39: of these 20 % are 7.8, 5 % are 1.95 and 2 % are 0.78.
    expect(desk.buy(dora, 390)[0]!.amounts).toEqual([7, 1, 0, 0]);
    expect([desk.house('fees'), desk.house('rebates')]).toEqual([31n, 8n]);
    // A commission of one unit is shared by nobody, and told all the same.
    const [dust] = desk.buy(dora, 1);
    expect(dust).toMatchObject({ commission: 1, turnover: 1, amounts: [0, 0, 0, 0] });
    expect([desk.house('fees'), desk.house('rebates')]).toEqual([32n, 8n]);
  });

  test('a trade without a fee is told with its turnover, and moves nothing', () => {
    const { desk, anna, bob, carl, dora } = family();
    const free = { makerFeePpm: 0, takerFeePpm: 0, openOrdersMax: 500 };
    desk.run({ kind: 'setTradingRules', account: dora, ...free });
    expect(desk.buy(dora, 10_000)[0]).toMatchObject({
      ...{ commission: 0, turnover: 10_000, beneficiaries: [carl, bob, anna, 0], amounts: [0, 0, 0, 0] },
    });
    expect([desk.house('fees'), desk.house('rebates')]).toEqual([0n, 0n]);
  });

  test('both sides of a trade accrue, the taker first, and nobody earns from those whom nobody invited', () => {
    const { desk, anna, bob, carl, dora } = family();
    desk.fees({ makerFeePpm: 50_000 });
    // dora takes from bob: she pays 100 COIN of 1000, he 50 USD of 1000.
    const accruals = desk.buy(dora, 1000, { seller: bob });
    expect(accruals.map(({ payer, isMaker, asset, amounts }) => ({ payer, isMaker, asset, amounts }))).toEqual([
      { payer: dora, isMaker: false, asset: coin, amounts: [20, 5, 2, 0] },
      { payer: bob, isMaker: true, asset: usd, amounts: [10, 0, 0, 0] },
    ]);
    expect(accruals[0]!.beneficiaries).toEqual([carl, bob, anna, 0]);
    expect(accruals[1]!.beneficiaries).toEqual([anna, 0, 0, 0]);
    expect(desk.buy(anna, 1000)).toEqual([]);
  });

  test('a fee in the platform token is shared in the token', () => {
    const { desk, carl, dora } = family();
    desk.run({ kind: 'configureFeeToken', token, valuedIn: usd, discountPpm: 200_000 });
    desk.buy(desk.maker, 1, { symbol: tokenUsd, price: 2, seller: carl });
    desk.buy(desk.maker, 1, { price: 1, seller: carl });
    desk.run({ kind: 'setFeeDeduction', account: dora, enabled: true });
    // 1000 COIN at 1 USD, less a fifth, at 2 USD a token: 400 tokens.
    const [accrual] = desk.buy(dora, 10_000);
    expect(accrual).toMatchObject({ asset: token, commission: 400, amounts: [80, 20, 8, 0], assetValue: [2, 1] });
    expect([desk.house('rebates', token), desk.house('rebates', coin)]).toEqual([108n, 0n]);
  });

  test('shares of the greatest commission are exact', () => {
    const { desk, dora } = family();
    desk.fees({ takerFeePpm: 1_000_000 });
    // The whole of 2^53 - 1 = 9007199254740991 is the fee. Its fifth is 1801439850948198.2, its twentieth
    // 450359962737049.55, its fiftieth 180143985094819.82.
    const greatest = 2 ** 53 - 1;
    expect(desk.buy(dora, greatest)[0]!.amounts).toEqual([1801439850948198, 450359962737049, 180143985094819, 0]);
    // Sums go beyond a safe integer and stay exact.
    for (let count = 1; count < 4; count += 1) desk.buy(dora, greatest);
    expect(desk.house('rebates')).toBe(4n * (1801439850948198n + 450359962737049n + 180143985094819n));
    desk.restore();
    desk.buy(dora, 100);
    desk.at += 86_400_000;
    const paid = desk.settle(desk.today - 86_400_000)!.payouts.map(({ amount }) => amount);
    expect(paid).toEqual([4n * 180143985094819n + 2n, 4n * 450359962737049n + 5n, 4n * 1801439850948198n + 20n]);
  });
});

describe('DEC-SUB-42: rates of one inviter', () => {
  test('a kickback goes to the payer out of the referral share, which is told without it', () => {
    const { desk, anna, bob, carl, dora } = family();
    expect(desk.rates(carl, [300_000, 0, 0, 100_001])).toBe('rebateRatesSet');
    // Of 999: 30 % are 299.7 and 10.0001 % are 99.90...: carl gets 299 - 99, dora 99.
    const [accrual] = desk.buy(dora, 9990);
    expect(accrual).toMatchObject({
      ...{ beneficiaries: [carl, bob, anna, dora], ratesPpm: [199_999, 50_000, 20_000, 100_001] },
      amounts: [200, 49, 19, 99],
    });
  });

  test('each account has its own for each level, and they count from the next trade', async () => {
    const { desk, anna, bob, carl, dora } = family();
    desk.rates(bob, [1, 70_000, 1, 0]);
    desk.rates(anna, [1, 1, 30_000, 0]);
    expect(desk.buy(dora, 10_000)[0]!.amounts).toEqual([200, 70, 30, 0]);
    desk.rates(carl, [0, 0, 0, 0]);
    desk.restore();
    expect(desk.buy(dora, 10_000)[0]!.amounts).toEqual([0, 70, 30, 0]);
    expect(await desk.questions.rates(carl, 'spot')).toMatchObject({ referralPpm: 0 });
    // Futures have rates of their own.
    expect(await desk.questions.rates(carl, 'futures')).toMatchObject({ referralPpm: 200_000, kickbackPpm: 0 });
  });

  test('what is out of bounds is refused', () => {
    const { desk, carl } = family();
    for (const wrong of [
      [-1, 0, 0, 0],
      [0.5, 0, 0, 0],
      [500_001, 0, 0, 0],
      [200_000, 200_000, 100_001, 0],
      [200_000, 0, 0, 200_001],
      [2 ** 53, 0, 0, 0],
    ])
      expect(desk.rates(carl, wrong)).toBe('invalidConfiguration');
    expect(desk.rates(as(99), [0, 0, 0, 0])).toBe('unknownAccount');
    expect(desk.rates(desk.openSubAccount(carl, 'childchild'), [0, 0, 0, 0])).toBe('unknownAccount');
  });
});

test('DEC-SUB-36: where all shares would be more than half, the farthest level gets less first', () => {
  const { desk, anna, bob, carl, dora } = family();
  desk.rates(carl, [400_000, 0, 0, 0]);
  desk.rates(bob, [0, 90_000, 0, 0]);
  // 40 % and 9 % leave 1 % to anna, whose own rate is 2 %.
  expect(desk.buy(dora, 10_000)[0]).toMatchObject({
    ratesPpm: [400_000, 90_000, 10_000, 0],
    amounts: [400, 90, 10, 0],
  });
  desk.rates(bob, [0, 150_000, 0, 0]);
  expect(desk.buy(dora, 10_000)[0]).toMatchObject({ ratesPpm: [400_000, 100_000, 0, 0], amounts: [400, 100, 0, 0] });
  desk.rates(carl, [500_000, 0, 0, 500_000]);
  expect(desk.buy(dora, 10_000)[0]).toMatchObject({
    ...{ beneficiaries: [carl, bob, anna, dora], ratesPpm: [0, 0, 0, 500_000], amounts: [0, 0, 0, 500] },
  });
});

describe('DEC-SUB-29: the source of a rebate', () => {
  test('is the master where a sub-account of a user pays, also for a kickback', () => {
    const { desk, anna, bob, carl, dora } = family();
    const child = desk.openSubAccount(dora, 'childchild');
    desk.rates(carl, [200_000, 0, 0, 100_000]);
    desk.restore();
    expect(desk.buy(child, 10_000)[0]).toMatchObject({
      ...{ payer: child, source: dora, beneficiaries: [carl, bob, anna, dora], amounts: [100, 50, 20, 100] },
    });
  });

  test('is the sub-account of a broker itself, and the broker earns from it', async () => {
    const { desk, bob, carl, dora } = family();
    const broker = desk.open('broker', dora, 'broker');
    const customer = desk.openSubAccount(broker, 'customer1');
    desk.restore();
    expect(desk.buy(customer, 10_000)[0]).toMatchObject({
      ...{ payer: customer, source: customer, code: '', beneficiaries: [broker, dora, carl, 0] },
      amounts: [200, 50, 20, 0],
    });
    expect(desk.buy(broker, 10_000)[0]!.beneficiaries).toEqual([dora, carl, bob, 0]);
    expect(await desk.questions.invitation(customer)).toBeNull();
  });

  test('nobody earns from sub-accounts of a user whom nobody invited', () => {
    const { desk, anna } = family();
    expect(desk.buy(desk.openSubAccount(anna, 'childchild'), 10_000)).toEqual([]);
  });
});

describe('DEC-SUB-38: what a rebate is worth is fixed at the trade', () => {
  test('at the price of the trade in its own book, else at the last price, else nothing', () => {
    const { desk, carl, dora } = family();
    // COIN has no price in USD yet, nor has TKN.
    expect(desk.buy(dora, 100, { symbol: coinToken, price: 3 })[0]).toMatchObject({
      assetValue: [0, 0],
      quoteValue: [0, 0],
    });
    desk.buy(carl, 10, { symbol: tokenUsd, price: 4 });
    desk.buy(carl, 10, { price: 7 });
    // Another book: COIN is worth its last price in USD, not that of this trade in tokens.
    expect(desk.buy(dora, 100, { symbol: coinToken, price: 3 })[0]).toMatchObject({
      assetValue: [7, 1],
      quoteValue: [4, 1],
    });
    // Its own book: the price of this very trade, not the one before.
    expect(desk.buy(dora, 100, { price: 9 })[0]).toMatchObject({ assetValue: [9, 1], quoteValue: [1, 1] });
  });
});
