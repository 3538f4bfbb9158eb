import { describe, expect, test } from 'vitest';
import type { NaiveFutures } from './naive-contracts.ts';
import { settleFunding } from './naive-funding-payments.ts';
import {
  brokenInvariants,
  canFill,
  canPay,
  closeOrder,
  freeOf,
  newFutures,
  openOrder,
  positionOf,
  restOrder,
  settleFill,
  transfer,
  worstClosingPrice,
} from './naive-contracts.ts';
import { coin, coins, mark, terms } from './contract-samples.ts';
import { deleverage, deleveragingOrder, liquidate, mustDeleverage, noteFunds } from './naive-liquidation.ts';

const other = { ...terms, id: 2, fund: 98 };
let orders = 0;

/** A market in which 1 and 2 may trade with this leverage; 3 trades with twice as much. */
function market(mode: 'isolated' | 'cross', leverage: bigint, money: readonly number[]): NaiveFutures {
  const state = newFutures([terms, other]);
  for (const contract of [1, 2]) {
    state.marks.set(contract, mark(50_000));
    for (const account of [1, 2, 3]) {
      state.settings.set(`${account}/${contract}`, { mode, leverage: account === 3 ? leverage * 2n : leverage });
    }
  }
  money.forEach((amount, index) => {
    expect(transfer(state, index + 1, coins(amount))).toBeNull();
  });
  return state;
}

/** The taker's order rests for a moment and is filled by one of the maker's. */
function trade(
  state: NaiveFutures,
  [taker, side, maker]: readonly [number, 'buy' | 'sell', number],
  { lots, price, contract = 1 }: { lots: bigint; price: number; contract?: number },
): void {
  const ticks = BigInt(price) * 10n;
  const [first, second] = [++orders, ++orders];
  const terms = { contract, bound: ticks, lots };
  expect(openOrder(state, { ...terms, id: first, account: taker, side })).toBeNull();
  expect(openOrder(state, { ...terms, id: second, account: maker, side: side === 'buy' ? 'sell' : 'buy' })).toBeNull();
  const sides = { taker: { account: taker, order: first }, maker: { account: maker, order: second } };
  settleFill(state, { contract, ticks, lots, takerSide: side, ...sides });
  expect(brokenInvariants(state)).toEqual([]);
}

