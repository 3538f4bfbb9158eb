import { assert } from '#base/assert.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { OrderRef } from '#model/order.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { AccountId, AssetId, SymbolId } from '#model/units.ts';
import { bookDoubleOffset, BookRecords, bookWordOffset } from '#engine/book/book-record.ts';
import { LevelTable } from '#engine/book/level-table.ts';
import { ClientIds } from '#engine/book/client-ids.ts';
import { ClosedOrders, expiredAtOnce } from '#engine/book/closed-orders.ts';
import { NumberIndex } from '#engine/book/number-index.ts';
import { kindCode } from '#engine/book/order-flags.ts';
import { OrderCursor } from '#engine/book/order-cursor.ts';
import { nowhere, OrderTable } from '#engine/book/order-table.ts';
import { PriceBlocks, PriceIndex } from '#engine/book/price-index.ts';
import { buySide, sellSide, type SideCode } from '#engine/book/side-code.ts';
import { TradeWindow } from '#engine/book/trade-window.ts';

/** The book of one symbol: its rules, both sides, and counters that only increase. */
export class Book {
  /** Rules of the symbol; those that every order checks are copied to the record. */
  rules: SymbolRules;
  readonly bids: PriceIndex;
  readonly asks: PriceIndex;
  /** What was traded in the last minutes; not kept for contracts. */
  readonly traded = new TradeWindow();
  /** The views of all records, and the position of this book's record in them. */
  private readonly doubles: Float64Array;
  private readonly words: Int32Array;
  private readonly double: number;
  private readonly word: number;

  /** `basePerLot` 0: of a contract, whose lots are no amount of an asset. */
  constructor(rules: SymbolRules, quotePerTickLot: number, basePerLot: number, tables: BookTables) {
    const { records, blocks } = tables;
    this.doubles = records.doubles;
    this.words = records.words;
    this.double = records.allocate();
    this.word = this.double << 1;
    this.doubles[this.double | bookDoubleOffset.quotePerTickLot] = quotePerTickLot;
    this.doubles[this.double | bookDoubleOffset.basePerLot] = basePerLot;
    this.words[this.word | bookWordOffset.isContract] = basePerLot === 0 ? 1 : 0;
    this.bids = new PriceIndex(blocks, records, this.double, buySide);
    this.asks = new PriceIndex(blocks, records, this.double, sellSide);
    this.rules = rules;
    this.setRules(rules);
  }

  /** Applies new rules. */
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
  /** Whether it is the book of a contract: its fills change positions instead of balances. */
  get isContract(): boolean {
    return this.whole(bookWordOffset.isContract) !== 0;
  }
  /** Base units of one lot; 0 of a contract. */
  get basePerLot(): number {
    return this.number(bookDoubleOffset.basePerLot);
  }
  get minLots(): number {
    return this.number(bookDoubleOffset.minLots);
  }
  get collarPpm(): number {
    return this.whole(bookWordOffset.collarPpm);
  }
  /** Percent price filter: multipliers of the last price; NaN if the filter is off. */
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
  /** Order kinds that are allowed on this side now, one bit per kind code. */
  allowed(side: SideCode): number {
    return this.whole(bookWordOffset.allowed + side);
  }

  /** Version of the book: the number of level changes so far. DEC-MKT-03. */
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

  /** Level with the best price of a side, -1 if the side is empty. */
  best(side: SideCode): number {
    return this.whole(bookWordOffset.bestLevel + side);
  }

  /** Best price of a side, which must not be empty. */
  bestPrice(side: SideCode): number {
    const key = this.bestKey(side);
    return side === buySide ? key : -key;
  }

  /** Best sort key of a side, minus infinity if the side is empty. */
  bestKey(side: SideCode): number {
    return this.number(bookDoubleOffset.bestKey + side);
  }

  /** @throws InvariantBroken if the book is crossed (I5). The key of an ask is its negative price. */
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

/** Sort key of a price on a side: a better price has a greater key. */
export const priceKey = (side: SideCode, price: number): number => (side === buySide ? price : -price);

/** Tables that all books share, so that thousands of small markets cost little. */
export class BookTables {
  /** Books of symbols and of contracts, by their id. */
  readonly books: Book[] = [];
  readonly orders = new OrderTable();
  readonly levels = new LevelTable();
  readonly blocks = new PriceBlocks();
  readonly records = new BookRecords();
  readonly closed = new ClosedOrders(this.orders);
  readonly numbers = new NumberIndex(this.orders);
  readonly clientIds = new ClientIds(this.orders);
  /** Running number of the last order. */
  lastOrder = 0;

  /** Opens the book of a market with these rules. */
  open(rules: SymbolRules, quotePerTickLot: number, basePerLot: number): Book {
    const book = new Book(rules, quotePerTickLot, basePerLot, this);
    this.books[rules.id] = book;
    return book;
  }

  /** Orders that are not closed. */
  get liveCount(): number {
    return this.orders.count - this.closed.count;
  }

  /** An order as its owner sees it. The view follows the record: copy what must not change. */
  viewOf(slot: number): OrderCursor {
    return new OrderCursor(this.orders).at(slot);
  }

  /**
   * Appends an open order to the queue of its level: `known`, or -1 if the level does not exist yet. Returns the level.
   */
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
   * Removes an order and its remaining quantity from its queue, and the level if it is empty then. Returns the lots
   * left at that price.
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

  /**
   * Slot of the order with this number or client order id, `noOrder` if there is none. The order may be closed or, if
   * named by number, belong to another account.
   */
  lookup(account: AccountId, ref: OrderRef, now: number): number {
    if ('order' in ref) return this.numbers.lookup(ref.order);
    return this.clientIds.lookup(account, ClientOrderId.of(ref.clientOrderId), now);
  }

  /** Adds an order to the indexes of numbers and client order ids. */
  addToIndexes(slot: number): void {
    this.numbers.insert(slot);
    if (this.orders.hasClientId(slot)) this.clientIds.insert(slot);
  }

  /**
   * Releases the record of a closed order. An order with a client order id keeps it until the id expires, so that a
   * retry finds it. `isIndexed`: whether the order is in the indexes.
   */
  release(slot: number, isIndexed: boolean, now: number): void {
    if (this.orders.hasClientId(slot)) {
      if (this.closed.areExpired(expiredAtOnce, now)) this.removeExpired();
      this.closed.add(slot);
      if (!isIndexed) this.addToIndexes(slot);
    } else {
      if (isIndexed) this.numbers.remove(slot);
      this.orders.release(slot);
    }
  }

  private removeExpired(): void {
    const { closed } = this;
    for (let at = 0; at < expiredAtOnce; at += 1) {
      const slot = closed.slot(closed.earliest + at);
      this.clientIds.remove(slot);
      this.numbers.remove(slot);
    }
    closed.removeEarliest();
  }
}
