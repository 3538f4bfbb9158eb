import { describe, expect, test } from 'vitest';
import { InvariantBroken } from '#base/assert.ts';
import { createPrng } from '#base/prng.ts';
import { house } from '#model/account.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import { holdOwnerNumbers, type HoldOwnerNumber } from '#model/hold.ts';
import { as, type AccountId, type Amount, type AssetId, type OrderNumber } from '#model/units.ts';
import { StateMachine } from '#engine/create-engine.ts';
import { noHold } from '#engine/ledger/hold-table.ts';

const asset = as<AssetId>(0);
const alice = as<AccountId>(4);
const bob = as<AccountId>(5);
const large = 2n ** 60n + 1n;
const order = { kind: holdOwnerNumbers.order, id: 7 } as const;
/** A kind of owner that has no commands yet. */
const transfer = { kind: 2 as number as HoldOwnerNumber, id: 2n ** 62n - 1n };

/** A ledger in which alice has so much, within an engine; postings are recorded. */
function deskOf(amount: Amount) {
  const engine = new StateMachine();
  const { ledger, holds, emit } = engine.state;
  const recorder = createEventRecorder();
  emit.sink = recorder;
  const aliceRow = ledger.balances.row(alice, asset);
  const bobRow = ledger.balances.row(bob, asset);
  ledger.move(house.outside, alice, asset, amount, 'deposit');
  ledger.assertBalanced();
  recorder.events = [];
  const posted = (): Event[] => recorder.events.splice(0);
  const parts = (row: number): bigint[] => [ledger.balances.free.get(row), ledger.balances.held.get(row)];
  return { engine, ledger, holds, aliceRow, bobRow, posted, parts };
}

const stops = (claim: string): Error => new InvariantBroken(claim);
const unbalanced = stops('postings of a command sum to zero per asset');

describe('a command whose postings do not sum to zero stops the engine', () => {
  test.for<[string, Amount]>([
    ['small', 1],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER],
    ['large', large],
    ['as large as 64 bits are', 2n ** 63n - 1n],
  ])('one leg alone, %s', ([, amount]) => {
    const { engine, ledger, bobRow } = deskOf(1);
    ledger.post(bobRow, amount, 'deposit', null);
    const command = { kind: 'advanceClock' } as const;
    const entry = { seq: as<never>(1 as never), epoch: as<never>(0 as never), at: as<never>(1 as never), command };
    expect(() => engine.apply(entry, createEventRecorder())).toThrow(unbalanced);
  });

  test('a payment out of a hold that nobody receives', () => {
    for (const amount of [1, large]) {
      const { ledger, aliceRow } = deskOf(amount);
      ledger.payFromHold(ledger.openHold(aliceRow, amount, transfer, 'transfer'), amount, 'transfer');
      expect(() => ledger.assertBalanced()).toThrow(unbalanced);
    }
  });

  test('two legs that differ by one unit, or are of two assets', () => {
    const { ledger, aliceRow, bobRow } = deskOf(large);
    ledger.post(aliceRow, -large, 'transfer', null);
    ledger.post(bobRow, large - 1n, 'transfer', null);
    expect(() => ledger.assertBalanced()).toThrow(unbalanced);
    const other = deskOf(large);
    other.ledger.post(other.aliceRow, -large, 'transfer', null);
    other.ledger.post(other.ledger.balances.row(bob, as<AssetId>(1)), large, 'transfer', null);
    expect(() => other.ledger.assertBalanced()).toThrow(unbalanced);
  });

  test('legs of every size that sum to zero do not, in whatever order they come', () => {
    const chance = createPrng(13);
    const max = Number.MAX_SAFE_INTEGER;
    for (let round = 0; round < 200; round += 1) {
      const { ledger, bobRow } = deskOf(1);
      const outside = ledger.balances.row(house.outside, asset);
      const sizes = [1, max, max - 1, 2n ** 53n, 2n ** 53n + 1n, 2n ** 58n];
      const given = Array.from({ length: 4 }, () => sizes[chance.below(sizes.length)]!);
      for (const amount of given) ledger.post(bobRow, amount, 'deposit', null);
      for (const amount of [...given].reverse()) ledger.post(outside, -amount, 'deposit', null);
      ledger.assertBalanced();
      ledger.post(bobRow, 1, 'deposit', null);
      expect(() => ledger.assertBalanced()).toThrow(unbalanced);
    }
  });
});

