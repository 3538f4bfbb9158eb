import { assert } from '#base/assert.ts';
import { ClientOrderId } from '#domain/client-order-id.ts';
import type { OrderRef } from '#domain/order.ts';
import type { SymbolRules } from '#domain/symbol.ts';
import type { AccountId, AssetId, SymbolId } from '#domain/units.ts';
import { bookDoubleOffset, BookRecords, bookWordOffset } from '#engine/book/book-record.ts';
import { LevelTable } from '#engine/book/level-table.ts';
import { ClientIds } from '#engine/book/client-ids.ts';
import { ClosedOrders, forgottenAtOnce } from '#engine/book/closed-orders.ts';
import { NumberIndex } from '#engine/book/number-index.ts';
import { kindCode } from '#engine/book/order-flags.ts';
import { OrderCursor } from '#engine/book/order-cursor.ts';
import { nowhere, OrderTable } from '#engine/book/order-table.ts';
import { PriceBlocks, PriceIndex } from '#engine/book/price-index.ts';
import { buySide, sellSide, type SideCode } from '#engine/book/side-code.ts';

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
    this.doubles[this.double | bookDoubleOffset.quotePerTickLot] = quotePerTickLot;
    this.doubles[this.double | bookDoubleOffset.basePerLot] = basePerLot;
    this.bids = new PriceIndex(blocks, records, this.double, buySide);
    this.asks = new PriceIndex(blocks, records, this.double, sellSide);
    this.rules = rules;
    this.setRules(rules);
  }

  /** Puts new rules in force. */
  setRules(rules: SymbolRules): void {
    this.rules = rules;
    const { doubles, words, double, word } = this;
    doubles[double | bookDoubleOffset.minLots] = rules.minLots;
    doubles[double | bookDoubleOffset.minNotional] = rules.minNotional;
    doubles[double | bookDoubleOffset.minNotionalMarket] = rules.minNotionalMarket;
    doubles[double | bookDoubleOffset.maxNotional] = rules.maxNotional;
    doubles[double | bookDoubleOffset.maxNotionalMarket] = rules.maxNotionalMarket;
    doubles[double | bookDoubleOffset.bidMultiplierUpPpm] = rules.bidMultiplierUpPpm ?? Number.NaN;
    doubles[double | bookDoubleOffset.askMultiplierDownPpm] = rules.askMultiplierDownPpm ?? Number.NaN;
    words[word | bookWordOffset.symbol] = rules.id;
    words[word | bookWordOffset.base] = rules.base;
    words[word | bookWordOffset.quote] = rules.quote;
    words[word | bookWordOffset.makerFeePpm] = rules.makerFeePpm;
    words[word | bookWordOffset.takerFeePpm] = rules.takerFeePpm;
    words[word | bookWordOffset.collarPpm] = rules.collarPpm;
    const isOpen = rules.status === 'online' && rules.apiTradingAllowed;
    const kinds = isOpen ? rules.orderKinds.reduce((mask, kind) => mask | (1 << kindCode(kind)), 0) : 0;
    const { tradeSideType } = rules;
    words[word | (bookWordOffset.allowed + buySide)] =
      tradeSideType === 'all' || tradeSideType === 'buyOnly' ? kinds : 0;
    words[word | (bookWordOffset.allowed + sellSide)] =
      tradeSideType === 'all' || tradeSideType === 'sellOnly' ? kinds : 0;
  }

  get symbol(): SymbolId {
    return this.whole(bookWordOffset.symbol) as SymbolId;
  }
  get base(): AssetId {
    return this.whole(bookWordOffset.base) as AssetId;
  }
  get quote(): AssetId {
    return this.whole(bookWordOffset.quote) as AssetId;
  }
  /** Quote units of one tick times one lot; whole by the rule of scales (DEC-ORD-02). */
  get quotePerTickLot(): number {
    return this.number(bookDoubleOffset.quotePerTickLot);
  }
  /** Base units of one lot. */
  get basePerLot(): number {
    return this.number(bookDoubleOffset.basePerLot);
  }
  get minLots(): number {
    return this.number(bookDoubleOffset.minLots);
  }
  get collarPpm(): number {
    return this.whole(bookWordOffset.collarPpm);
  }
  /** Multipliers of the last price; NaN where the filter is off. */
  get bidMultiplierUpPpm(): number {
    return this.number(bookDoubleOffset.bidMultiplierUpPpm);
  }
  get askMultiplierDownPpm(): number {
    return this.number(bookDoubleOffset.askMultiplierDownPpm);
  }
  minNotional(isMarket: boolean): number {
    return this.number(isMarket ? bookDoubleOffset.minNotionalMarket : bookDoubleOffset.minNotional);
  }
  maxNotional(isMarket: boolean): number {
    return this.number(isMarket ? bookDoubleOffset.maxNotionalMarket : bookDoubleOffset.maxNotional);
  }
  feePpm(isMaker: boolean): number {
    return this.whole(isMaker ? bookWordOffset.makerFeePpm : bookWordOffset.takerFeePpm);
  }
  /** One bit per code of an order kind that may be bought or sold with now. */
  allowed(side: SideCode): number {
    return this.whole(bookWordOffset.allowed + side);
  }

  /** Steps of the book so far. DEC-MKT-03. */
  get version(): number {
    return this.number(bookDoubleOffset.version);
  }
  set version(value: number) {
    this.doubles[this.double | bookDoubleOffset.version] = value;
  }
  /** Trades so far. */
  get trades(): number {
    return this.number(bookDoubleOffset.trades);
  }
  set trades(value: number) {
    this.doubles[this.double | bookDoubleOffset.trades] = value;
  }
  /** Ticks; 0 before the first trade. */
  get lastPrice(): number {
    return this.number(bookDoubleOffset.lastPrice);
  }
  set lastPrice(value: number) {
    this.doubles[this.double | bookDoubleOffset.lastPrice] = value;
  }

  /** The price levels of a side. */
  side(side: SideCode): PriceIndex {
    return side === buySide ? this.bids : this.asks;
  }

  /** Level of the best price of a side, -1 when there is none. */
  best(side: SideCode): number {
    return this.whole(bookWordOffset.bestLevel + side);
  }

  /** Best price of a side, which has one. */
  bestPrice(side: SideCode): number {
    const key = this.bestKey(side);
    return side === buySide ? key : -key;
  }

  /** Best key of a side as it sorts its prices, minus infinity when there is none. */
  bestKey(side: SideCode): number {
    return this.number(bookDoubleOffset.bestKey + side);
  }

  /** Stops the role when the book is crossed: invariant I5. An ask's key is its negative price. */
  assertUncrossed(): void {
    assert(this.bestKey(buySide) + this.bestKey(sellSide) < 0, 'best bid stays below best ask');
  }

  private number(field: number): number {
    return this.doubles[this.double | field]!;
  }

  private whole(field: number): number {
    return this.words[this.word | field]!;
  }
}

