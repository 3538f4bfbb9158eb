import { describe, expect, test } from 'vitest';
import { innerHouse } from '#model/account.ts';
import type { SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { canSettle } from '#engine/futures/can-settle.ts';
import { openOrdersOf } from '#engine/queries/engine-queries.ts';
import { contract, ContractDesk, orderOf, terms } from './contract-desk.ts';
import { assets, people } from './wallet-harness.ts';

// One lot costs 100 units per tick: n lots at p ticks are 100 × n × p units. Leverage is 20 and the mode cross unless
// told otherwise; a taker pays 0.04 %, a maker 0.01 %.
const { alice, bob, carol } = people;

describe('free margin', () => {
  test('DEC-FUT-51: losses of cross positions are neither taken out nor ordered with, profits do not count', () => {
    const desk = new ContractDesk({ alice: 110_400n });
    desk.trade(bob, alice, 'buy', 10, 1000);
    // 10 lots at 1000 are 1,000,000: margin 50,000 and a fee of 400.
    expect(desk.wallet(alice)).toEqual([60_000n, 50_000n]);
    desk.index(970);
    // 30,000 are lost. 6 lots at 971 need 29,130, 234, and the 600 that they lose at once; at 970 29,100 and 233.
    expect(desk.order(alice, 'buy', 6, 990)).toBe('notEnoughMargin');
    expect(desk.order(alice, 'buy', 6, 971)).toBe('accepted');
    expect(desk.wallet(alice)).toEqual([60_000n - 29_964n, 50_000n + 29_964n]);
    desk.run({ kind: 'cancelOrders', account: alice, symbols: [contract] });
    expect(desk.order(alice, 'buy', 6, 970)).toBe('accepted');
    expect(desk.takeOut(alice, 668n)).toBe('notEnoughFunds');
    expect(desk.takeOut(alice, 667n)).toBe('fundsTransferred');
    // Bob won what alice lost.
    expect(desk.takeOut(bob, 949_901n)).toBe('notEnoughFunds');
    expect(desk.takeOut(bob, 949_900n)).toBe('fundsTransferred');
  });

  test('DEC-FUT-51: what a cross position wins pays for no loss of another, and isolated ones count not at all', () => {
    const desk = new ContractDesk({ alice: 100_000n, carol: 100_000n });
    const other = second(desk);
    desk.leverage(carol, 20, 'isolated');
    desk.trade(bob, carol, 'buy', 5, 1000);
    desk.trade(bob, alice, 'buy', 5, 1000);
    desk.index(960);
    // Margin 25,000, fee 200; only the margin pays for the 20,000 that are lost.
    expect(desk.takeOut(carol, 74_800n)).toBe('fundsTransferred');
    // Alice loses 20,000 of 74,800, and sells the other contract at 1000: margin 10,000, fee 80.
    tradeOther(desk, other, 2, 1000);
    desk.index(950, other);
    // There she wins 10,000, which count once they are realised: free 64,720, less 20,000.
    expect(desk.takeOut(alice, 44_721n)).toBe('notEnoughFunds');
    expect(desk.takeOut(alice, 44_720n)).toBe('fundsTransferred');
  });
});

/** Lists a second contract, of the same terms. */
function second(desk: ContractDesk): SymbolId {
  const listing = { ...terms, name: 'TKN_USDT', base: assets.TKN };
  expect(desk.say({ kind: 'configureContract', contract: listing })).toBe('contractConfigured');
  return as<SymbolId>(4);
}

/** Bob buys from alice, or below zero sells to her, lots of the second contract; she takes. */
function tradeOther(desk: ContractDesk, symbol: SymbolId, lots: number, price: number): void {
  const [maker, taker] = lots > 0 ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
  for (const [account, side] of [
    [bob, maker],
    [alice, taker],
  ] as const) {
    const order = { ...orderOf(side, Math.abs(lots), price), symbol };
    expect(desk.run({ kind: 'placeOrder', account, order })[0]?.kind).toBe('orderAccepted');
  }
}

describe('what orders hold', () => {
  test('DEC-FUT-46: a sell holds for the best bid while it is matched, and for its limit once it rests', () => {
    const desk = new ContractDesk({ alice: 75_600n, carol: 75_599n });
    desk.order(bob, 'buy', 10, 1000);
    // 15 lots at 1000 are 1,500,000: 75,000 and 600.
    expect(desk.order(carol, 'sell', 15, 900)).toBe('notEnoughMargin');
    expect(desk.order(alice, 'sell', 15, 900)).toBe('accepted');
    // 10 filled: what 5 at 1000 need, 25,200, stays; at 900 they need 22,500 and 180.
    expect(desk.position(alice)).toMatchObject({ lots: -10, margin: 50_000n });
    expect(desk.wallet(alice)).toEqual([2_520n, 50_000n + 22_680n]);
    desk.run({ kind: 'cancelOrders', account: alice, symbols: [contract] });
    expect(desk.wallet(alice)).toEqual([25_200n, 50_000n]);
  });

  test('DEC-FUT-46: each fill of a resting order frees its share of what is held', () => {
    const desk = new ContractDesk({ alice: 100_221n });
    desk.leverage(alice, 3);
    // 3 lots at 1001: 300,300 / 3 = 100,100 and 121.
    expect(desk.order(alice, 'buy', 3, 1001)).toBe('accepted');
    expect(desk.wallet(alice)).toEqual([0n, 100_221n]);
    const wallets = [1, 2, 3].map(() => {
      desk.order(bob, 'sell', 1, 1001);
      return desk.wallet(alice);
    });
    // 33,407 are freed by each, which takes 11 and 33,367.
    expect(wallets).toEqual([
      [29n, 66_814n + 33_367n],
      [58n, 33_407n + 66_734n],
      [87n, 100_101n],
    ]);
  });

  test('DEC-FUT-49: units that rounding leaves out of a hold are missing from the margin', () => {
    const desk = new ContractDesk({ alice: 100_221n });
    desk.leverage(alice, 3);
    for (const maker of [bob, carol, bob]) desk.order(maker, 'sell', 1, 1001);
    expect(desk.order(alice, 'buy', 3, 1001)).toBe('accepted');
    // As a taker each fill pays 41: 33,365, 33,366 and 33,367 are left for margins of 33,367.
    expect(desk.wallet(alice)).toEqual([0n, 100_098n]);
    expect(desk.position(alice)).toMatchObject({ lots: 3, cost: 300_300n, margin: 100_098n });
  });

  test('DEC-FUT-46, DEC-FUT-49: fees that rise while an order rests take its hold, and nobody owes', () => {
    const desk = new ContractDesk({ alice: 10_080n });
    expect(desk.order(alice, 'buy', 2, 1000)).toBe('accepted');
    expect(desk.wallet(alice)).toEqual([0n, 10_080n]);
    const dearer = { ...terms, makerFeePpm: 50_000, takerFeePpm: 100_000 };
    expect(desk.say({ kind: 'configureContract', contract: dearer })).toBe('contractConfigured');
    desk.order(bob, 'sell', 1, 1000);
    // Half of what is held is freed, 5,040. Fee 5000, and 40 are left for the margin.
    expect(desk.wallet(alice)).toEqual([0n, 5_040n + 40n]);
    desk.order(bob, 'sell', 1, 1000);
    expect(desk.wallet(alice)).toEqual([0n, 80n]);
    expect(desk.position(alice)).toMatchObject({ lots: 2, cost: 200_000n, margin: 80n });
  });

  test('DEC-FUT-46: a market order holds for the end of its collar, and its rest holds nothing', () => {
    const desk = new ContractDesk({ alice: 15_120n });
    desk.trade(bob, carol, 'buy', 1, 1000);
    desk.order(bob, 'sell', 1, 1000);
    // The collar is 1500: 2 lots are 300,000, 15,000 and 120. 3 lots need more.
    expect(desk.order(alice, 'buy', 3, null, 'market')).toBe('notEnoughMargin');
    expect(desk.order(alice, 'buy', 2, null, 'market')).toBe('accepted');
    expect(desk.position(alice)).toMatchObject({ lots: 1, margin: 5_000n });
    expect(desk.wallet(alice)).toEqual([15_120n - 5_040n, 5_000n]);
    expect(openOrdersOf(desk.engine.state, alice, null)).toEqual([]);
  });

  test('DEC-FUT-22: a post-only order does not take, the rest of an IOC order is given back, FOK has no place', () => {
    const desk = new ContractDesk();
    desk.order(bob, 'sell', 1, 1000);
    expect(desk.order(alice, 'buy', 2, 1000, 'postOnly')).toBe('wouldTakeLiquidity');
    expect(desk.order(alice, 'buy', 2, 1000, 'fillOrKill')).toBe('kindNotAllowed');
    expect(desk.order(alice, 'buy', 2, 1000, 'immediateOrCancel')).toBe('accepted');
    expect(desk.wallet(alice)).toEqual([1_000_000n - 5_040n, 5_000n]);
    expect(desk.order(alice, 'buy', 2, 1000, 'postOnly')).toBe('accepted');
    expect(desk.wallet(alice)).toEqual([1_000_000n - 5_040n - 10_080n, 15_080n]);
  });

  test('DEC-FUT-53: an order whose worth at its costliest price is no safe integer is refused', () => {
    const desk = new ContractDesk({ bob: 10n ** 14n, carol: 10n ** 15n });
    expect(desk.order(bob, 'buy', 1, 9_000_000_000_000)).toBe('accepted');
    // 11 lots at the bid are 9.9 × 10^15, above 2^53.
    expect(desk.order(carol, 'sell', 11, 1)).toBe('aboveMaximumAmount');
    expect(desk.order(carol, 'sell', 10, 1)).toBe('accepted');
    expect(desk.position(carol)).toMatchObject({ lots: -1, cost: -900_000_000_000_000n });
  });
});

describe('bounds of orders', () => {
  test('DEC-FUT-46: the position and all open orders of a side stay within the tier of the leverage', () => {
    const desk = new ContractDesk();
    const buy = (lots: number): string => desk.order(alice, 'buy', lots, 500);
    expect([buy(60), buy(41), buy(40)]).toEqual(['accepted', 'aboveRiskLimit', 'accepted']);
    expect(desk.order(alice, 'sell', 100, 600)).toBe('accepted');
    expect(desk.order(alice, 'sell', 1, 600)).toBe('aboveRiskLimit');
    desk.order(carol, 'buy', 100, 600);
    expect(desk.position(alice).lots).toBe(-100);
    // −100 and 100 ordered: 100 more end at 100.
    expect([buy(101), buy(100), buy(1)]).toEqual(['aboveRiskLimit', 'accepted', 'aboveRiskLimit']);
    expect(desk.order(alice, 'sell', 1, 600)).toBe('aboveRiskLimit');
  });

  test('DEC-FUT-46: what replaces orders is checked for risk and margin once those are gone', () => {
    const desk = new ContractDesk({ alice: 252_000n });
    expect(desk.order(alice, 'buy', 100, 500)).toBe('accepted');
    expect(desk.wallet(alice)).toEqual([0n, 252_000n]);
    const requote = (lots: number, price: number): readonly string[] => {
      const cancel = openOrdersOf(desk.engine.state, alice, null).map(({ order }) => order);
      const place = [orderOf('buy', lots, price)];
      const events = desk.run({ kind: 'requote', account: alice, symbol: contract, cancel, place });
      return events.flatMap((event) => (event.kind === 'orderRefused' ? [event.reason] : []));
    };
    expect(requote(99, 505)).toEqual([]);
    // 99 lots at 505 are 4,999,500: 249,975 and 1999.8.
    expect(desk.wallet(alice)).toEqual([25n, 251_975n]);
    expect(requote(101, 400)).toEqual(['aboveRiskLimit']);
    expect(desk.wallet(alice)).toEqual([252_000n, 0n]);
    expect(requote(100, 501)).toEqual(['notEnoughMargin']);
  });

  test('DEC-FUT-21: a resting order that would exceed the risk limit by now is cancelled', () => {
    const desk = new ContractDesk();
    desk.trade(bob, alice, 'buy', 100, 60);
    expect(desk.order(alice, 'sell', 200, 70)).toBe('accepted');
    desk.order(carol, 'buy', 100, 60);
    expect(desk.reduce(alice, 'sell', 100, null)).toBe('accepted');
    expect(desk.order(bob, 'buy', 200, 70)).toBe('accepted');
    expect(desk.position(alice).lots).toBe(0);
    expect(desk.position(bob).lots).toBe(-100);
    expect(openOrdersOf(desk.engine.state, alice, null)).toEqual([]);
  });

  test('DEC-FUT-46, DEC-FUT-21: a position above the tiers of today only shrinks', () => {
    const desk = new ContractDesk();
    desk.trade(bob, alice, 'buy', 10, 1000);
    expect(desk.order(alice, 'buy', 1, 999)).toBe('accepted');
    const [first, last] = terms.tiers;
    const tiers = [
      { ...first!, maxLots: as<never>(5 as never) },
      { ...last!, maxLots: as<never>(6 as never) },
    ];
    expect(desk.say({ kind: 'configureContract', contract: { ...terms, tiers } })).toBe('contractConfigured');
    expect(desk.order(alice, 'buy', 1, 998)).toBe('aboveRiskLimit');
    expect(desk.order(carol, 'sell', 5, 999)).toBe('accepted');
    expect(desk.position(alice).lots).toBe(10);
    expect(openOrdersOf(desk.engine.state, alice, null)).toEqual([]);
    desk.order(carol, 'buy', 3, 998);
    expect(desk.order(alice, 'sell', 3, 998)).toBe('accepted');
    expect(desk.position(alice).lots).toBe(7);
  });

  test('DEC-FUT-52: limits lie within the band of the index on the side where they trade', () => {
    const desk = new ContractDesk();
    expect(desk.order(alice, 'buy', 1, 5)).toBe('accepted');
    expect(desk.order(alice, 'sell', 1, 3000)).toBe('accepted');
    // 1000.5 ticks: up to 1100.55, from 900.45.
    desk.index(1000.5);
    const answers = (side: 'buy' | 'sell', ...prices: number[]): string[] =>
      prices.map((price) => desk.order(alice, side, 1, price, 'postOnly'));
    expect(answers('sell', 900, 901)).toEqual(['priceOutsideBand', 'accepted']);
    expect(answers('buy', 1101, 1100, 1)).toEqual(['priceOutsideBand', 'wouldTakeLiquidity', 'accepted']);
    expect(desk.order(bob, 'buy', 1, null, 'market')).toBe('accepted');
    expect(desk.reduce(bob, 'sell', 1, 900, 'immediateOrCancel')).toBe('priceOutsideBand');
  });
});

describe('amounts that no balance has', () => {
  const possible = (desk: ContractDesk, lots: number, unit: number): boolean =>
    canSettle(desk.engine.state, desk.engine.state.books[contract]!, { account: alice, lots, unit });

  test('DEC-FUT-53: the lots of a position cost at most 2^60', () => {
    const desk = new ContractDesk();
    desk.trade(bob, alice, 'buy', 1, 1000);
    const position = desk.engine.state.positions.find(alice, contract)!;
    position.cost = 2n ** 60n - 100_000n;
    expect([possible(desk, 1, 100_000), possible(desk, 1, 100_100)]).toEqual([true, false]);
  });

  test('DEC-FUT-53: orders realise at most 2^61 in one position', () => {
    const desk = new ContractDesk();
    desk.trade(bob, alice, 'buy', 1, 1000);
    desk.engine.state.positions.find(alice, contract)!.realised = 2n ** 61n - 50n;
    expect([possible(desk, -1, 100_050), possible(desk, -1, 100_051)]).toEqual([true, false]);
  });

  test('DEC-FUT-53: the open interest of a contract stays a safe integer', () => {
    const desk = new ContractDesk();
    desk.trade(bob, carol, 'buy', 1, 1000);
    const { positions } = desk.engine.state;
    positions.changeLots(positions.find(carol, contract)!, Number.MAX_SAFE_INTEGER - 6);
    expect(positions.longLots(contract)).toBe(Number.MAX_SAFE_INTEGER - 5);
    expect([possible(desk, 5, 100_000), possible(desk, 6, 100_000)]).toEqual([true, false]);
  });

  test('DEC-FUT-53: profits that the house owes stay within 2^61', () => {
    const desk = new ContractDesk();
    desk.trade(bob, alice, 'buy', 1, 1000);
    const { balances } = desk.engine.state.ledger;
    balances.free.set(balances.row(innerHouse.clearing, assets.USDT), 50n - 2n ** 61n);
    expect([possible(desk, -1, 100_050), possible(desk, -1, 100_051)]).toEqual([true, false]);
  });
});

describe('losses', () => {
  test('DEC-FUT-49: behind a cross position is what is free, less what another one lacks', () => {
    const desk = new ContractDesk({ alice: 100_000n });
    const other = second(desk);
    desk.trade(bob, alice, 'buy', 5, 1000);
    tradeOther(desk, other, -2, 1000);
    // Margins 25,000 and 10,000, fees 200 and 80.
    expect(desk.wallet(alice)).toEqual([64_720n, 35_000n]);
    desk.index(850, other);
    // The other lost 30,000 of its 10,000, and needs 680 for maintenance. 25,000 + 64,720 − 20,680 = 69,040, and the
    // fee of 173: 500 × 137.7.
    desk.order(carol, 'buy', 5, 862);
    expect(desk.reduce(alice, 'sell', 5, 862, 'immediateOrCancel')).toBe('accepted');
    expect(desk.position(alice)).toMatchObject({ lots: 5, realised: 0n });
    desk.order(carol, 'buy', 5, 863);
    expect(desk.reduce(alice, 'sell', 5, 863, 'immediateOrCancel')).toBe('accepted');
    expect(desk.position(alice)).toMatchObject({ lots: 0, realised: -68_500n });
    expect(desk.wallet(alice)).toEqual([64_720n + 25_000n - 68_500n - 173n, 10_000n]);
  });

  test('DEC-FUT-49: a part of an isolated short pays the unit that its share of the margin lacks', () => {
    const desk = new ContractDesk({ alice: 6_222n });
    desk.leverage(alice, 50, 'isolated');
    desk.trade(alice, bob, 'buy', 2, 1000);
    desk.trade(alice, bob, 'buy', 1, 1050);
    // Sold for 305,000 with a margin of 4000 + 2100; maker fees 20 and 11.
    expect(desk.position(alice)).toMatchObject({ lots: -3, cost: -305_000n, margin: 6_100n });
    expect(desk.takeOut(alice, 91n)).toBe('fundsTransferred');
    desk.order(carol, 'sell', 1, 1037);
    desk.order(carol, 'sell', 2, 1038);
    // All would lose 311,100 − 305,000 at 1037: exactly the margin. One costs 103,700 and was sold for 101,666.
    expect(desk.reduce(alice, 'buy', 2, 1038, 'immediateOrCancel')).toBe('accepted');
    expect(desk.position(alice)).toMatchObject({ lots: -2, cost: -203_334n, margin: 4_066n, realised: -2_034n });
    expect(desk.wallet(alice)).toEqual([0n, 4_066n]);
    desk.run({ kind: 'cancelOrders', account: carol, symbols: [contract] });
    desk.order(carol, 'sell', 2, 1037);
    expect(desk.reduce(alice, 'buy', 1, 1037, 'immediateOrCancel')).toBe('accepted');
    expect(desk.reduce(alice, 'buy', 1, 1037, 'immediateOrCancel')).toBe('accepted');
    expect(desk.position(alice)).toMatchObject({ lots: 0, cost: 0n, margin: 0n, realised: -6_100n });
    expect(desk.wallet(alice)).toEqual([0n, 0n]);
  });

  test('DEC-FUT-49: a fill that loses all of an isolated margin opens the rest from what its order held', () => {
    const desk = new ContractDesk({ alice: 20_400n });
    desk.leverage(alice, 50, 'isolated');
    desk.trade(bob, alice, 'buy', 10, 1000);
    expect(desk.wallet(alice)).toEqual([0n, 20_000n]);
    // 15 lots at 980 are 1,470,000: 29,400 and 588.
    desk.fund(alice, 29_988n);
    desk.order(carol, 'buy', 15, 980);
    expect(desk.order(alice, 'sell', 15, 980)).toBe('accepted');
    expect(desk.position(alice)).toMatchObject({ lots: -5, cost: -490_000n, margin: 9_800n, realised: 0n });
    expect(desk.wallet(alice)).toEqual([29_988n - 588n - 9_800n, 9_800n]);
  });

  test('DEC-FUT-49: a loss takes what is free and then the margin of a cross position, and no fee is owed', () => {
    const desk = new ContractDesk({ alice: 50_500n });
    desk.trade(bob, alice, 'buy', 10, 1000);
    expect(desk.wallet(alice)).toEqual([100n, 50_000n]);
    desk.order(carol, 'buy', 9, 950);
    // 9 lots lose 45,000, their share of the margin.
    expect(desk.reduce(alice, 'sell', 9, 950, 'immediateOrCancel')).toBe('accepted');
    expect(desk.wallet(alice)).toEqual([0n, 5_000n]);
    desk.order(carol, 'buy', 1, 949);
    expect(desk.reduce(alice, 'sell', 1, 949, 'immediateOrCancel')).toBe('accepted');
    expect(desk.position(alice).lots).toBe(1);
    desk.order(carol, 'buy', 1, 950);
    expect(desk.reduce(alice, 'sell', 1, 950, 'immediateOrCancel')).toBe('accepted');
    expect(desk.wallet(alice)).toEqual([0n, 0n]);
  });

  test('DEC-FUT-23: a trade with itself takes both fees from what its orders held', () => {
    const desk = new ContractDesk({ alice: 20_160n });
    desk.trade(alice, alice, 'buy', 2, 1000);
    expect(desk.wallet(alice)).toEqual([20_060n, 0n]);
    expect(desk.engine.state.positions.find(alice, contract)).toBeNull();
  });
});