describe('scarce money', () => {
  test('a hold, a posting or a movement of more than is free stops the engine', () => {
    for (const amount of [5, large]) {
      const more = typeof amount === 'bigint' ? amount + 1n : amount + 1;
      const below = stops('free balance stays above zero');
      expect(deskOf(amount).ledger.canPay(0, amount)).toBe(true);
      expect(deskOf(amount).ledger.canPay(0, more)).toBe(false);
      const hold = deskOf(amount);
      expect(() => hold.ledger.openHold(hold.aliceRow, more, order, 'orderHold')).toThrow(below);
      const post = deskOf(amount);
      expect(() => post.ledger.post(post.aliceRow, -more, 'fill', null)).toThrow(below);
      const move = deskOf(amount);
      expect(() => move.ledger.move(alice, bob, asset, more, 'transfer')).toThrow(below);
    }
  });

  test('a hold never gives more than it covers, and ends once', () => {
    for (const amount of [5, large]) {
      const more = typeof amount === 'bigint' ? amount + 1n : amount + 1;
      const { ledger, holds, aliceRow } = deskOf(amount);
      const hold = ledger.openHold(aliceRow, amount, order, 'orderHold');
      expect(() => ledger.payFromHold(hold, more, 'fill')).toThrow(stops('a hold covers what is paid from it'));
      expect(() => ledger.release(hold, more, 'surplusRelease')).toThrow(stops('a hold covers its release'));
      ledger.closeHold(hold, 'cancelRelease');
      expect(() => ledger.payFromHold(hold, 1, 'fill')).toThrow(InvariantBroken);
      expect(() => ledger.closeHold(hold, 'cancelRelease')).toThrow(stops('a hold is closed once'));
      expect(holds.isOpen(noHold)).toBe(false);
    }
  });
});

describe('holds', () => {
  test('of amounts above 2^53 are opened, paid from, released and closed exactly, each step one posting', () => {
    const { ledger, holds, aliceRow, bobRow, posted, parts } = deskOf(large);
    const hold = ledger.openHold(aliceRow, large - 1n, transfer, 'transfer');
    expect(parts(aliceRow)).toEqual([1n, large - 1n]);
    ledger.payFromHold(hold, 2n ** 59n + 1n, 'transfer');
    ledger.post(bobRow, 2n ** 59n + 1n, 'transfer', null);
    ledger.release(hold, 3, 'transfer');
    expect(holds.amount(hold)).toBe(2n ** 59n - 4n);
    ledger.closeHold(hold, 'transfer');
    ledger.assertBalanced();
    expect(parts(aliceRow)).toEqual([2n ** 59n, 0n]);
    expect(parts(bobRow)).toEqual([2n ** 59n + 1n, 0n]);
    const same = { kind: 'posted', asset, why: 'transfer', order: null };
    expect(posted()).toEqual([
      { ...same, account: alice, free: 1n - large, held: large - 1n, balance: large },
      { ...same, account: alice, free: 0, held: -(2n ** 59n) - 1n, balance: 2n ** 59n },
      { ...same, account: bob, free: 2n ** 59n + 1n, held: 0, balance: 2n ** 59n + 1n },
      { ...same, account: alice, free: 3, held: -3, balance: 2n ** 59n },
      { ...same, account: alice, free: 2n ** 59n - 4n, held: 4n - 2n ** 59n, balance: 2n ** 59n },
    ]);
  });

  test('tell the order that is behind their postings, and amounts have one form', () => {
    const { ledger, holds, aliceRow, posted } = deskOf(10n);
    const hold = ledger.openHold(aliceRow, 10n, order, 'orderHold');
    expect(holds.order(hold)).toBe(as<OrderNumber>(7));
    expect(holds.amount(hold)).toBe(10);
    const [event] = posted();
    expect(event).toMatchObject({ kind: 'posted', free: -10, held: 10, why: 'orderHold', order: 7 });
  });

  test('have dense ids, and the one given back last is the next to be taken', () => {
    const { ledger, holds, aliceRow } = deskOf(10);
    const open = (id: number): number => ledger.openHold(aliceRow, 1, { ...order, id }, 'orderHold');
    expect([open(1), open(2), open(3), open(4)]).toEqual([0, 1, 2, 3]);
    ledger.closeHold(1, 'cancelRelease');
    ledger.closeHold(3, 'cancelRelease');
    expect(holds.all()).toEqual([0, 2]);
    expect([open(5), open(6), open(7)]).toEqual([3, 1, 4]);
    expect(holds.all().map((hold) => holds.ownerId(hold))).toEqual([1, 6, 3, 5, 7]);
    expect(holds.count).toBe(5);
  });
});
