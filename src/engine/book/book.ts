import { assert } from '#base/assert.ts';
import type { SymbolRules } from '#domain/symbol.ts';
import { LevelTable } from '#engine/book/level-table.ts';
import { NumberIndex } from '#engine/book/number-index.ts';
import { ClientIds } from '#engine/book/client-ids.ts';
import {
  doublesShift,
  idLengthOfFlags,
  kindCode,
  OrderCursor,
  orderDouble,
  OrderTable,
  orderWord,
  wordsShift,
} from '#engine/book/order-table.ts';
import { PriceBlocks, PriceIndex } from '#engine/book/price-index.ts';

/** One symbol's market: its rules, both sides, and the counters that only ever grow. */
export class Book {
  rules: SymbolRules;
  /** One bit per code of an order kind that the rules allow. */
  allowedKinds = 0;
  readonly bids: PriceIndex;
  readonly asks: PriceIndex;
  /** Quote units of one tick times one lot; whole by the rule of scales (decisions.md section 3). */
  readonly quotePerTickLot: number;
  /** Base units of one lot. */
  readonly basePerLot: number;
  /** Steps of the book so far. */
  version = 0;
  /** Trades so far. */
  trades = 0;
  /** Ticks; 0 before the first trade. */
  lastPrice = 0;

  constructor(rules: SymbolRules, quotePerTickLot: number, basePerLot: number, blocks: PriceBlocks) {
    this.rules = rules;
    this.setRules(rules);
    this.quotePerTickLot = quotePerTickLot;
    this.basePerLot = basePerLot;
    this.bids = new PriceIndex(blocks);
    this.asks = new PriceIndex(blocks);
  }

  /** Puts new rules in force. */
  setRules(rules: SymbolRules): void {
    this.rules = rules;
    this.allowedKinds = rules.orderKinds.reduce((mask, kind) => mask | (1 << kindCode(kind)), 0);
  }

  /** Side 0 buys, 1 sells. */
  side(side: number): PriceIndex {
    return side === 0 ? this.bids : this.asks;
  }
}

/** The key under which a side sorts a price: the better, the greater. */
export const priceKey = (side: number, price: number): number => (side === 0 ? price : -price);

/** Tables that all books share, so that thousands of small markets cost little. */
export class BookTables {
  readonly orders = new OrderTable();
  readonly levels = new LevelTable();
  readonly blocks = new PriceBlocks();
  readonly numbers = new NumberIndex(this.orders);
  readonly clientIds = new ClientIds(this.orders, this.numbers);
  /** Closed orders whose client id is still kept, the earliest closed first. */
  closedHead = -1;
  closedTail = -1;
  /** Running number of the last order. */
  lastOrder = 0;

  newCursor(): OrderCursor {
    return new OrderCursor(this.orders);
  }

  /** Puts a live order at the end of its level's queue, `known` or -1 if it is not open yet; answers the level. */
  enqueue(book: Book, side: number, slot: number, known: number): number {
    const { orders, levels } = this;
    let level = known;
    if (level < 0) {
      const price = orders.doubles[(slot << doublesShift) + orderDouble.price]!;
      level = levels.open(price);
      book.side(side).add(priceKey(side, price), level);
    }
    const word = slot << wordsShift;
    const tail = levels.tail(level);
    orders.words[word + orderWord.level] = level;
    orders.words[word + orderWord.previous] = tail;
    orders.words[word + orderWord.next] = -1;
    if (tail < 0) levels.setHead(level, slot);
    else orders.words[(tail << wordsShift) + orderWord.next] = slot;
    levels.setTail(level, slot);
    levels.addLots(level, orders.doubles[(slot << doublesShift) + orderDouble.open]!);
    return level;
  }

  /**
   * Takes an order out of its queue with what is left of it; an empty level goes. Answers the lots left at its price.
   */
  dequeue(book: Book, side: number, slot: number): number {
    const { orders, levels } = this;
    const word = slot << wordsShift;
    const level = orders.words[word + orderWord.level]!;
    assert(level >= 0, 'an order that leaves a queue stands in one');
    const next = orders.words[word + orderWord.next]!;
    const previous = orders.words[word + orderWord.previous]!;
    if (previous < 0) levels.setHead(level, next);
    else orders.words[(previous << wordsShift) + orderWord.next] = next;
    if (next < 0) levels.setTail(level, previous);
    else orders.words[(next << wordsShift) + orderWord.previous] = previous;
    orders.words[word + orderWord.level] = -1;
    const left = levels.addLots(level, -orders.doubles[(slot << doublesShift) + orderDouble.open]!);
    if (next < 0 && previous < 0) {
      assert(left === 0, 'an empty level has no lots');
      book.side(side).remove(priceKey(side, levels.price(level)));
      levels.close(level);
    }
    return left;
  }

  /** Makes a resting order findable by its number and its client id. */
  enterIndexes(slot: number): void {
    const position = this.numbers.add(slot);
    if (hasClientId(this.orders, slot)) this.clientIds.add(slot, position);
  }

  /** Remembers a closed order for as long as its client id is kept, in another slot. */
  keepClosed(from: number, isIndexed: boolean): void {
    const slot = this.orders.moveToClosed(from);
    if (isIndexed) this.numbers.move(from, slot);
    else this.clientIds.add(slot, this.numbers.add(slot));
    const { words } = this.orders;
    words[(slot << wordsShift) + orderWord.next] = -1;
    words[(slot << wordsShift) + orderWord.previous] = this.closedTail;
    if (this.closedTail < 0) this.closedHead = slot;
    else words[(this.closedTail << wordsShift) + orderWord.next] = slot;
    this.closedTail = slot;
  }

  /** Forgets a closed order and its client id. */
  forgetClosed(slot: number): void {
    const { words } = this.orders;
    const next = words[(slot << wordsShift) + orderWord.next]!;
    const previous = words[(slot << wordsShift) + orderWord.previous]!;
    if (previous < 0) this.closedHead = next;
    else words[(previous << wordsShift) + orderWord.next] = next;
    if (next < 0) this.closedTail = previous;
    else words[(next << wordsShift) + orderWord.previous] = previous;
    this.clientIds.remove(slot, this.numbers.remove(slot));
    this.orders.giveClosed(slot);
  }

  /** Forgets a live order without a client id. */
  forget(slot: number, isIndexed: boolean): void {
    if (isIndexed) this.numbers.remove(slot);
    this.orders.give(slot);
  }
}

/** Whether an order has a client id. */
export const hasClientId = (orders: OrderTable, slot: number): boolean =>
  idLengthOfFlags(orders.words[(slot << wordsShift) + orderWord.flags]!) > 0;

/** Stops the role when a book is crossed: invariant I5. An ask's key is its negative price. */
export function assertUncrossed(book: Book): void {
  assert(book.bids.bestKey + book.asks.bestKey < 0, 'best bid stays below best ask');
}
