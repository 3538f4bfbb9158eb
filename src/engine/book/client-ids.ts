import { assert } from '#base/assert.ts';
import { HashIndex } from '#base/hash-index.ts';
import { PackedId, wordsOf } from '#engine/book/client-id-text.ts';
import { forgottenAtOnce, isIdFree, type ClosedOrders } from '#engine/book/closed-orders.ts';
import type { NumberIndex } from '#engine/book/number-index.ts';
import { noOrder, notAnId, turnOf } from '#engine/book/order-reference.ts';
import {
  doublesShift,
  idLengthOfFlags,
  orderDouble,
  orderWord,
  withIdLength,
  wordsShift,
  type OrderTable,
} from '#engine/book/order-table.ts';

/** So many ids at most are expected at a time. */
export const idsAtOnce = 64;

/**
 * Client order ids in use, by account: of open orders, and of closed ones as long as a retry may come. An id itself
 * stands in its order's record.
 */
export class ClientIds {
  private readonly orders: OrderTable;
  private readonly closed: ClosedOrders;
  private readonly numbers: NumberIndex;
  /** Numbers of orders, cut to 32 bits: they stay whatever becomes of an order. */
  private readonly index = new HashIndex();
  /** Hashes of ids that are taken out together. */
  private readonly leaving = new Int32Array(forgottenAtOnce);
  /** Ids that were packed before their turn, in the order of their turns, and which of them are still to come. */
  private readonly expected = Array.from({ length: idsAtOnce }, () => new PackedId());
  private nextExpected = 0;
  private expectedEnd = 0;
  /** The id that is looked for: one that was expected, or this one. */
  private readonly unexpected = new PackedId();
  private wanted = this.unexpected;
  /** Nobody reads it; writing it is what keeps the read before it. */
  onItsWay = 0;

  constructor(orders: OrderTable, closed: ClosedOrders, numbers: NumberIndex) {
    this.orders = orders;
    this.closed = closed;
    this.numbers = numbers;
  }

  /** The order that an account's id stands for now, `noOrder` if there is none (any more), or `notAnId`. */
  find(account: number, text: string, now: number): number {
    return this.want(account, text) ? this.findWanted(now) : notAnId;
  }

  /**
   * Names the id to be looked for; answers whether the text can be one. Where it is looked for is on its way from
   * memory when this returns, so whoever has other things to do does them first.
   */
  want(account: number, text: string): boolean {
    const next = this.expected[this.nextExpected];
    if (this.nextExpected < this.expectedEnd && next!.account === account && next!.text === text) {
      this.nextExpected += 1;
      this.wanted = next!;
      return this.wanted.length > 0;
    }
    this.wanted = this.unexpected;
    if (!this.wanted.pack(account, text)) return false;
    this.onItsWay = this.index.touch(this.wanted.hash);
    return true;
  }

  /** Forgets what was expected. */
  expectNone(): void {
    this.nextExpected = 0;
    this.expectedEnd = 0;
  }

  /**
   * Packs an id that will be wanted soon and notes where it is looked for. They come in this order, and `idsAtOnce` at
   * most.
   */
  expect(account: number, text: string): void {
    const id = this.expected[this.expectedEnd]!;
    if (id.pack(account, text)) this.index.note(id.hash);
    this.expectedEnd += 1;
  }

  /** Notes where ids of the `count` earliest closed orders are looked for, of those that are forgotten by then. */
  noteForgotten(count: number, then: number): void {
    const { closed, index } = this;
    const { words } = closed.records;
    for (let turn = closed.earliest; turn < closed.earliest + count && closed.isOver(turn, then); turn += 1)
      index.note(words[(closed.position(turn) << wordsShift) | orderWord.idHash]!);
  }

  /** Reads what was noted; what it answers means nothing. */
  readNoted(): number {
    return this.index.readNoted();
  }

  /** The order that the wanted id stands for now, `noOrder` if there is none (any more). */
  findWanted(now: number): number {
    const { index, wanted, numbers } = this;
    for (let at = index.first(wanted.hash); at !== -1; at = index.next(at, wanted.hash)) {
      const low = index.reference(at);
      const late = numbers.lateAt(low);
      if (late !== noOrder && this.isWanted(late, now)) return late;
      for (const old of numbers.oldWith(low)) if (this.isWanted(old, now)) return old;
    }
    return noOrder;
  }

  /** Writes the id that was last looked for into a record of the same account; the record has its account and flags. */
  writeFound(slot: number): void {
    const { wanted } = this;
    const { words } = this.orders;
    const word = slot << wordsShift;
    words[word | orderWord.flags] = withIdLength(words[word | orderWord.flags]!, wanted.length);
    words[word | orderWord.idHash] = wanted.hash;
    const end = wordsOf(wanted.length);
    for (let at = 0; at < end; at += 1) words[word | (orderWord.clientId + at)] = wanted.words[at]!;
  }

  /** Writes an id into a record that has its account and flags. */
  write(slot: number, text: string): void {
    this.wanted = this.unexpected;
    const isId = this.wanted.pack(this.orders.words[(slot << wordsShift) | orderWord.account]!, text);
    assert(isId, 'an order has a client id that is one');
    this.writeFound(slot);
  }

  /** Enters the id in the record of an order that has its slot still; it is not in use. */
  add(slot: number): void {
    const { doubles, words } = this.orders;
    this.index.add(words[(slot << wordsShift) | orderWord.idHash]!, doubles[slot << doublesShift]! | 0);
  }

  /** Takes out the ids of the earliest closed orders, `forgottenAtOnce` of them; their records are there still. */
  forgetClosed(): void {
    const { closed, index, leaving } = this;
    const { words, doubles } = closed.records;
    // All their places are on their way from memory before the first is needed.
    let sum = 0;
    for (let at = 0; at < forgottenAtOnce; at += 1) {
      leaving[at] = words[(closed.position(closed.earliest + at) << wordsShift) | orderWord.idHash]!;
    }
    for (let at = 0; at < forgottenAtOnce; at += 1) sum ^= index.touch(leaving[at]!);
    this.onItsWay = sum;
    for (let at = 0; at < forgottenAtOnce; at += 1) {
      const number = doubles[closed.position(closed.earliest + at) << doublesShift]!;
      index.remove(leaving[at]!, number | 0);
    }
  }

  private isWanted(reference: number, now: number): boolean {
    if (reference >= 0) return this.hasWantedId(this.orders.words, reference << wordsShift);
    const { records } = this.closed;
    const position = this.closed.position(turnOf(reference));
    return (
      this.hasWantedId(records.words, position << wordsShift) &&
      !isIdFree(records.doubles[(position << doublesShift) | orderDouble.updatedAt]!, now)
    );
  }

  private hasWantedId(words: Int32Array, word: number): boolean {
    const { wanted } = this;
    if (words[word | orderWord.account] !== wanted.account) return false;
    if (idLengthOfFlags(words[word | orderWord.flags]!) !== wanted.length) return false;
    const end = wordsOf(wanted.length);
    for (let at = 0; at < end; at += 1) {
      if (words[word | (orderWord.clientId + at)] !== wanted.words[at]) return false;
    }
    return true;
  }
}
