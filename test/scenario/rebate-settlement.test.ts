import { describe, expect, test } from 'vitest';
import { engineLimits } from '#model/limits.ts';
import { rebateDayMs } from '#model/rebate.ts';
import type { AccountId } from '#model/units.ts';
import { coin, RebateDesk, takerPpm, token, tokenUsd, usd } from './rebate-desk.ts';

/** anna invited bob, who invited carl. */
function family() {
  const desk = new RebateDesk();
  const anna = desk.open('anna');
  const bob = desk.open('bob', anna);
  const carl = desk.open('carl', bob);
  return { desk, anna, bob, carl };
}

describe('DEC-SUB-22: settlement of a day', () => {
  test('DEC-SUB-21: pays what accrued to the spot wallets, by beneficiary and asset, and leaves nothing', async () => {
    const { desk, anna, bob, carl } = family();
    const day = desk.today;
    // carl pays 1000 COIN and 500 TKN: bob gets 200 and 100, anna 50 and 25. bob pays 100 COIN: anna gets 20.
    desk.buy(carl, 10_000);
    desk.buy(carl, 5000, { symbol: tokenUsd });
    desk.buy(bob, 1000);
    const before = [desk.free(anna), desk.free(bob), desk.house('fees')];
    desk.at += rebateDayMs;
    expect(desk.settle(day)).toEqual({
      kind: 'rebatesSettled',
      day,
      payouts: [
        { beneficiary: anna, asset: coin, amount: 70n },
        { beneficiary: anna, asset: token, amount: 25n },
        { beneficiary: bob, asset: coin, amount: 200n },
        { beneficiary: bob, asset: token, amount: 100n },
      ],
      isDone: true,
    });
    expect([desk.house('rebates'), desk.house('rebates', token)]).toEqual([0n, 0n]);
    expect([desk.free(anna), desk.free(bob), desk.house('fees')]).toEqual([
      before[0]! + 70n,
      before[1]! + 200n,
      before[2],
    ]);
    expect(await desk.questions.pendingOf(anna, 9)).toEqual([]);
  });

  test('DEC-SUB-40: waits until the day is over and no earlier one waits, and names whole days only', async () => {
    const { desk, bob, carl } = family();
    const day = desk.today;
    const settle = (at: number): string => desk.say({ kind: 'settleRebates', day: at as never });
    desk.buy(carl, 10_000);
    desk.at = day + rebateDayMs - 1;
    expect(settle(day)).toBe('notYet');
    expect(await desk.questions.dueDay(desk.at as never)).toBeNull();
    desk.at += 1;
    for (const wrong of [day + 1, day - 1, day + 0.5, -rebateDayMs, day + rebateDayMs, 2 ** 53 - 1])
      expect(settle(wrong)).toBe('notYet');
    desk.buy(carl, 10_000);
    desk.at += rebateDayMs;
    expect(settle(day + rebateDayMs)).toBe('notYet');
    expect(await desk.questions.settledBefore()).toBe(day);
    expect(await desk.questions.dueDay(desk.at as never)).toBe(day);
    expect(await desk.questions.pendingOf(bob, 9)).toMatchObject([
      { day, beneficiary: bob, source: carl, asset: coin, amount: 200n },
      { day: day + rebateDayMs, beneficiary: bob, source: carl, asset: coin, amount: 200n },
    ]);
    expect(await desk.questions.pendingOf(bob, 1)).toHaveLength(1);
    expect(settle(day)).toBe('rebatesSettled');
    expect(await desk.questions.settledBefore()).toBe(day + rebateDayMs);
    expect(settle(day + rebateDayMs)).toBe('rebatesSettled');
    expect(await desk.questions.settledBefore()).toBe(desk.today);
  });

  test('a day of which nothing is left is done at once, whatever waits after it', () => {
    const { desk, carl } = family();
    const day = desk.today;
    desk.buy(carl, 10_000);
    desk.at += rebateDayMs;
    expect(desk.settle(day - rebateDayMs)).toMatchObject({ payouts: [], isDone: true });
    expect(desk.settle(day)).toMatchObject({ isDone: true });
    expect(desk.settle(day)).toMatchObject({ payouts: [], isDone: true });
  });

  test('pays also whoever is frozen, to the last unit', () => {
    const { desk, anna, bob, carl } = family();
    const day = desk.today;
    // 10 % of 50 is 5: bob gets 1 of it, anna nothing.
    desk.buy(carl, 50);
    desk.run({ kind: 'setAccountStatus', account: bob, status: 'frozen' });
    desk.at += rebateDayMs;
    expect(desk.settle(day)!.payouts).toEqual([{ beneficiary: bob, asset: coin, amount: 1n }]);
    expect(desk.house('rebates')).toBe(0n);
    expect(desk.free(anna)).toBe(2n ** 56n);
  });
});

