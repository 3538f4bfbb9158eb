import { describe, expect, test } from 'vitest';
import { innerHouse } from '#model/account.ts';
import { deleveragingOrder } from '#engine/futures/deleveraging-rank.ts';
import { liquidationPriceOf } from '#engine/futures/liquidation-price.ts';
import { openOrdersOf } from '#engine/queries/engine-queries.ts';
import { first, LiquidationDesk, second } from './liquidation-desk.ts';
import { people } from './wallet-harness.ts';

// n lots at p ticks cost 100 × n × p units. Maintenance is 0.4 % up to 100 lots and 5 % above; the liquidation fee is
// 0.04 %. Trades are free of fees. Margins are isolated and leverage is 10, 2 of robot, unless said otherwise.
const { alice, bob, carol, robot } = people;

const liquidationPrice = (desk: LiquidationDesk, account: typeof alice, contract = first): number | null =>
  liquidationPriceOf(desk.engine.state, desk.record(account, contract));

describe('liquidation', () => {
  test('DEC-FUT-47, DEC-FUT-48: a long position goes to the fund at the price that loses its margin', () => {
    const desk = new LiquidationDesk();
    desk.trade(alice, bob, 10, 1000);
    // 1,000,000 − 100,000 = 900,000 = 996 × p: p is 903.61.
    expect(liquidationPrice(desk, alice)).toBe(904);
    // 100,000 − 96,000 = 4,000 is above 904,000 × 0.004 = 3,616.
    expect(desk.tell(904)).toEqual([]);
    // 3,000 is below 3,612. Fee 903,000 × 0.0004 = 361.2, so 362; (1,000,000 − 99,638) / 1,000 = 900.362, so 901.
    expect(desk.tell(903)).toEqual([
      {
        reason: 'liquidation',
        contract: first,
        account: alice,
        lots: 10,
        price: 901,
        realised: -99_000n,
        fee: 362,
        fromFund: -362n,
        at: desk.at,
      },
    ]);
    expect(desk.position(alice)).toMatchObject({ lots: 0, cost: 0n, margin: 0n, realised: -99_000n });
    // 100,000 − 99,000 − 362 of the margin are left.
    expect(desk.futuresFree(alice)).toBe(900_638n);
    expect(desk.position(desk.insurer)).toMatchObject({ lots: 10, cost: 901_000n, margin: 0n });
    expect(desk.futuresFree(desk.insurer)).toBe(362n);
    expect(desk.houseHas(innerHouse.clearing)).toBe(99_000n);
    desk.restore();
    expect(liquidationPrice(desk, desk.insurer)).toBeNull();
  });

  test('DEC-FUT-47, DEC-FUT-48: a short position too, with prices rounded down', () => {
    const desk = new LiquidationDesk();
    desk.trade(bob, alice, 10, 1000);
    // 1,100,000 = 1,004 × p: p is 1,095.6.
    expect(liquidationPrice(desk, alice)).toBe(1095);
    // 5,000 is above 1,095,000 × 0.004 = 4,380.
    expect(desk.tell(1095)).toEqual([]);
    // 4,000 is below 4,384. Fee 438.4, so 439; (1,000,000 + 99,561) / 1,000 = 1,099.561, so 1,099.
    expect(desk.tell(1096)).toMatchObject([{ lots: -10, price: 1099, realised: -99_000n, fee: 439 }]);
    expect(desk.futuresFree(alice)).toBe(900_561n);
    expect(desk.position(desk.insurer)).toMatchObject({ lots: -10, cost: -1_099_000n });
  });

  test('DEC-FUT-47: a position of a higher tier loses what is above the tier below, and may be safe then', () => {
    const desk = new LiquidationDesk({ alice: 1_500_000n });
    desk.trade(alice, bob, 150, 1000);
    // 13,500,000 = 15,000 × 0.95 × p: p is 947.37.
    expect([liquidationPrice(desk, alice), desk.tell(948)]).toEqual([948, []]);
    // 1,500,000 − 795,000 = 705,000 is below 14,205,000 × 0.05 = 710,250. Of 50: fee 4,735,000 × 0.0004 = 1,894,
    // (5,000,000 − 498,106) / 5,000 = 900.38, so 901; they lose 495,000 of their 500,000.
    expect(desk.tell(947)).toMatchObject([{ lots: 50, price: 901, realised: -495_000n, fee: 1894 }]);
    expect(desk.position(alice)).toMatchObject({ lots: 100, cost: 10_000_000n, margin: 1_000_000n });
    expect(desk.futuresFree(alice)).toBe(3_106n);
    // 9,000,000 = 10,000 × 0.996 × p: the rest falls at 903.61.
    expect([liquidationPrice(desk, alice), desk.tell(904)]).toEqual([904, []]);
    expect(desk.tell(903)).toMatchObject([{ lots: 100 }]);
  });

  test('DEC-FUT-47: cross positions count together, and the one that loses most goes first', () => {
    const desk = new LiquidationDesk({ alice: 120_000n });
    desk.insure(100_000n);
    for (const contract of [first, second]) desk.leverage(alice, 20, 'cross', contract);
    desk.trade(alice, bob, 10, 1000);
    desk.trade(alice, bob, 10, 1000, second);
    expect(desk.order(alice, 'buy', 1, 500, second)).toBe('orderAccepted');
    desk.tell(1000);
    // Margins 50,000 each and 2,500 of an order: 17,500 are free. 117,500 + p × 1,000 − 1,000,000 = p × 4 + 4,000 of
    // the other contract: p is 886,500 / 996 = 890.06.
    expect([liquidationPrice(desk, alice), desk.tell(891)]).toEqual([891, []]);
    // Without the order it would be 884,000 / 996 = 887.55: at 890 orders are cancelled, and that is enough.
    expect(desk.tell(890)).toEqual([]);
    expect(openOrdersOf(desk.engine.state, alice, null)).toEqual([]);
    expect(liquidationPrice(desk, alice)).toBe(888);
    // 120,000 − 113,000 = 7,000 is below 3,548 + 4,000. Behind it are 50,000 and 20,000; fee 887,000 × 0.0004 = 354.8,
    // so 355; (1,000,000 − 69,645) / 1,000 = 930.355, so 931.
    expect(desk.tell(887)).toMatchObject([{ contract: first, lots: 10, price: 931, realised: -69_000n, fee: 355 }]);
    expect(desk.futuresFree(alice)).toBe(645n);
    expect(desk.position(alice, second)).toMatchObject({ lots: 10, margin: 50_000n });
  });

  test('DEC-FUT-48: what another cross position lacks is not behind the one that is taken', () => {
    const desk = new LiquidationDesk({ alice: 120_000n });
    desk.insure(1_000_000n);
    for (const contract of [first, second]) desk.leverage(alice, 20, 'cross', contract);
    desk.trade(alice, bob, 10, 1000);
    desk.trade(alice, bob, 10, 1000, second);
    // The second loses 55,000, 5,000 more than its margin: behind the first are 50,000 + 20,000 − 5,000. Fee 372, and
    // (1,000,000 − 64,628) / 1,000 = 935.372, so 936. That leaves 20,000 + 50,000 − 64,000 − 372 = 5,628 free, and with
    // it the second has 628, below 3,780: behind it are 55,628, fee 378, (1,000,000 − 55,250) / 1,000 = 944.75, so 945.
    const taken = desk.tell(930, { other: 945 });
    expect(taken).toMatchObject([
      { contract: first, price: 936, realised: -64_000n, fee: 372 },
      { contract: second, price: 945, realised: -55_000n, fee: 378 },
    ]);
    expect(desk.futuresFree(alice)).toBe(120_000n - 64_000n - 372n - 55_000n - 378n);
  });

  test('DEC-FUT-47: open orders of an isolated position are cancelled, those of other contracts stay', () => {
    const desk = new LiquidationDesk();
    desk.leverage(alice, 10, 'isolated', second);
    desk.trade(alice, bob, 10, 1000);
    desk.order(alice, 'sell', 1, 1500);
    desk.order(alice, 'buy', 1, 500, second);
    expect(desk.tell(903)).toHaveLength(1);
    expect(openOrdersOf(desk.engine.state, alice, null)).toMatchObject([{ symbol: second }]);
  });

  test('DEC-FUT-09, DEC-FUT-59: while a contract is paused liquidation waits, and funding goes on', () => {
    const desk = new LiquidationDesk({}, { minFundingPpm: 1000, maxFundingPpm: 1000, fundingHours: 1 });
    desk.trade(alice, bob, 10, 1000);
    desk.tell(1000);
    desk.go('paused');
    const facts = desk.update(880, { after: 3_600_000 });
    // 0.1 % of 880,000
    expect(facts.find(({ kind }) => kind === 'fundingSettled')).toMatchObject({ funding: { paid: 880n } });
    expect(facts.filter(({ kind }) => kind === 'positionTaken')).toEqual([]);
    expect(desk.futuresFree(alice)).toBe(900_000n - 880n);
    desk.go('enabled');
    // At 901 the fund is rid of them at once: they are worth 21,000 less.
    expect(desk.tell(880)).toMatchObject([{ reason: 'liquidation', account: alice }, { reason: 'deleveraging' }]);
  });

  test('DEC-FUT-14, DEC-FUT-50: who cannot pay a funding is taken over whole', () => {
    const desk = new LiquidationDesk(
      { alice: 25_000n },
      { minFundingPpm: 30_000, maxFundingPpm: 30_000, fundingHours: 1 },
    );
    desk.leverage(alice, 50);
    desk.trade(alice, bob, 10, 1000);
    desk.tell(1000);
    // 30,000 are due; 5,000 free and 20,000 of margin are paid. Nothing is left behind: no fee, and no loss either.
    const before = desk.futuresFree(bob);
    expect(desk.tell(1000, { after: 3_600_000 })).toMatchObject([
      { account: alice, lots: 10, price: 1000, realised: 0n, fee: 0, fromFund: 0n },
    ]);
    expect(desk.futuresFree(alice)).toBe(0n);
    expect(desk.futuresFree(bob) - before).toBe(25_000n);
  });
});

