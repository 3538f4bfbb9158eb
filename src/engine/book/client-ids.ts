import { assert } from '#base/assert.ts';
import { HashIndex } from '#base/hash-index.ts';
import { PackedId, wordsOfText } from '#engine/book/client-id-text.ts';
import {
  doublesPerClosed,
  isIdFree,
  wordsPerClosed,
  type ClosedOrders,
} from '#engine/book/closed-orders.ts';
import { noOrder, notAnId } from '#engine/book/order-reference.ts';
import {
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
  private readonly index = new HashIndex();
  private readonly wanted = new PackedId();

  constructor(orders: OrderTable, closed: ClosedOrders) {
    this.orders = orders;
    this.closed = closed;
  }

  /** The order that an account's id stands for now, `noOrder` if there is none (any more), or `notAnId`. */
  find(account: number, text: string, now: number): number {
    const { index, wanted } = this;
    if (!wanted.pack(account, text)) return notAnId;
    for (let at = index.first(wanted.hash); at !== -1; at = index.next(at, wanted.hash)) {
      const reference = index.reference(at);
      if (reference >= 0 ? this.isWantedLive(reference) : this.isWantedClosed(reference, now)) return reference;
    }
    return noOrder;
  }

  /** Slot of the live order that an account's id stands for, -1 if it stands for none. */
  findLive(account: number, text: string, now: number): number {
    const reference = this.find(account, text, now);
    return reference < 0 || reference >= notAnId ? -1 : reference;
  }

  /** Writes the id that was last looked for into a record of the same account; the record has its account and flags. */
  writeFound(slot: number): void {
    const { wanted } = this;
    const { words } = this.orders;
    const word = slot << wordsShift;
    words[word + orderWord.flags] = withIdLength(words[word + orderWord.flags]!, wanted.length);
    words[word + orderWord.idHash] = wanted.hash;
    for (let at = 0; at < wordsOfText; at += 1) words[word + orderWord.clientId + at] = wanted.words[at]!;
  }

  /** Writes an id into a record that has its account and flags. */
  write(slot: number, text: string): void {
    const isId = this.wanted.pack(this.orders.words[(slot << wordsShift) + orderWord.account]!, text);
    assert(isId, 'an order has a client id that is one');
    this.writeFound(slot);
  }

  /** Enters the id in a live order's record, which is not in use. */
  add(slot: number): void {
    this.index.add(this.hashOf(slot), slot);
  }

  /** The order closed; its record has gone to another place, and its slot is still its own. */
  close(slot: number, turn: number, isEntered: boolean): void {
    const { index } = this;
    index.keep(this.closed.earliest, this.closed.end);
    if (isEntered) index.replace(this.hashOf(slot), slot, HashIndex.fading(turn));
    else index.add(this.hashOf(slot), HashIndex.fading(turn));
  }

  private hashOf(slot: number): number {
    return this.orders.words[(slot << wordsShift) + orderWord.idHash]!;
  }

  private isWantedLive(slot: number): boolean {
    return this.isWanted(this.orders.words, slot << wordsShift);
  }

  private isWantedClosed(reference: number, now: number): boolean {
    if (this.index.isFaded(reference)) return false;
    const { records } = this.closed;
    const position = this.closed.position(HashIndex.turnOf(reference));
    return (
      this.isWanted(records.words, position * wordsPerClosed) &&
      !isIdFree(records.doubles[position * doublesPerClosed + orderDouble.updatedAt]!, now)
    );
  }

  private isWanted(words: Int32Array, word: number): boolean {
    const { wanted } = this;
    if (words[word + orderWord.account] !== wanted.account) return false;
    if (idLengthOfFlags(words[word + orderWord.flags]!) !== wanted.length) return false;
    for (let at = 0; at < wordsOfText; at += 1) {
      if (words[word + orderWord.clientId + at] !== wanted.words[at]) return false;
    }
    return true;
  }
}