describe('DEC-SUB-41: rejection', () => {
  test('gives back to fees what one beneficiary would get, from one source or from all', () => {
    const { desk, anna, bob, carl } = family();
    const day = desk.today;
    desk.rates(bob, [200_000, 0, 0, 100_000]);
    desk.buy(carl, 10_000);
    desk.buy(bob, 10_000);
    // carl's 1000: bob 100, carl himself 100, anna 50. bob's 1000: anna 200. The house keeps 1550.
    expect([desk.house('fees'), desk.house('rebates')]).toEqual([1550n, 450n]);
    expect(desk.reject(anna, carl, day)).toBe('rebatesRejected');
    expect([desk.house('fees'), desk.house('rebates')]).toEqual([1600n, 400n]);
    expect(desk.reject(anna, carl, day)).toBe('nothingPending');
    expect(desk.reject(anna, null, day - rebateDayMs)).toBe('nothingPending');
    expect(desk.reject(desk.maker, null, day)).toBe('nothingPending');
    const told = desk.run({ kind: 'rejectRebates', beneficiary: carl, source: null, day });
    expect(told.at(-1)).toEqual({
      ...{ kind: 'rebatesRejected', beneficiary: carl, source: null, day, amounts: [{ asset: coin, amount: 100 }] },
    });
    desk.restore();
    desk.at += rebateDayMs;
    expect(desk.settle(day)!.payouts).toEqual([
      { beneficiary: anna, asset: coin, amount: 200n },
      { beneficiary: bob, asset: coin, amount: 100n },
    ]);
    expect(desk.house('fees')).toBe(1700n);
  });

  test('of everything leaves a day that is settled', async () => {
    const { desk, bob, carl } = family();
    const day = desk.today;
    desk.buy(carl, 50);
    expect(desk.reject(bob, null, day)).toBe('rebatesRejected');
    desk.at += rebateDayMs;
    desk.run({ kind: 'advanceClock' });
    expect(await desk.questions.dueDay(desk.at as never)).toBeNull();
    expect(await desk.questions.settledBefore()).toBe(desk.today);
  });
});

describe('a day with more than one command can settle', () => {
  const sources = engineLimits.rebatesPerSettlement / 2 + 1;

  /** One whom anna invited for each of them, who trades in two assets and gets half of her share back. */
  function crowd(): { desk: RebateDesk; anna: AccountId; people: AccountId[] } {
    const desk = new RebateDesk();
    const anna = desk.open('anna');
    desk.rates(anna, [200_000, 0, 0, 100_000]);
    desk.isAudited = false;
    desk.plenty = 10_000n;
    const people = Array.from({ length: sources }, (_, index) => desk.open(`user${index}`, anna));
    for (const buyer of people) {
      desk.buy(buyer, 1000);
      desk.buy(buyer, 2000, { symbol: tokenUsd });
    }
    desk.isAudited = true;
    return { desk, anna, people };
  }

  test('DEC-SUB-40: is gathered first and paid then, and goes on after an image as if it had never stopped', () => {
    const { desk, anna, people } = crowd();
    const day = desk.today;
    const share = (lots: bigint): bigint => (lots * BigInt(takerPpm)) / 10_000_000n;
    desk.at += rebateDayMs;
    // 2002 records: of the first 2000 nothing is paid yet.
    expect(desk.settle(day)).toMatchObject({ payouts: [], isDone: false });
    desk.restore();
    // Gathered is gathered: only the last one's can be rejected, and no other day can begin.
    const last = people.at(-1)!;
    expect(desk.reject(people[0]!, null, day)).toBe('nothingPending');
    expect(desk.reject(last, last, day)).toBe('rebatesRejected');
    desk.at += rebateDayMs;
    expect(desk.say({ kind: 'settleRebates', day: (day + rebateDayMs) as never })).toBe('notYet');
    expect(desk.settle(day - rebateDayMs)).toMatchObject({ payouts: [], isDone: true });
    // The last 2 records take 2 of 2000: 1998 payouts, anna's first, then those of the others in the order of opening.
    const second = desk.settle(day)!;
    expect(second.isDone).toBe(false);
    expect(second.payouts).toHaveLength(engineLimits.rebatesPerSettlement - 2);
    expect(second.payouts.slice(0, 4)).toEqual([
      { beneficiary: anna, asset: coin, amount: BigInt(sources) * share(1000n) },
      { beneficiary: anna, asset: token, amount: BigInt(sources) * share(2000n) },
      { beneficiary: people[0], asset: coin, amount: share(1000n) },
      { beneficiary: people[0], asset: token, amount: share(2000n) },
    ]);
    desk.restore();
    // 2 of anna and 2000 of the others were owed.
    const third = desk.settle(day)!;
    expect(third).toMatchObject({ isDone: true });
    expect(third.payouts).toHaveLength(4);
    expect([coin, token, usd].map((asset) => desk.house('rebates', asset))).toEqual([0n, 0n, 0n]);
    const replayed = desk.replayed();
    expect(replayed.digest()).toBe(desk.engine.digest());
    expect(replayed.eventDigest()).toBe(desk.engine.eventDigest());
  });
});
