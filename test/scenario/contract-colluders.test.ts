import { describe, expect, test } from 'vitest';
import type { ContractListing } from '#model/contract.ts';
import { openOrdersOf } from '#engine/queries/engine-queries.ts';
import { unrealisedProfit } from '#engine/futures/equity.ts';
import { as, type Lots } from '#model/units.ts';
import { first, LiquidationDesk } from './liquidation-desk.ts';
import { people } from './wallet-harness.ts';

// One lot costs 100 units per tick. The index stands at 10,000 ticks: a lot is worth a million.
const { alice, bob, carol, robot } = people;
const index = 10_000;
/** Half a per cent of initial margin, and almost as much for maintenance: what moves by one per cent loses it all. */
const tiers: ContractListing['tiers'] = [
  { maxLots: as(1_000_000), maintenancePpm: 2000, initialPpm: 5000, maxLeverage: 200 },
];

/** Everybody trades with 200 times leverage and cross margin; carol and the robot know nothing of alice and bob. */
function deskOf(money: { readonly alice: bigint; readonly bob: bigint }): LiquidationDesk {
  const changes = {
    tiers,
    maxLots: as<Lots>(1_000_000),
    bidLimitPpm: 100_000,
    askLimitPpm: 100_000,
    collarPpm: 50_000,
  };
  const desk = new LiquidationDesk({ ...money, carol: 10n ** 11n, robot: 10n ** 11n }, changes);
  desk.insure(10n ** 10n);
  for (const account of [alice, bob]) desk.leverage(account, 200, 'cross');
  desk.tell(index);
  return desk;
}

const fairOf = ({ engine }: LiquidationDesk): number =>
  engine.state.marks.of(engine.state.contracts.at(first).rules).fair / 1_000_000;

/** Moves last price and middle of the book: one lot trades there, and the book says so for five minutes. */
function moveTo(desk: LiquidationDesk, price: number): void {
  desk.run({ kind: 'cancelOrders', account: carol, symbols: [first] });
  desk.run({ kind: 'cancelOrders', account: robot, symbols: [first] });
  desk.order(carol, 'sell', 1, price);
  desk.order(robot, 'buy', 1, price);
  desk.order(carol, 'sell', 1, price + 1);
  desk.order(robot, 'buy', 1, price - 1);
  desk.tell(index, { after: 301_000 });
}

const fundOf = (desk: LiquidationDesk): bigint => desk.futuresFree(desk.insurer);

describe('two who trade with each other far from the fair price', () => {
  test('DEC-FUT-101: what is sold at 1.0995 times the index needs no fund to pay for who bought it', () => {
    // 42,000 and 400,000 coins against contracts of one coin a tick: sell 1,300 lots, buy 2,500 at that limit.
    const desk = deskOf({ alice: 42_000n * 10_000n, bob: 400_000n * 10_000n });
    const far = Math.floor(index * 1.0995);
    expect(desk.order(bob, 'sell', 1300, far)).toBe('orderAccepted');
    // 2,500 lots at 200 times leverage need 13,743,750; they would lose 248,750,000 at once.
    expect(desk.order(alice, 'buy', 2500, far)).toBe('orderAccepted');
    expect(desk.order(bob, 'buy', 1300, index)).toBe('orderAccepted');
    const before = fundOf(desk);
    for (const after of [1000, 60_000, 1000]) expect(desk.tell(index, { after })).toEqual([]);
    expect(fundOf(desk)).toBe(before);
    // What it may lose is hers: 995 ticks a lot are behind each lot.
    const { cost, lots } = desk.position(alice);
    expect(cost).toBe(BigInt(lots) * BigInt(far) * 100n);
    const lost = -unrealisedProfit(desk.engine.state, desk.engine.state.positions.find(alice, first)!);
    expect(desk.futuresFree(alice)).toBeGreaterThan(lost);
  });

  test('DEC-FUT-101: who has margin for the order but not for its open loss is refused', () => {
    const desk = deskOf({ alice: 20_000_000n, bob: 10n ** 10n });
    const far = Math.floor(index * 1.0995);
    desk.order(bob, 'sell', 1300, far);
    // 200 lots: 1,099,500 of margin, 19,900,000 of open loss; 190 need 1,044,525 and 18,905,000.
    expect(desk.order(alice, 'buy', 200, far)).toBe('notEnoughMargin');
    expect(desk.order(alice, 'buy', 190, far)).toBe('orderAccepted');
    expect(desk.position(alice).lots).toBe(190);
    // 50,475 are left, and a lot at the index needs 5,000.
    expect(desk.order(alice, 'buy', 11, index)).toBe('notEnoughMargin');
    expect(desk.order(alice, 'buy', 10, index)).toBe('orderAccepted');
  });

  test('DEC-FUT-101: a market order holds the open loss at the end of its collar', () => {
    const desk = deskOf({ alice: 10n ** 9n, bob: 10n ** 10n });
    desk.order(bob, 'sell', 1, index);
    desk.order(carol, 'buy', 1, index);
    desk.order(bob, 'sell', 10, index);
    // The collar ends at 10,500: 500 ticks and 52.5 of margin a lot. One of 11 lots finds nobody.
    const lots = 10 ** 9 / 55_250;
    const order = { symbol: first, side: 'buy', kind: 'market', price: null, budget: null } as const;
    const buy = (quantity: number) =>
      desk.run({
        kind: 'placeOrder',
        account: alice,
        order: { ...order, quantity: as(quantity), clientOrderId: null, stpMode: 'none' },
      })[0]!;
    expect(buy(Math.floor(lots) + 1)).toMatchObject({ kind: 'orderRefused', reason: 'notEnoughMargin' });
    expect(buy(Math.floor(lots)).kind).toBe('orderAccepted');
  });
});

