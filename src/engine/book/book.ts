import { assert } from '#base/assert.ts';
import type { SymbolRules } from '#domain/symbol.ts';
import type { AssetId, SymbolId } from '#domain/units.ts';
import { bookDouble, BookRecords, bookWord } from '#engine/book/book-record.ts';
import { LevelTable } from '#engine/book/level-table.ts';
import { ClientIds } from '#engine/book/client-ids.ts';
import { ClosedOrders, forgottenAtOnce } from '#engine/book/closed-orders.ts';
import { NumberIndex } from '#engine/book/number-index.ts';
import { kindCode } from '#engine/book/order-flags.ts';
import { OrderCursor } from '#engine/book/order-cursor.ts';
import { OrderTable } from '#engine/book/order-table.ts';
import { PriceBlocks, PriceIndex } from '#engine/book/price-index.ts';

/** One symbol's market: its rules, both sides, and the counters that only ever grow. */
export class Book {
  /** The rules as they were made; what every order passes stands in the record too. */
  rules: SymbolRules;
  readonly bids: PriceIndex;
  readonly asks: PriceIndex;
  /** Its record: views of all of them, and where it stands there. */
  private readonly doubles: Float64Array;
  private readonly words: Int32Array;
  private readonly double: number;
  private readonly word: number;

  constructor(rules: SymbolRules, quotePerTickLot: number, basePerLot: number, tables: BookTables) {
    const { records, blocks } = tables;
    this.doubles = records.doubles;
    this.words = records.words;
    this.double = records.take();
    this.word = this.double << 1;
    this.doubles[this.double | bookDouble.quotePerTickLot] = quotePerTickLot;
    this.doubles[this.double | bookDouble.basePerLot] = basePerLot;
    this.bids = new PriceIndex(blocks, records, this.double, 0);
    this.asks = new PriceIndex(blocks, records, this.double, 1);
    this.rules = rules;
    this.setRules(rules);
  }

  /** Puts new rules in force. */
  setRules(rules: SymbolRules): void {
    this.rules = rules;
    const { doubles, words, double, word } = this;
    doubles[double | bookDouble.minLots] = rules.minLots;
    doubles[double | bookDouble.minNotional] = rules.minNotional;
    doubles[double | bookDouble.minNotionalMarket] = rules.minNotionalMarket;
    doubles[double | bookDouble.maxNotional] = rules.maxNotional;
    doubles[double | bookDouble.maxNotionalMarket] = rules.maxNotionalMarket;
    doubles[double | bookDouble.bidMultiplierUpPpm] = rules.bidMultiplierUpPpm ?? Number.NaN;
    doubles[double | bookDouble.askMultiplierDownPpm] = rules.askMultiplierDownPpm ?? Number.NaN;
    words[word | bookWord.symbol] = rules.id;
    words[word | bookWord.base] = rules.base;
    words[word | bookWord.quote] = rules.quote;
    words[word | bookWord.makerFeePpm] = rules.makerFeePpm;
    words[word | bookWord.takerFeePpm] = rules.takerFeePpm;
    words[word | bookWord.collarPpm] = rules.collarPpm;
    const isOpen = rules.status === 'online' && rules.apiTradingAllowed;
    const kinds = isOpen ? rules.orderKinds.reduce((mask, kind) => mask | (1 << kindCode(kind)), 0) : 0;
    const { tradeSideType } = rules;
    words[word | bookWord.allowed] = tradeSideType === 'all' || tradeSideType === 'buyOnly' ? kinds : 0;
    words[word | (bookWord.allowed + 1)] = tradeSideType === 'all' || tradeSideType === 'sellOnly' ? kinds : 0;
  }

  get symbol(): SymbolId {
    return this.whole(bookWord.symbol) as SymbolId;
  }
  get base(): AssetId {
    return this.whole(bookWord.base) as AssetId;
  }
  get quote(): AssetId {
    return this.whole(bookWord.quote) as AssetId;
  }
  /** Quote units of one tick times one lot; whole by the rule of scales (DEC-ORD-02). */
  get quotePerTickLot(): number {
    return this.number(bookDouble.quotePerTickLot);
  }
  /** Base units of one lot. */
  get basePerLot(): number {
    return this.number(bookDouble.basePerLot);
  }
  get minLots(): number {
    return this.number(bookDouble.minLots);
  }
  get collarPpm(): number {
    return this.whole(bookWord.collarPpm);
  }
  /** Multipliers of the last price; NaN where the filter is off. */
  get bidMultiplierUpPpm(): number {
    return this.number(bookDouble.bidMultiplierUpPpm);
  }
  get askMultiplierDownPpm(): number {
    return this.number(bookDouble.askMultiplierDownPpm);
  }
  minNotional(isMarket: boolean): number {
    return this.number(isMarket ? bookDouble.minNotionalMarket : bookDouble.minNotional);
  }
  maxNotional(isMarket: boolean): number {
    return this.number(isMarket ? bookDouble.maxNotionalMarket : bookDouble.maxNotional);
  }
  feePpm(isMaker: boolean): number {
    return this.whole(isMaker ? bookWord.makerFeePpm : bookWord.takerFeePpm);
  }
  /** One bit per code of an order kind that may be bought (0) or sold (1) with now. */
  allowed(side: number): number {
    return this.whole(bookWord.allowed + side);
  }

