import { assert } from '#base/assert.ts';
import { HashIndex } from '#base/hash-index.ts';
import { PackedId, wordsOf } from '#engine/book/client-id-text.ts';
import { doublesPerClosed, isIdFree, wordsPerClosed, type ClosedOrders } from '#engine/book/closed-orders.ts';
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

/**
 * Client order ids in use, by account: of open orders, and of closed ones as long as a retry may come. An id itself
 * stands in its order's record.
 */
export class ClientIds {
  private readonly orders: OrderTable;
  private readonly closed: ClosedOrders;
  private readonly numbers: NumberIndex;
  /** Numbers of orders, cut to 32 bits: they stay whatever becomes of an order. */
  private readonly index: HashIndex;
  private readonly wanted = new PackedId();
  /** Nobody reads it; writing it is what keeps the read before it. */
  onItsWay = 0;

  constructor(orders: OrderTable, closed: ClosedOrders, numbers: NumberIndex) {
    this.orders = orders;
    this.closed = closed;
    this.numbers = numbers;
    this.index = new HashIndex((low) => !numbers.has(low));
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
    if (!this.wanted.pack(account, text)) return false;
    this.onItsWay = this.index.touch(this.wanted.hash);
    return true;
  }

  /** The order that the wanted id stands for now, `noOrder` if there is none (any more). */
  findWanted(now: number): number {
    const { index, wanted, numbers } = this;
    for (let at = index.first(wanted.hash); at !== -1; at = index.next(at, wanted.hash)) {
      const low = index.reference(at);
      const late = numbers.lateWith(low);
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
    words[word + orderWord.flags] = withIdLength(words[word + orderWord.flags]!, wanted.length);
    words[word + orderWord.idHash] = wanted.hash;
    const end = wordsOf(wanted.length);
    for (let at = 0; at < end; at += 1) words[word + orderWord.clientId + at] = wanted.words[at]!;
  }

  /** Writes an id into a record that has its account and flags. */
  write(slot: number, text: string): void {
    const isId = this.wanted.pack(this.orders.words[(slot << wordsShift) + orderWord.account]!, text);
    assert(isId, 'an order has a client id that is one');
    this.writeFound(slot);
  }

  /** Enters the id in the record of an order that has its slot still; it is not in use. */
  add(slot: number): void {
    const { doubles, words } = this.orders;
    this.index.add(words[(slot << wordsShift) + orderWord.idHash]!, doubles[slot << doublesShift]! | 0);
  }

  /** An order with an id was forgotten. */
  forgetOne(): void {
    this.index.forgetOne();
  }

  private isWanted(reference: number, now: number): boolean {
    if (reference >= 0) return this.hasWantedId(this.orders.words, reference << wordsShift);
    const { records } = this.closed;
    const position = this.closed.position(turnOf(reference));
    return (
      this.hasWantedId(records.words, position * wordsPerClosed) &&
      !isIdFree(records.doubles[position * doublesPerClosed + orderDouble.updatedAt]!, now)
    );
  }

  private hasWantedId(words: Int32Array, word: number): boolean {
    const { wanted } = this;
    if (words[word + orderWord.account] !== wanted.account) return false;
    if (idLengthOfFlags(words[word + orderWord.flags]!) !== wanted.length) return false;
    const end = wordsOf(wanted.length);
    for (let at = 0; at < end; at += 1) {
      if (words[word + orderWord.clientId + at] !== wanted.words[at]) return false;
    }
    return true;
  }
}