describe('two who move the fair price', () => {
  test('DEC-FUT-100: last price and book move it by one per cent at most', () => {
    const desk = deskOf({ alice: 10n ** 9n, bob: 10n ** 9n });
    moveTo(desk, 10_900);
    expect(fairOf(desk)).toBe(10_100);
    moveTo(desk, 9100);
    expect(fairOf(desk)).toBe(9900);
    moveTo(desk, 10_050);
    expect(fairOf(desk)).toBe(10_050);
  });

  test('DEC-FUT-102: an order is judged again when it is filled, at the index too, and is cancelled', () => {
    const desk = deskOf({ alice: 30_000_000n, bob: 10n ** 10n });
    moveTo(desk, 10_101);
    expect(fairOf(desk)).toBe(10_100);
    // 100 lots at 10,100: 505,000 of margin, no open loss at the fair price, 10,000,000 at the index.
    desk.run({ kind: 'cancelOrders', account: carol, symbols: [first] });
    expect(desk.order(alice, 'buy', 100, 10_100)).toBe('orderAccepted');
    expect(desk.takeOut(alice, 29_000_000n)).toBe('fundsTransferred');
    desk.run({ kind: 'cancelOrders', account: robot, symbols: [first] });
    expect(desk.order(bob, 'sell', 100, 10_100)).toBe('orderAccepted');
    expect(desk.engine.state.positions.find(alice, first)?.lots ?? 0).toBe(0);
    expect(openOrdersOf(desk.engine.state, alice, null)).toEqual([]);
  });

  test('DEC-FUT-102: a fill that leaves one unit less than maintenance at the index is cancelled, one at it stands', () => {
    const lotsWith = (money: bigint): number => {
      const desk = deskOf({ alice: 30_000_000n, bob: 10n ** 10n });
      moveTo(desk, 10_101);
      desk.run({ kind: 'cancelOrders', account: carol, symbols: [first] });
      expect(desk.order(alice, 'buy', 100, 10_100)).toBe('orderAccepted');
      expect(desk.takeOut(alice, 30_000_000n - money)).toBe('fundsTransferred');
      desk.run({ kind: 'cancelOrders', account: robot, symbols: [first] });
      expect(desk.order(bob, 'sell', 100, 10_100)).toBe('orderAccepted');
      return desk.engine.state.positions.find(alice, first)?.lots ?? 0;
    };
    // At the index 100 lots have lost 1,000,000 and are worth 100,000,000, of which 0.2 % is maintenance.
    expect([lotsWith(1_199_999n), lotsWith(1_200_000n)]).toEqual([0, 100]);
  });

  test('DEC-FUT-101: an order at rest is judged again when the fair price has moved away from it', () => {
    const desk = deskOf({ alice: 600_000n, bob: 10n ** 10n });
    expect(desk.order(alice, 'buy', 100, index)).toBe('orderAccepted');
    desk.tell(9900);
    expect(fairOf(desk)).toBe(9900);
    // Half a per cent of margin, and one per cent is lost.
    expect(desk.order(bob, 'sell', 100, index)).toBe('orderAccepted');
    expect(desk.engine.state.positions.find(alice, first)?.lots ?? 0).toBe(0);
    expect(openOrdersOf(desk.engine.state, alice, null)).toEqual([]);
  });

  test('DEC-FUT-51, DEC-FUT-102: what is lost at the index stays in the wallet while the fair price is above it', () => {
    const desk = deskOf({ alice: 30_000_000n, bob: 10n ** 10n });
    moveTo(desk, 10_101);
    desk.run({ kind: 'cancelOrders', account: robot, symbols: [first] });
    desk.run({ kind: 'cancelOrders', account: carol, symbols: [first] });
    desk.trade(alice, bob, 100, 10_100);
    // 30,000,000 less 505,000 of margin and the 1,000,000 that she loses at the index.
    expect(desk.takeOut(alice, 28_495_001n)).toBe('notEnoughFunds');
    expect(desk.takeOut(alice, 28_495_000n)).toBe('fundsTransferred');
    const fund = fundOf(desk);
    moveTo(desk, 9900);
    desk.tell(index, { after: 61_000 });
    expect(fundOf(desk)).toBeGreaterThanOrEqual(fund);
    // She lost all of it but a part of a tick.
    expect(desk.futuresFree(alice)).toBeLessThan(10_000n);
  });
});