  /** Steps of the book so far. DEC-MKT-03. */
  get version(): number {
    return this.number(bookDouble.version);
  }
  set version(value: number) {
    this.doubles[this.double | bookDouble.version] = value;
  }
  /** Trades so far. */
  get trades(): number {
    return this.number(bookDouble.trades);
  }
  set trades(value: number) {
    this.doubles[this.double | bookDouble.trades] = value;
  }
  /** Ticks; 0 before the first trade. */
  get lastPrice(): number {
    return this.number(bookDouble.lastPrice);
  }
  set lastPrice(value: number) {
    this.doubles[this.double | bookDouble.lastPrice] = value;
  }

  /** Side 0 buys, 1 sells. */
  side(side: number): PriceIndex {
    return side === 0 ? this.bids : this.asks;
  }

  /** Level of the best price of a side, -1 when there is none. */
  best(side: number): number {
    return this.whole(bookWord.bestLevel + side);
  }

  /** Best price of a side, which has one. */
  bestPrice(side: number): number {
    const key = this.bestKey(side);
    return side === 0 ? key : -key;
  }

  /** Reads the objects of its sides, so that they are at hand soon; what it answers means nothing. */
  touch(): number {
    return this.word ^ this.bids.touch() ^ this.asks.touch();
  }

  /** Best key of a side as it sorts its prices, minus infinity when there is none. */
  bestKey(side: number): number {
    return this.number(bookDouble.bestKey + side);
  }

  /** Stops the role when the book is crossed: invariant I5. An ask's key is its negative price. */
  assertUncrossed(): void {
    assert(this.bestKey(0) + this.bestKey(1) < 0, 'best bid stays below best ask');
  }

  private number(field: number): number {
    return this.doubles[this.double | field]!;
  }

  private whole(field: number): number {
    return this.words[this.word | field]!;
  }
}

/** The key under which a side sorts a price: the better, the greater. */
export const priceKey = (side: number, price: number): number => (side === 0 ? price : -price);

/** Tables that all books share, so that thousands of small markets cost little. */
export class BookTables {
  readonly orders = new OrderTable();
  readonly levels = new LevelTable();
  readonly blocks = new PriceBlocks();
  readonly records = new BookRecords();
  readonly closed = new ClosedOrders(this.orders);
  readonly numbers = new NumberIndex(this.orders);
  readonly clientIds = new ClientIds(this.orders, this.closed);
  /** Running number of the last order. */
  lastOrder = 0;

  /** Orders that are not closed. */
  get liveCount(): number {
    return this.orders.count - this.closed.count;
  }

  newCursor(): OrderCursor {
    return new OrderCursor(this.orders);
  }

  /** Puts a live order at the end of its level's queue, `known` or -1 if it is not open yet; answers the level. */
  enqueue(book: Book, side: number, slot: number, known: number): number {
    const { orders, levels } = this;
    let level = known;
    if (level < 0) {
      const price = orders.price(slot);
      level = levels.open(price);
      book.side(side).add(priceKey(side, price), level);
    }
    orders.putInLevel(slot, level, levels.queues.append(level, slot));
    levels.addLots(level, orders.remaining(slot));
    return level;
  }

  /**
   * Takes an order out of its queue with what is left of it; an empty level goes. Answers the lots left at its price.
   */
  dequeue(book: Book, side: number, slot: number): number {
    const { orders, levels } = this;
    const level = orders.level(slot);
    assert(level >= 0, 'an order that leaves a queue stands in one');
    levels.queues.remove(level, orders.levelLine(slot), slot);
    orders.leaveLevel(slot);
    const left = levels.addLots(level, -orders.remaining(slot));
    if (levels.queues.isEmpty(level)) {
      assert(left === 0, 'an empty level has no lots');
      book.side(side).remove(priceKey(side, levels.price(level)));
      levels.close(level);
    }
    return left;
  }

  /** Makes an order findable by its number and its client id. */
  enterIndexes(slot: number): void {
    this.numbers.add(slot);
    if (this.orders.hasClientId(slot)) this.clientIds.add(slot);
  }

  /** Lets go of a closed order; one with a client id stays as long as that is kept. */
  release(slot: number, isEntered: boolean, now: number): void {
    if (this.orders.hasClientId(slot)) {
      if (this.closed.areOver(forgottenAtOnce, now)) this.forgetClosed();
      this.closed.add(slot);
      if (!isEntered) this.enterIndexes(slot);
    } else {
      if (isEntered) this.numbers.remove(slot);
      this.orders.give(slot);
    }
  }

  private forgetClosed(): void {
    const { closed } = this;
    this.clientIds.forgetClosed();
    for (let at = 0; at < forgottenAtOnce; at += 1) this.numbers.remove(closed.slot(closed.earliest + at));
    closed.forgetEarliest();
  }
}