describe('fills of the naive model', () => {
  test('DEC-FUT-49: a fill opens with margin and commission, a part closes with its share of cost and margin', () => {
    const state = market('isolated', 10n, [1_000, 1_000]);
    // 100 × 0.0001 × 50,000 = 500: margins 50, commissions 0.2 and 0.05.
    trade(state, [1, 'buy', 2], { lots: 100n, price: 50_000 });
    expect(positionOf(state, 1, 1)).toMatchObject({ lots: 100n, cost: 500n * coin, margin: 50n * coin });
    expect(positionOf(state, 2, 1)).toMatchObject({ lots: -100n, cost: -500n * coin, margin: 50n * coin });
    expect([freeOf(state, 1), freeOf(state, 2), state.fees]).toEqual([coins(949.8), coins(949.95), coins(0.25)]);
    // 40 of them at 51,000: 204 for 200, 20 of margin back; commissions 0.0816 and 0.0204.
    trade(state, [1, 'sell', 2], { lots: 40n, price: 51_000 });
    expect(positionOf(state, 1, 1)).toMatchObject({ lots: 60n, cost: 300n * coin, margin: 30n * coin });
    expect(positionOf(state, 1, 1)?.realised).toBe(4n * coin);
    expect([freeOf(state, 1), freeOf(state, 2)]).toEqual([coins(973.7184), coins(965.9296)]);
  });

  test('DEC-FUT-49: a fill beyond the position closes all of it and opens the rest', () => {
    const state = market('isolated', 10n, [1_000, 1_000, 1_000]);
    trade(state, [1, 'buy', 2], { lots: 60n, price: 50_000 });
    state.marks.set(1, mark(49_000));
    trade(state, [2, 'buy', 3], { lots: 100n, price: 49_000 });
    // 2 closes 60 short of 300 at 294 and opens 40 for 196 with 19.6; 3 has twice the leverage: 490 / 20.
    expect(positionOf(state, 2, 1)).toMatchObject({ lots: 40n, cost: 196n * coin, margin: coins(19.6), realised: 0n });
    expect(positionOf(state, 3, 1)).toMatchObject({ lots: -100n, cost: -490n * coin, margin: coins(24.5) });
    // Who holds 300 + 196 − 490 = 6 more than it was sold for is owed them by no one: 2 was paid 6.
    expect(state.clearing).toBe(-6n * coin);
  });

  test('DEC-FUT-46: an order holds until it is filled or closed, and is refused beyond the free margin', () => {
    const state = market('isolated', 10n, [50.2]);
    const order = { contract: 1, account: 1, side: 'buy', bound: 500_000n } as const;
    expect(openOrder(state, { ...order, id: -1, lots: 101n })).toBe('notEnoughMargin');
    expect(openOrder(state, { ...order, id: -2, lots: 100n })).toBeNull();
    expect(freeOf(state, 1)).toBe(0n);
    expect(openOrder(state, { ...order, id: -3, lots: 1n })).toBe('notEnoughMargin');
    expect(openOrder(state, { ...order, id: -4, lots: 901n })).toBe('aboveRiskLimit');
    closeOrder(state, -2);
    expect(freeOf(state, 1)).toBe(coins(50.2));
  });

  test('DEC-FUT-46: a sell that came to a higher bid holds for its limit once it rests', () => {
    const state = market('isolated', 10n, [100]);
    const order = { id: -1, account: 1, contract: 1, side: 'sell', lots: 100n } as const;
    expect(openOrder(state, { ...order, bound: 600_000n })).toBeNull();
    // 600 / 10 and 0.24; 500 / 10 and 0.2.
    expect(freeOf(state, 1)).toBe(coins(39.76));
    restOrder(state, -1, 500_000n);
    expect(freeOf(state, 1)).toBe(coins(49.8));
  });

  test('DEC-FUT-23: a fill with itself takes both commissions and nothing else', () => {
    const state = market('isolated', 10n, [1_000]);
    trade(state, [1, 'buy', 1], { lots: 100n, price: 50_000 });
    expect([freeOf(state, 1), positionOf(state, 1, 1)]).toEqual([coins(999.75), undefined]);
  });

  test('DEC-FUT-21: what can be paid does not happen if it exceeds the risk limit', () => {
    const state = market('isolated', 100n, [1_000]);
    expect([canFill(state, 1, 1, 100n, 1n), canFill(state, 1, 1, 101n, 1n)]).toEqual([true, false]);
    expect(canPay(state, 1, 1, 101n, 1n)).toBe(true);
  });

  test('DEC-FUT-49: nobody can close worse than at its bankruptcy price', () => {
    const state = market('isolated', 10n, [1_000, 1_000]);
    trade(state, [1, 'buy', 2], { lots: 100n, price: 50_000 });
    expect([worstClosingPrice(state, 1, 1), worstClosingPrice(state, 2, 1)]).toEqual([450_000n, 550_000n]);
    expect([canPay(state, 1, 1, -1n, 450_000n), canPay(state, 1, 1, -1n, 449_999n)]).toEqual([true, false]);
    expect([canPay(state, 2, 1, 1n, 550_000n), canPay(state, 2, 1, 1n, 550_001n)]).toEqual([true, false]);
    expect(canPay(state, 1, 1, 1n, 1n)).toBe(true);
    expect(worstClosingPrice(state, 3, 1)).toBeNull();
  });

  test('DEC-WAL-05: what an open loss eats of a cross account cannot be taken out', () => {
    const state = market('cross', 10n, [100, 1_000]);
    trade(state, [2, 'sell', 1], { lots: 100n, price: 50_000 });
    // Free 100 − 50 − 0.05; a loss of 10.
    state.marks.set(1, mark(49_000));
    expect(transfer(state, 1, -coins(39.950001))).toBe('notEnoughFunds');
    expect(transfer(state, 1, -coins(39.95))).toBeNull();
    expect(brokenInvariants(state)).toEqual([]);
  });
});

