import { describe, expect, test } from 'vitest';
import { house, innerHouse } from '#model/account.ts';
import type { ContractListing } from '#model/contract.ts';
import type { Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { openOrdersOf } from '#engine/queries/engine-queries.ts';
import { exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { operated } from '../operated.ts';
import { contract, ContractDesk, terms } from './contract-desk.ts';
import { assets, people } from './wallet-harness.ts';

const { alice, bob, carol } = people;

describe('contracts', () => {
  test('DEC-FUT-49, DEC-FUT-24: both sides of a fill hold notional / 20 and pay their fees', () => {
    const desk = new ContractDesk();
    expect(desk.order(bob, 'sell', 10, 1000)).toBe('accepted');
    // 10 lots at 1000 ticks are 1,000,000 units; a twentieth is 50,000 and the taker's fee 400.
    expect(desk.wallet(bob)).toEqual([1_000_000n - 50_400n, 50_400n]);
    expect(desk.order(alice, 'buy', 10, 1000)).toBe('accepted');
    expect(desk.position(alice)).toMatchObject({ lots: 10, cost: 1_000_000n, margin: 50_000n, leverage: 20 });
    expect(desk.position(bob)).toMatchObject({ lots: -10, cost: -1_000_000n, margin: 50_000n, mode: 'cross' });
    expect(desk.wallet(alice)).toEqual([1_000_000n - 50_400n, 50_000n]);
    expect(desk.wallet(bob)).toEqual([1_000_000n - 50_100n, 50_000n]);
    expect(desk.houseHas(house.fees)).toBe(500n);
    desk.restore();
    expect(desk.position(alice).margin).toBe(50_000n);
  });

  test('DEC-FUT-20: adding adds cost, reducing realises its share, closing leaves nothing', () => {
    const desk = new ContractDesk();
    desk.trade(bob, alice, 'buy', 10, 1000);
    desk.trade(bob, alice, 'buy', 5, 1300);
    expect(desk.position(alice)).toMatchObject({ lots: 15, cost: 1_650_000n, margin: 82_500n });
    // 5 of 15 lots cost 550,000 and are sold for 600,000.
    desk.trade(bob, alice, 'sell', 5, 1200);
    expect(desk.position(alice)).toMatchObject({ lots: 10, cost: 1_100_000n, margin: 55_000n, realised: 50_000n });
    expect(desk.position(bob)).toMatchObject({ lots: -10, cost: -1_100_000n, realised: -50_000n });
    desk.trade(bob, alice, 'sell', 10, 1100);
    expect(desk.position(alice)).toMatchObject({ lots: 0, cost: 0n, margin: 0n, realised: 50_000n });
    expect(desk.houseHas(innerHouse.clearing)).toBe(0n);
    // Taker fees of alice: 400 + 260 + 240 + 440; maker fees of bob a quarter of them.
    expect(desk.wallet(alice)).toEqual([1_000_000n + 50_000n - 1340n, 0n]);
    expect(desk.wallet(bob)).toEqual([1_000_000n - 50_000n - 335n, 0n]);
  });

  test('DEC-FUT-20: a share of the cost that is no whole number is rounded toward zero', () => {
    const desk = new ContractDesk();
    desk.trade(bob, alice, 'buy', 2, 1000);
    desk.trade(bob, alice, 'buy', 1, 1001);
    // 300,100 units of 3 lots: one costs 100,033 and 33 hundredths; two of three cost 200,066.
    desk.trade(carol, alice, 'sell', 2, 1000);
    expect(desk.position(alice)).toMatchObject({ lots: 1, cost: 300_100n - 200_066n, realised: 200_000n - 200_066n });
    // What alice lost, the clearing has, and the open positions cost that much less.
    expect(desk.houseHas(innerHouse.clearing)).toBe(66n);
  });

  test('DEC-FUT-20: a fill larger than the position flips it at the price of the fill', () => {
    const desk = new ContractDesk();
    desk.trade(bob, alice, 'buy', 10, 1000);
    desk.trade(bob, alice, 'sell', 15, 900);
    expect(desk.position(alice)).toMatchObject({ lots: -5, cost: -450_000n, margin: 22_500n, realised: 0n });
    expect(desk.wallet(alice)).toEqual([1_000_000n - 100_000n - 400n - 540n - 22_500n, 22_500n]);
  });

  test('DEC-FUT-46: the last unit of margin suffices, one less does not', () => {
    // 1 lot at 1001 ticks is 100,100 units: margin 5005 and fee 41.
    const desk = new ContractDesk({ alice: 5046n, carol: 5045n });
    expect(desk.order(carol, 'buy', 1, 1001)).toBe('notEnoughMargin');
    expect(desk.order(alice, 'buy', 1, 1001)).toBe('accepted');
    expect(desk.wallet(alice)).toEqual([0n, 5046n]);
    expect(desk.order(bob, 'sell', 1, 1001)).toBe('accepted');
    // As a maker it pays 11.
    expect(desk.position(alice).margin).toBe(5005n);
    expect(desk.wallet(alice)).toEqual([30n, 5005n]);
  });

  test('DEC-FUT-46: a cancelled order gives back what it holds, and fills in parts never need more', () => {
    const desk = new ContractDesk({ alice: 15_138n });
    // 3 lots at 1001: 300,300 units, margin 15,015 and fee 121.
    expect(desk.order(alice, 'buy', 3, 1001)).toBe('accepted');
    expect(desk.wallet(alice)).toEqual([2n, 15_136n]);
    desk.order(bob, 'sell', 1, 1001);
    // Two lots need 10,010 and 81, so 5045 is released; margin 5005 is held again and 11 paid.
    expect(desk.wallet(alice)).toEqual([2n + 5045n - 5005n - 11n, 10_091n + 5005n]);
    desk.run({ kind: 'cancelOrders', account: alice, symbols: [contract] });
    expect(desk.wallet(alice)).toEqual([31n + 10_091n, 5005n]);
  });

  test('DEC-FUT-25: a reducing order is cut to the position and needs no free balance', () => {
    const desk = new ContractDesk({ alice: 50_400n });
    desk.trade(bob, alice, 'buy', 10, 1000);
    expect(desk.wallet(alice)).toEqual([0n, 50_000n]);
    expect(desk.reduce(alice, 'buy', 5, null)).toBe('noPosition');
    expect(desk.reduce(alice, 'sell', 5, 1000, 'limit')).toBe('kindNotAllowed');
    desk.order(carol, 'buy', 50, 1000);
    expect(desk.order(alice, 'sell', 5, 1000)).toBe('notEnoughMargin');
    expect(desk.reduce(alice, 'sell', 99, null)).toBe('accepted');
    expect(desk.position(alice).lots).toBe(0);
    expect(desk.wallet(alice)).toEqual([49_600n, 0n]);
    expect(desk.position(carol).lots).toBe(10);
  });

  test('DEC-FUT-21: a fill that would lose more than an isolated margin does not happen', () => {
    const desk = new ContractDesk();
    expect(desk.leverage(alice, 50, 'isolated')).toBe('positionChanged');
    desk.trade(bob, alice, 'buy', 10, 1000);
    expect(desk.position(alice).margin).toBe(20_000n);
    // At 979 it loses 21,000 of a margin of 20,000; at 980 exactly that.
    desk.order(carol, 'buy', 10, 979);
    expect(desk.order(alice, 'sell', 10, 979)).toBe('accepted');
    expect(desk.position(alice).lots).toBe(10);
    expect(openOrdersOf(desk.engine.state, alice, null)).toEqual([]);
    desk.order(carol, 'buy', 10, 980);
    expect(desk.order(alice, 'sell', 10, 980)).toBe('accepted');
    expect(desk.position(alice)).toMatchObject({ lots: 0, realised: -20_000n });
  });

  test('DEC-FUT-21: a resting order that cannot pay its fill is cancelled, and the next one fills', () => {
    const desk = new ContractDesk();
    desk.leverage(alice, 50, 'isolated');
    desk.trade(bob, alice, 'buy', 10, 1000);
    desk.order(alice, 'sell', 10, 950);
    desk.order(bob, 'sell', 10, 951);
    expect(desk.order(carol, 'buy', 10, 951)).toBe('accepted');
    expect(desk.position(alice).lots).toBe(10);
    expect(desk.position(bob).lots).toBe(-20);
    expect(desk.position(carol).lots).toBe(10);
  });

  test('DEC-FUT-08: orders beyond the tier of the leverage are refused', () => {
    const desk = new ContractDesk({ alice: 10_000_000n });
    expect(desk.order(alice, 'buy', 101, 1000)).toBe('aboveRiskLimit');
    expect(desk.leverage(alice, 10)).toBe('positionChanged');
    expect(desk.order(alice, 'buy', 101, 1000)).toBe('accepted');
    expect(desk.order(alice, 'buy', 1001, 1000)).toBe('aboveMaximumAmount');
    expect(desk.leverage(alice, 20)).toBe('hasPosition');
    expect(desk.leverage(bob, 51)).toBe('wrongLeverage');
  });

  test('DEC-FUT-23: a trade of an account with itself pays fees and changes no position', () => {
    const desk = new ContractDesk();
    desk.trade(bob, alice, 'buy', 10, 1000);
    desk.trade(alice, alice, 'sell', 5, 2000);
    expect(desk.position(alice)).toMatchObject({ lots: 10, cost: 1_000_000n, realised: 0n });
    expect(desk.wallet(alice)).toEqual([1_000_000n - 50_000n - 400n - 500n, 50_000n]);
  });

  test('DEC-FUT-09: only an enabled contract is traded, and one that ends cancels its orders', () => {
    const desk = new ContractDesk();
    const go = (state: 'enabled' | 'delivery' | 'delivered' | 'offline' | 'paused'): string =>
      desk.say({ kind: 'setContractState', contract, state });
    desk.trade(bob, alice, 'buy', 1, 1000);
    desk.order(carol, 'buy', 1, 900);
    expect([go('paused'), desk.order(alice, 'buy', 1, 1000), go('delivery')]).toEqual([
      'contractConfigured',
      'contractNotTradable',
      'wrongState',
    ]);
    expect(go('enabled')).toBe('contractConfigured');
    desk.trade(bob, alice, 'sell', 1, 1000);
    expect([go('delivery'), go('enabled')]).toEqual(['contractConfigured', 'wrongState']);
    expect(openOrdersOf(desk.engine.state, carol, null)).toHaveLength(1);
    expect(go('delivered')).toBe('contractConfigured');
    expect(openOrdersOf(desk.engine.state, carol, null)).toEqual([]);
    expect(desk.wallet(carol)).toEqual([1_000_000n, 0n]);
  });

  test('DEC-FUT-18: the house funds the insurance fund, whose account comes with the contract', async () => {
    const desk = new ContractDesk();
    const { insurer } = desk.engine.state.contracts.at(contract);
    const fund = (amount: bigint): string[] =>
      desk.run({ kind: 'fundInsurance', contract, amount: as<Balance>(amount) }).map(({ kind }) => kind);
    expect(fund(0n)).toEqual(['commandRefused']);
    expect(fund(5n)).toEqual(['posted', 'posted']);
    expect(desk.wallet(insurer)).toEqual([5n, 0n]);
    expect(desk.engine.state.accounts.get(insurer)!.name).toBe('insurance:BTC_USDT');
    const { symbols } = await exchangeQueries(desk.engine).listing();
    expect(symbols.map(({ name }) => name)).toEqual(['TKNUSDT', 'BTCUSDT', 'DOGUSDT']);
  });

  test('DEC-OPR-184: in production the fund is paid out of capital that is there', () => {
    const desk = new ContractDesk();
    const settle = assets.USDT;
    const owner = {
      account: innerHouse.capital,
      wallet: null,
      asset: settle,
      reason: 'seed',
      reference: null,
    } as const;
    const adjust = { kind: 'adjustBalance', ...owner, type: 'capitalIn', amount: as<Balance>(5n) } as const;
    desk.run(operated('erin', adjust));
    desk.run({ kind: 'recordProfile', profile: 'production' });
    const fund = (amount: bigint): string => desk.say({ kind: 'fundInsurance', contract, amount: as<Balance>(amount) });
    const granted = desk.free(innerHouse.grants, settle);
    expect(fund(6n)).toBe('houseHasTooLittle');
    desk.run({ kind: 'fundInsurance', contract, amount: as<Balance>(5n) });
    expect(fund(1n)).toBe('houseHasTooLittle');
    const { insurer } = desk.engine.state.contracts.at(contract);
    expect([desk.wallet(insurer), desk.free(innerHouse.grants, settle)]).toEqual([[5n, 0n], granted]);
  });

  test('DEC-FUT-22: terms that a contract cannot have are refused', () => {
    const desk = new ContractDesk();
    const configure = (changes: Partial<ContractListing>): string =>
      desk.say({ kind: 'configureContract', contract: { ...terms, ...changes } });
    expect(configure({ takerFeePpm: 500 })).toBe('contractConfigured');
    // A tick of 10^-5 of one contract is a tenth of the smallest unit.
    const wrong: readonly Partial<ContractListing>[] = [
      { name: 'ETH_USDT', priceDecimals: 5 },
      { name: 'ETHUSDT' },
      { size: 2 },
      { fundingHours: 7 },
      { tiers: [] },
      { tiers: [terms.tiers[1]!, terms.tiers[0]!] },
      { minFundingPpm: 2000 },
    ];
    for (const each of wrong) expect(configure(each)).toBe('invalidConfiguration');
    expect(desk.order(alice, 'buy', 1, 1000, 'fillOrKill')).toBe('kindNotAllowed');
  });
});
