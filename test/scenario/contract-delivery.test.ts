import { describe, expect, test } from 'vitest';
import { house, innerHouse } from '#model/account.ts';
import { first, LiquidationDesk } from './liquidation-desk.ts';
import { people } from './wallet-harness.ts';

// n lots at p ticks cost 100 × n × p units. Trades are free of fees. Margins are isolated and leverage is 10, 2 of
// robot.
const { alice, bob, carol, robot } = people;

describe('delivery', () => {
  test('DEC-FUT-09, DEC-FUT-56: a contract that ends settles its positions at the fair price', () => {
    const desk = new LiquidationDesk();
    desk.trade(alice, bob, 10, 1000);
    desk.order(carol, 'buy', 1, 900);
    desk.tell(950);
    desk.go('delivery');
    expect(desk.go('delivered')).toMatchObject([
      { reason: 'delivery', account: alice, lots: 10, price: 950, realised: -50_000n, fee: 0, fromFund: 0n },
      { reason: 'delivery', account: bob, lots: -10, price: 950, realised: 50_000n, fee: 0, fromFund: 0n },
    ]);
    expect([desk.futuresFree(alice), desk.futuresFree(bob)]).toEqual([950_000n, 10_050_000n]);
    expect([desk.futuresFree(carol), desk.houseHas(innerHouse.clearing)]).toEqual([10_000_000n, 0n]);
    desk.restore();
    expect(desk.update(950).filter((event) => event.kind === 'markUpdated')).toHaveLength(1);
  });

  test('DEC-FUT-56: a price between two ticks is rounded to the nearest', () => {
    const desk = new LiquidationDesk();
    desk.trade(alice, bob, 10, 1000);
    desk.tell(950.5);
    expect(desk.go('offline')).toMatchObject([{ price: 951 }, { price: 951 }]);
  });

  test('DEC-FUT-56: a loser pays what is behind it, the fund the rest while it can, and winners share', () => {
    const desk = new LiquidationDesk();
    desk.insure(15_001n);
    desk.trade(alice, bob, 6, 1000);
    desk.trade(alice, carol, 4, 1000);
    desk.tell(1000);
    desk.go('paused');
    desk.tell(880);
    // alice loses 120,000 and has 100,000 behind it; the fund gives 15,001. bob won 72,000 and carol 48,000: they get
    // 115,001 × 0.6 = 69,000.6 and 115,001 × 0.4 = 46,000.4; one unit goes to rounding.
    const rounding = desk.houseHas(house.rounding);
    expect(desk.go('offline')).toMatchObject([
      { account: alice, realised: -100_000n, fromFund: 15_001n },
      { account: bob, realised: 69_000n, fromFund: 0n },
      { account: carol, realised: 46_000n, fromFund: 0n },
    ]);
    expect([desk.futuresFree(alice), desk.futuresFree(desk.insurer)]).toEqual([900_000n, 0n]);
    expect([desk.houseHas(house.rounding) - rounding, desk.houseHas(innerHouse.clearing)]).toEqual([1n, 0n]);
  });

  test('DEC-FUT-56: the fund settles its own position, as a winner after all others', () => {
    const desk = new LiquidationDesk();
    desk.trade(alice, bob, 10, 1000);
    desk.trade(robot, carol, 10, 1000);
    desk.tell(903);
    expect(desk.position(desk.insurer)).toMatchObject({ lots: 10, cost: 901_000n });
    // The fund won 29,000 at 930, robot lost 70,000, and bob and carol won 70,000 each; 99,000 of alice are there.
    expect(desk.go('paused')).toEqual([]);
    expect(desk.tell(930)).toEqual([]);
    expect(desk.go('offline')).toMatchObject([
      { account: robot, realised: -70_000n, fromFund: 0n },
      { account: bob, realised: 70_000n },
      { account: carol, realised: 70_000n },
      { account: desk.insurer, realised: 29_000n, fromFund: -29_000n },
    ]);
    expect(desk.houseHas(innerHouse.clearing)).toBe(0n);
  });

  test('DEC-FUT-56: without a fair price the last one counts, and the house gives what was paid out before', () => {
    const desk = new LiquidationDesk();
    desk.trade(alice, bob, 10, 1000);
    // bob takes 200,000 of profit, which alice has not lost yet; she has 100,000 behind it.
    desk.trade(bob, carol, 10, 800);
    const grants = desk.houseHas(innerHouse.grants);
    expect(desk.go('offline')).toMatchObject([
      { account: alice, price: 800, realised: -100_000n },
      { account: carol, realised: 0n },
    ]);
    expect(desk.houseHas(innerHouse.grants) - grants).toBe(-100_000n);
    expect(desk.houseHas(innerHouse.clearing)).toBe(0n);
  });

  test('DEC-FUT-57: before a delivery orders may only reduce', () => {
    const desk = new LiquidationDesk();
    desk.trade(alice, bob, 10, 1000);
    desk.order(carol, 'buy', 4, 990);
    desk.go('delivery');
    expect(desk.order(alice, 'sell', 4, 990)).toBe('contractNotTradable');
    expect(desk.reduce(carol, 'sell', 4, 990)).toBe('noPosition');
    expect(desk.reduce(alice, 'sell', 4, 990)).toBe('orderAccepted');
    expect([desk.position(alice).lots, desk.position(carol).lots]).toEqual([6, 4]);
    desk.go('offline');
    expect(desk.reduce(alice, 'sell', 4, 990)).toBe('contractNotTradable');
    expect(desk.engine.state.positions.openCount(first)).toBe(0);
  });
});
