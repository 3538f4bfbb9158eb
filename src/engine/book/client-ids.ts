import { assert } from '#base/assert.ts';
import { HashIndex } from '#base/hash-index.ts';
import { hashOfRecord, PackedId, wordsOfText } from '#engine/book/client-id-text.ts';
import type { NumberIndex } from '#engine/book/number-index.ts';
import { idLengthOfFlags, orderWord, withIdLength, wordsShift, type OrderTable } from '#engine/book/order-table.ts';

/**
 * Client order ids in use, by account: of open orders, and of closed ones as long as a retry may come. An id itself
 * stands in its order's record.
 */
export class ClientIds {
  private readonly orders: OrderTable;
  private readonly numbers: NumberIndex;
  /** Positions in the index of numbers: they stay the same wherever a record goes. */
  private readonly index = new HashIndex();
  private readonly wanted = new PackedId();

  constructor(orders: OrderTable, numbers: NumberIndex) {
    this.orders = orders;
    this.numbers = numbers;
  }

  /** Slot of the order that an account's id stands for, -1 if it stands for none, -2 if the text cannot be an id. */
  find(account: number, text: string): number {
    const { index, wanted } = this;
    if (!wanted.pack(account, text)) return -2;
    for (let at = index.first(wanted.hash); at !== -1; at = index.next(at, wanted.hash)) {
      const slot = this.numbers.slotAt(index.reference(at));
      if (this.isWanted(slot)) return slot;
    }
    return -1;
  }

  /** Writes the id that was last looked for into a record of the same account; the record has its account and flags. */
  writeFound(slot: number): void {
    const { wanted } = this;
    const { words } = this.orders;
    const word = slot << wordsShift;
    words[word + orderWord.flags] = withIdLength(words[word + orderWord.flags]!, wanted.length);
    for (let at = 0; at < wordsOfText; at += 1) words[word + orderWord.clientId + at] = wanted.words[at]!;
  }

  /** Writes an id into a record that has its account and flags. */
  write(slot: number, text: string): void {
    const isId = this.wanted.pack(this.orders.words[(slot << wordsShift) + orderWord.account]!, text);
    assert(isId, 'an order has a client id that is one');
    this.writeFound(slot);
  }

  /** Enters the id in an order's record, which is not in use; `position` is the order's in the index of numbers. */
  add(slot: number, position: number): void {
    this.index.add(this.hashOf(slot), position);
  }

  /** Takes out the id in an order's record. */
  remove(slot: number, position: number): void {
    this.index.remove(this.hashOf(slot), position);
  }

  private hashOf(slot: number): number {
    const word = slot << wordsShift;
    const { words } = this.orders;
    const length = idLengthOfFlags(words[word + orderWord.flags]!);
    return hashOfRecord(words, word + orderWord.clientId, words[word + orderWord.account]!, length);
  }

  private isWanted(slot: number): boolean {
    const { wanted } = this;
    const { words } = this.orders;
    const word = slot << wordsShift;
    if (words[word + orderWord.account] !== wanted.account) return false;
    if (idLengthOfFlags(words[word + orderWord.flags]!) !== wanted.length) return false;
    for (let at = 0; at < wordsOfText; at += 1) {
      if (words[word + orderWord.clientId + at] !== wanted.words[at]) return false;
    }
    return true;
  }
}