describe('liquidation of the naive model', () => {
  test('DEC-FUT-48: a position of the first tier goes to the fund whole, after the fee', () => {
    const state = market('isolated', 10n, [1_000, 1_000]);
    trade(state, [1, 'buy', 2], { lots: 100n, price: 50_000 });
    state.marks.set(1, mark(45_300));
    // 50 − 47 = 3 is above 453 × 0.005.
    expect(liquidate(state)).toEqual([]);
    state.marks.set(1, mark(45_200));
    // 50 − 48 = 2 is below 2.26. Fee 452 × 0.0004 = 0.1808; (500 − 49.8192) / 0.01 = 45,018.08, so 45,018.1.
    expect(liquidate(state)).toEqual([
      {
        account: 1,
        contract: 1,
        lots: 100n,
        ticks: 450_181n,
        realised: -coins(49.819),
        fee: coins(0.1808),
        fromFund: -coins(0.1808),
      },
    ]);
    expect(positionOf(state, 1, 1)).toBeUndefined();
    // 50 − 49.819 − 0.1808 are left.
    expect(freeOf(state, 1)).toBe(coins(949.8002));
    expect(positionOf(state, 99, 1)).toMatchObject({ lots: 100n, cost: coins(450.181), margin: 0n });
    expect(freeOf(state, 99)).toBe(coins(0.1808));
    expect(brokenInvariants(state)).toEqual([]);
  });

  test('DEC-FUT-47: a position of a higher tier loses what is above the tier below, and may be safe then', () => {
    const state = market('isolated', 10n, [1_000, 1_000]);
    trade(state, [1, 'buy', 2], { lots: 300n, price: 50_000 });
    state.marks.set(1, mark(45_400));
    // 150 − 138 = 12 is below 1,362 × 0.01. Of 200: fee 908 × 0.0004 = 0.3632, (1,000 − 99.6368) / 0.02 = 45,018.16.
    expect(liquidate(state)).toEqual([
      {
        account: 1,
        contract: 1,
        lots: 200n,
        ticks: 450_182n,
        realised: -coins(99.636),
        fee: coins(0.3632),
        fromFund: -coins(0.3632),
      },
    ]);
    // 50 − 46 = 4 is above 454 × 0.005.
    expect(positionOf(state, 1, 1)).toMatchObject({ lots: 100n, cost: 500n * coin, margin: 50n * coin });
    expect(brokenInvariants(state)).toEqual([]);
  });

  test('DEC-FUT-47: of cross positions the one that loses most goes first, with all that is free', () => {
    const state = market('cross', 20n, [100, 1_000]);
    trade(state, [2, 'sell', 1], { lots: 100n, price: 50_000 });
    trade(state, [2, 'sell', 1], { lots: 100n, price: 10_000, contract: 2 });
    expect(openOrder(state, { id: 0, account: 1, contract: 2, side: 'buy', bound: 1_000n, lots: 100n })).toBeNull();
    state.marks.set(1, mark(40_200));
    state.marks.set(2, mark(10_000));
    // Free 100 − 25 − 5 − 0.06 = 69.94; equity 99.94 − 98 = 1.94 is below 402 × 0.005 + 100 × 0.005 = 2.51.
    // Fee 0.1608; behind 69.94 + 25: (500 − 94.7792) / 0.01 = 40,522.08.
    expect(liquidate(state)).toEqual([
      {
        account: 1,
        contract: 1,
        lots: 100n,
        ticks: 405_221n,
        realised: -coins(94.779),
        fee: coins(0.1608),
        fromFund: -coins(0.1608),
      },
    ]);
    expect(freeOf(state, 1)).toBe(coins(0.0002));
    expect(state.orders).toEqual([]);
    expect(positionOf(state, 1, 2)).toMatchObject({ lots: 100n, margin: 5n * coin });
    expect(brokenInvariants(state)).toEqual([]);
  });

  test('DEC-FUT-48: a takeover that would close a position of the fund at a loss it cannot pay waits', () => {
    const state = market('isolated', 10n, [1_000, 1_000, 1_000]);
    trade(state, [1, 'buy', 2], { lots: 100n, price: 50_000 });
    state.marks.set(1, mark(45_200));
    expect(liquidate(state)).toHaveLength(1);
    state.marks.set(1, mark(40_000));
    trade(state, [3, 'sell', 2], { lots: 10n, price: 40_000 });
    state.marks.set(1, mark(41_900));
    // 2 − 1.9 is below 41.9 × 0.005. Fee 0.01676; (40 + 1.98324) / 0.001 = 41,983.24. The fund bought at 45,018.1:
    // 10 contracts lose it 3.0349, and it has 0.1808 and the fee.
    expect(liquidate(state)).toEqual([]);
    transfer(state, 99, 3n * coin);
    expect(liquidate(state)).toMatchObject([{ account: 3, lots: -10n, ticks: 419_832n, realised: -coins(1.9832) }]);
    expect(freeOf(state, 99)).toBe(coins(0.1808 + 3 + 0.01676 - 3.0349));
    expect(brokenInvariants(state)).toEqual([]);
  });

  test('DEC-FUT-09: while a contract is paused its positions wait', () => {
    const state = market('isolated', 10n, [1_000, 1_000]);
    trade(state, [1, 'buy', 2], { lots: 100n, price: 50_000 });
    state.marks.set(1, mark(45_200));
    state.paused.add(1);
    expect(liquidate(state)).toEqual([]);
    state.paused.clear();
    expect(liquidate(state)).toHaveLength(1);
  });

  test('DEC-FUT-50: an empty fund deleverages at its cost, the best of profit ratio times leverage first', () => {
    const state = market('isolated', 10n, [1_000, 1_000, 1_000]);
    trade(state, [1, 'buy', 2], { lots: 60n, price: 50_000 });
    trade(state, [1, 'buy', 3], { lots: 40n, price: 50_000 });
    state.marks.set(1, mark(40_000));
    // Fee 400 × 0.0004 = 0.16; (500 − 49.84) / 0.01 = 45,016. The fund: 0.16 + 400 − 450.16 = −50.
    expect(liquidate(state)).toMatchObject([{ ticks: 450_160n, realised: -coins(49.84) }]);
    noteFunds(state, 0);
    expect(mustDeleverage(state, 1, 0)).toBe(true);
    // 2: 60 / 300 × 10 = 2; 3: 40 / 200 × 20 = 4.
    expect(deleveragingOrder(state, 1).map((position) => position.account)).toEqual([3, 2]);
    expect(deleverage(state, 1)).toEqual([
      { account: 3, contract: 1, lots: -40n, ticks: 450_160n, realised: coins(19.936), fromFund: 0n },
      { account: 2, contract: 1, lots: -60n, ticks: 450_160n, realised: coins(29.904), fromFund: 0n },
    ]);
    expect(state.positions).toEqual([]);
    expect([freeOf(state, 99), state.clearing]).toEqual([coins(0.16), 0n]);
    expect(brokenInvariants(state)).toEqual([]);
  });

  test('DEC-FUT-18: a fund that can wait has 60 seconds', () => {
    const state = market('isolated', 10n, [1_000, 1_000]);
    transfer(state, 99, 100n * coin);
    trade(state, [1, 'buy', 2], { lots: 100n, price: 50_000 });
    state.marks.set(1, mark(45_000));
    expect(liquidate(state)).toHaveLength(1);
    noteFunds(state, 5_000);
    expect([mustDeleverage(state, 1, 64_999), mustDeleverage(state, 1, 65_000)]).toEqual([false, true]);
    deleverage(state, 1);
    noteFunds(state, 65_000);
    expect([mustDeleverage(state, 1, 200_000), state.fundSince.size]).toEqual([false, 0]);
  });
});