describe('the insurance fund', () => {
  test('DEC-FUT-55, DEC-FUT-104: closes by orders at its mean price, or at the index where that is worse', () => {
    const desk = new LiquidationDesk({}, { takerFeePpm: 400 });
    desk.insure(10_000n);
    desk.trade(alice, bob, 10, 1000);
    for (const [lots, price] of [
      [5, 901],
      [3, 899],
      [1, 881],
      [1, 879],
    ] as const)
      desk.order(bob, 'buy', lots, price);
    // It paid 901, and the index is above that.
    const events = desk.update(903);
    expect(events.filter(({ kind }) => kind === 'tradeExecuted')).toMatchObject([
      { trade: { takerAccount: desk.insurer, lots: 5, price: 901, takerFee: 0 } },
    ]);
    expect(desk.position(desk.insurer)).toMatchObject({ lots: 5, cost: 450_500n });
    expect(desk.futuresFree(desk.insurer)).toBe(10_362n);
    desk.tell(903);
    expect(desk.position(desk.insurer)).toMatchObject({ lots: 5 });
    // The index moved to 880: 3 at 899 lose 600, one at 881 loses 2,000.
    desk.tell(880);
    expect(desk.position(desk.insurer)).toMatchObject({ lots: 1 });
    expect(desk.futuresFree(desk.insurer)).toBe(7762n);
    desk.insure(1_000_000n);
    desk.tell(880);
    expect(desk.position(desk.insurer)).toMatchObject({ lots: 1 });
    expect(openOrdersOf(desk.engine.state, desk.insurer, null)).toEqual([]);
  });

  test('DEC-FUT-55: closes by orders within what it can pay', () => {
    const desk = new LiquidationDesk();
    desk.insure(10_000n);
    desk.trade(alice, bob, 10, 1000);
    desk.tell(903);
    desk.order(bob, 'buy', 3, 890);
    desk.order(bob, 'buy', 5, 895);
    // It has 10,362 and paid 901: it can go down to (901,000 − 10,362) / 1,000 = 890.638.
    const events = desk.update(850);
    expect(events.filter(({ kind }) => kind === 'tradeExecuted')).toMatchObject([{ trade: { lots: 5, price: 895 } }]);
  });

  test('DEC-FUT-50: deleverages after 60 s with a position, by profit ratio × leverage, at what it paid', () => {
    const desk = new LiquidationDesk();
    desk.leverage(carol, 20);
    desk.trade(alice, bob, 8, 1000);
    desk.trade(alice, carol, 2, 1000);
    desk.trade(robot, carol, 5, 1000);
    desk.tell(903);
    expect(desk.position(desk.insurer)).toMatchObject({ lots: 10, cost: 901_000n });
    desk.restore();
    expect(deleveragingOrder(desk.engine.state, first, 'short').map(({ account }) => account)).toEqual([carol, bob]);
    expect(deleveragingOrder(desk.engine.state, first, 'long').map(({ account }) => account)).toEqual([robot]);
    expect(desk.tell(950, { after: 59_999 })).toEqual([]);
    // 7 of carol and 3 of bob close at 901 what they sold at 1,000: 99 × 100 a lot.
    expect(desk.tell(950, { after: 1 })).toMatchObject([
      { reason: 'deleveraging', account: carol, lots: -7, price: 901, realised: 69_300n, fee: 0, fromFund: 0n },
      { reason: 'deleveraging', account: bob, lots: -3, price: 901, realised: 29_700n, fee: 0, fromFund: 0n },
    ]);
    expect(desk.position(desk.insurer)).toMatchObject({ lots: 0 });
    expect(desk.position(bob)).toMatchObject({ lots: -5, margin: 50_000n });
    expect(desk.futuresFree(desk.insurer)).toBe(362n);
  });

  test('DEC-FUT-50: deleverages at once when its equity is below zero', () => {
    const desk = new LiquidationDesk();
    desk.trade(alice, bob, 10, 1000);
    desk.tell(903);
    // 362 − 1,000 × (901 − 900) is below zero.
    expect(desk.tell(900)).toMatchObject([{ reason: 'deleveraging', account: bob, lots: -10, price: 901 }]);
    expect(desk.houseHas(innerHouse.clearing)).toBe(0n);
  });

  test('DEC-FUT-50: one who cannot pay at the price of a deleveraging is left out', () => {
    const desk = new LiquidationDesk();
    desk.trade(alice, bob, 10, 1000);
    // carol is short 4 from 800 with a margin of 32,000, and would lose 40,400 at 901.
    desk.trade(bob, carol, 4, 800);
    expect(desk.tell(903)).toMatchObject([{ reason: 'liquidation', account: alice, price: 901 }]);
    // 362 − 10 × 200 is below zero.
    expect(desk.tell(899)).toMatchObject([{ reason: 'deleveraging', account: bob, lots: -6, price: 901 }]);
    expect([desk.position(desk.insurer).lots, desk.position(carol).lots]).toEqual([4, -4]);
  });

  test('DEC-FUT-48: a takeover that closes its position at a loss it cannot pay waits', () => {
    const desk = new LiquidationDesk();
    desk.trade(alice, bob, 10, 1000);
    desk.trade(robot, carol, 10, 700);
    // carol has lost 203,000 of 70,000: fee 362, (700,000 + 69,638) / 1,000 = 769.638, so 769. The fund has 10 of alice
    // at 901 and 362, and would lose 132,000 on them.
    expect(desk.tell(903)).toMatchObject([{ reason: 'liquidation', account: alice, lots: 10, price: 901 }]);
    expect(desk.position(carol)).toMatchObject({ lots: -10 });
    // After 60 s it is rid of them, and takes carol's. They are worth 134,000 less than it got for them.
    expect(desk.tell(903, { after: 60_000 })).toMatchObject([{ reason: 'deleveraging', account: bob }]);
    expect(desk.tell(903)).toMatchObject([
      { reason: 'liquidation', account: carol, lots: -10, price: 769, realised: -69_000n },
      { reason: 'deleveraging', account: robot, lots: 10, price: 769, realised: 69_000n },
    ]);
  });

  test('DEC-FUT-58: its account takes no orders and settings from outside', () => {
    const desk = new LiquidationDesk();
    desk.insure(1_000_000n);
    expect(desk.order(desk.insurer, 'buy', 1, 900)).toBe('accountNotUsable');
    const setting = { contract: first, mode: 'isolated', leverage: 1 } as const;
    expect(desk.say({ kind: 'setLeverage', account: desk.insurer, ...setting })).toBe('accountNotUsable');
  });

  test('DEC-FUT-17: is told at the first update from 00:00, 04:00 … UTC on, once however late', () => {
    const desk = new LiquidationDesk();
    desk.insure(500n);
    const hour = 3_600_000;
    const midnight = Date.UTC(2023, 10, 15);
    const snapshots = (at: number): readonly object[] =>
      desk.update(1000, { after: at - desk.at }).filter((event) => event.kind === 'fundSnapshot');
    expect(snapshots(midnight - 1)).toEqual([]);
    expect(snapshots(midnight + 700)).toEqual([
      { kind: 'fundSnapshot', contract: first, available: 500n, at: midnight },
      { kind: 'fundSnapshot', contract: second, available: 0n, at: midnight },
    ]);
    desk.restore();
    expect(snapshots(midnight + 4 * hour - 1)).toEqual([]);
    expect(snapshots(midnight + 13 * hour)).toMatchObject([{ at: midnight + 12 * hour }, { at: midnight + 12 * hour }]);
    expect(snapshots(midnight + 13 * hour + 1)).toEqual([]);
  });
});
