import { assert } from '#base/assert.ts';
import { HashIndex } from '#base/hash-index.ts';
import { hashOfRecord, PackedId, wordsOfText } from '#engine/book/client-id-text.ts';
import { idLengthOfFlags, orderWord, withIdLength, wordsShift, type OrderTable } from '#engine/book/order-table.ts';

/**
 * Client order ids in use, by account: of open orders, and of closed ones as long as a retry may come. An id itself stands
 * in its order's record.
 */
export class ClientIds {
  private readonly words: Int32Array;
  private readonly index = new HashIndex();
  private readonly wanted = new PackedId();

  constructor(orders: OrderTable) {
    this.words = orders.words;
  }

  /** Slot of the order that an account's id stands for, -1 if it stands for none, -2 if the text cannot be an id. */
  find(account: number, text: string): number {
    const { index, wanted } = this;
    if (!wanted.pack(account, text)) return -2;
    for (let at = index.first(wanted.hash); at !== -1; at = index.next(at, wanted.hash)) {
      const slot = index.reference(at);
      if (this.isWanted(slot)) return slot;
    }
    return -1;
  }

  /** Writes the id that was last looked for into a record of the same account; the record has its account and flags. */
  writeFound(slot: number): void {
    const { words, wanted } = this;
    const word = slot << wordsShift;
    words[word + orderWord.flags] = withIdLength(words[word + orderWord.flags]!, wanted.length);
    for (let at = 0; at < wordsOfText; at += 1) words[word + orderWord.clientId + at] = wanted.words[at]!;
  }

  /** Writes an id into a record that has its account and flags. */
  write(slot: number, text: string): void {
    const isId = this.wanted.pack(this.words[(slot << wordsShift) + orderWord.account]!, text);
    assert(isId, 'an order has a client id that is one');
    this.writeFound(slot);
  }

  /** Enters the id in an order's record, which is not in use. */
  add(slot: number): void {
    this.index.add(this.hashOf(slot), slot);
  }

  /** The order went to another slot and took its record with it. */
  move(from: number, to: number): void {
    this.index.replace(this.hashOf(to), from, to);
  }

  remove(slot: number): void {
    this.index.remove(this.hashOf(slot), slot);
  }

  private hashOf(slot: number): number {
    const word = slot << wordsShift;
    const length = idLengthOfFlags(this.words[word + orderWord.flags]!);
    return hashOfRecord(this.words, word + orderWord.clientId, this.words[word + orderWord.account]!, length);
  }

  private isWanted(slot: number): boolean {
    const { words, wanted } = this;
    const word = slot << wordsShift;
    if (words[word + orderWord.account] !== wanted.account) return false;
    if (idLengthOfFlags(words[word + orderWord.flags]!) !== wanted.length) return false;
    for (let at = 0; at < wordsOfText; at += 1) {
      if (words[word + orderWord.clientId + at] !== wanted.words[at]) return false;
    }
    return true;
  }
}