/** The key under which a side sorts a price: the better, the greater. */
export const priceKey = (side: SideCode, price: number): number => (side === buySide ? price : -price);

/** Tables that all books share, so that thousands of small markets cost little. */
export class BookTables {
  readonly orders = new OrderTable();
  readonly levels = new LevelTable();
  readonly blocks = new PriceBlocks();
  readonly records = new BookRecords();
  readonly closed = new ClosedOrders(this.orders);
  readonly numbers = new NumberIndex(this.orders);
  readonly clientIds = new ClientIds(this.orders);
  /** Running number of the last order. */
  lastOrder = 0;

  /** Orders that are not closed. */
  get liveCount(): number {
    return this.orders.count - this.closed.count;
  }

  /** An order as its owner sees it. It follows the record: copy what is kept. */
  viewOf(slot: number): OrderCursor {
    return new OrderCursor(this.orders).at(slot);
  }

  /** Puts a live order at the end of its level's queue, `known` or -1 if it is not open yet; answers the level. */
  enqueue(book: Book, side: SideCode, slot: number, known: number): number {
    const { orders, levels } = this;
    let level = known;
    if (level < 0) {
      const price = orders.price(slot);
      level = levels.open(price);
      book.side(side).insert(priceKey(side, price), level);
    }
    levels.queues.append(level, slot);
    orders.setLevel(slot, level);
    levels.addLots(level, orders.remaining(slot));
    return level;
  }

  /**
   * Takes an order out of its queue with what is left of it; an empty level goes. Answers the lots left at its price.
   */
  dequeue(book: Book, side: SideCode, slot: number): number {
    const { orders, levels } = this;
    const level = orders.level(slot);
    assert(level >= 0, 'an order that leaves a queue stands in one');
    levels.queues.remove(level, slot);
    orders.setLevel(slot, nowhere);
    const left = levels.addLots(level, -orders.remaining(slot));
    if (levels.queues.isEmpty(level)) {
      assert(left === 0, 'an empty level has no lots');
      book.side(side).remove(priceKey(side, levels.price(level)));
      levels.close(level);
    }
    return left;
  }

  /** Slot of the order that an account means, `noOrder` if there is none: it may be closed or another account's. */
  lookup(account: AccountId, ref: OrderRef, now: number): number {
    if ('order' in ref) return this.numbers.lookup(ref.order);
    return this.clientIds.lookup(account, ClientOrderId.of(ref.clientOrderId), now);
  }

  /** Makes an order findable by its number and its client id. */
  enterIndexes(slot: number): void {
    this.numbers.insert(slot);
    if (this.orders.hasClientId(slot)) this.clientIds.insert(slot);
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
    for (let at = 0; at < forgottenAtOnce; at += 1) {
      const slot = closed.slot(closed.earliest + at);
      this.clientIds.remove(slot);
      this.numbers.remove(slot);
    }
    closed.forgetEarliest();
  }
}
