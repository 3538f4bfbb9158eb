import { assert } from '#base/assert.ts';
import type { SymbolRules } from '#domain/symbol.ts';
import { LevelTable } from '#engine/book/level-table.ts';
import { ClientIds } from '#engine/book/client-ids.ts';
import { ClosedOrders, doublesPerClosed, wordsPerClosed } from '#engine/book/closed-orders.ts';
import { NumberIndex } from '#engine/book/number-index.ts';
import { turnOf } from '#engine/book/order-reference.ts';
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
import { SlotLists } from '#engine/book/slot-lists.ts';

/** One symbol's market: its rules, both sides, and the counters that only ever grow. */
export class Book {
  rules: SymbolRules;
  /** One bit per code of an order kind that may be bought with now, and one that may be sold with. */
  allowedBuys = 0;
  allowedSells = 0;
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
    const isOpen = rules.status === 'online' && rules.apiTradingAllowed;
    const kinds = isOpen ? rules.orderKinds.reduce((mask, kind) => mask | (1 << kindCode(kind)), 0) : 0;
    this.allowedBuys = rules.tradeSideType === 'all' || rules.tradeSideType === 'buyOnly' ? kinds : 0;
    this.allowedSells = rules.tradeSideType === 'all' || rules.tradeSideType === 'sellOnly' ? kinds : 0;
  }

  /** Side 0 buys, 1 sells. */
  side(side: number): PriceIndex {
    return side === 0 ? this.bids : this.asks;
  }
}

/** The key under which a side sorts a price: the better, the greater. */
export const priceKey = (side: number, price: number): number => (side === 0 ? price : -price);

/** More than one order closes at a time, so that the list of closed ones shrinks whenever time has passed. */
const forgottenAtOnce = 4;

/** Tables that all books share, so that thousands of small markets cost little. */
export class BookTables {
  readonly orders = new OrderTable();
  readonly levels = new LevelTable();
  /** Slots of resting orders: each level's queue, and each account's open orders. */
  readonly queues = new SlotLists();
  readonly openOrders = new SlotLists();
  readonly blocks = new PriceBlocks();
  readonly closed = new ClosedOrders();
  readonly numbers = new NumberIndex(this.orders, this.closed);
  readonly clientIds = new ClientIds(this.orders, this.closed, this.numbers);
  /** Running number of the last order. */
  lastOrder = 0;

  newCursor(): OrderCursor {
    return new OrderCursor(this.orders);
  }

  /** Points a cursor at an order that an index answered. */
  show(reference: number, view: OrderCursor): OrderCursor {
    if (reference >= 0) return view.at(reference);
    const position = this.closed.position(turnOf(reference));
    return view.atRecord(this.closed.records, position * doublesPerClosed, position * wordsPerClosed);
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
    const queue = levels.queue(level);
    const line = this.queues.append(queue, slot);
    if (queue < 0) levels.setQueue(level, line);
    const word = slot << wordsShift;
    orders.words[word + orderWord.level] = level;
    orders.words[word + orderWord.levelLine] = line;
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
    const queue = this.queues.remove(levels.queue(level), orders.words[word + orderWord.levelLine]!, slot);
    levels.setQueue(level, queue);
    orders.words[word + orderWord.level] = -1;
    const left = levels.addLots(level, -orders.doubles[(slot << doublesShift) + orderDouble.open]!);
    if (queue < 0) {
      assert(left === 0, 'an empty level has no lots');
      book.side(side).remove(priceKey(side, levels.price(level)));
      levels.close(level);
    }
    return left;
  }

  /** Makes an order findable by its number and its client id. */
  enterIndexes(slot: number): void {
    this.numbers.add(slot);
    if (hasClientId(this.orders, slot)) this.clientIds.add(slot);
  }

  /** Gives the slot of a closed order back; one with a client id is remembered for as long as that is kept. */
  release(slot: number, isEntered: boolean, now: number): void {
    if (hasClientId(this.orders, slot)) this.keepClosed(slot, isEntered, now);
    else if (isEntered) this.numbers.remove(slot);
    this.orders.give(slot);
  }

  private keepClosed(slot: number, isEntered: boolean, now: number): void {
    const { closed } = this;
    for (let most = forgottenAtOnce; most > 0 && closed.isEarliestOver(now); most -= 1) {
      this.numbers.forget(closed.earliest);
      this.clientIds.forgetOne();
      closed.earliest += 1;
    }
    this.numbers.close(slot, closed.add(this.orders, slot), isEntered);
    if (!isEntered) this.clientIds.add(slot);
  }
}

/** Whether an order has a client id. */
const hasClientId = (orders: OrderTable, slot: number): boolean =>
  idLengthOfFlags(orders.words[(slot << wordsShift) + orderWord.flags]!) > 0;

/** Stops the role when a book is crossed: invariant I5. An ask's key is its negative price. */
export function assertUncrossed(book: Book): void {
  assert(book.bids.bestKey + book.asks.bestKey < 0, 'best bid stays below best ask');
}