describe('funding of the naive model', () => {
  test('DEC-FUT-14: longs pay shorts from what is free', () => {
    const state = market('isolated', 10n, [1_000, 1_000]);
    trade(state, [1, 'buy', 2], { lots: 100n, price: 50_000 });
    // 500 × 0.0018 = 0.9.
    expect(settleFunding(state, 1, 180_000n)).toEqual({ paid: coins(0.9), received: coins(0.9), unable: [] });
    expect([freeOf(state, 1), freeOf(state, 2)]).toEqual([coins(948.9), coins(950.85)]);
    expect(settleFunding(state, 1, 0n)).toEqual({ paid: 0n, received: 0n, unable: [] });
    expect(brokenInvariants(state)).toEqual([]);
  });

  test('DEC-FUT-50: who has too little pays all its margin, and receivers share it', () => {
    const state = market('isolated', 50n, [10.2, 1_000, 1_000]);
    trade(state, [1, 'buy', 2], { lots: 60n, price: 50_000 });
    trade(state, [1, 'buy', 3], { lots: 40n, price: 50_000 });
    // All of it is margin: 10.2 − 0.2 = 10. At 1,000,000 the rate of 0.0018 asks for 18 of 10,000: 10.8 and 7.2.
    state.marks.set(1, mark(1_000_000));
    const { paid, received, unable } = settleFunding(state, 1, 180_000n);
    expect([paid, received, unable.map((position) => position.account)]).toEqual([coins(10), coins(10), [1]]);
    // 2 had 1,000 − 6 − 0.03 and gets 6; 3 had 1,000 − 2 − 0.02 and gets 4.
    expect([freeOf(state, 2), freeOf(state, 3)]).toEqual([coins(999.97), coins(1_001.98)]);
    expect(positionOf(state, 1, 1)?.margin).toBe(0n);
    expect(brokenInvariants(state)).toEqual([]);
  });
});
