import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { GrowableBuffer } from '#base/growable-buffer.ts';
import { wordsOf, textOfWords, type ClientOrderId } from '#model/client-order-id.ts';
import type { CloseReason } from '#model/order.ts';
import type { AccountId, OrderNumber, SymbolId } from '#model/units.ts';
import {
  idLengthOfFlags,
  isByBudgetFlags,
  kindOfFlags,
  reasonOfFlags,
  sideOfFlags,
  stpOfFlags,
  withIdLength,
  withReason,
} from '#engine/book/order-flags.ts';
import type { SideCode } from '#engine/book/side-code.ts';
import { noHold } from '#engine/ledger/hold-table.ts';

// One record is 128 bytes, two cache lines: eight doubles and fifteen words; one word is free.
const doublesShift = 4;
const wordsShift = 5;
/** Offsets of the doubles in a record. An order by quote amount has a budget and no quantity, any other the reverse. */
const doubleOffset = {
  number: 0,
  price: 1,
  quantity: 2,
  budget: 3,
  executed: 4,
  executedQuote: 5,
  acceptedAt: 6,
  updatedAt: 7,
} as const;
/** Offsets of the words in the same record, behind the doubles. `clientId` takes seven. */
const wordOffset = {
  account: 16,
  symbol: 17,
  flags: 18,
  clientId: 19,
  idHash: 26,
  level: 27,
  hold: 28,
  gives: 29,
  gets: 30,
} as const;
/** The level of an order that is in no queue. */
export const nowhere = -1;

/** Returned instead of a slot if there is no such order. */
export const noOrder = -1;

/** The fields of a new order. */
export interface NewOrder {
  readonly number: number;
  readonly account: AccountId;
  readonly symbol: SymbolId;
  /** Limit price in ticks, or the market collar of a market order. */
  readonly price: number;
  /** Lots; 0 for an order by quote amount. */
  readonly quantity: number;
  /** Quote units that an order by quote amount may spend or receive; else 0. */
  readonly budget: number;
  readonly flags: number;
  readonly at: number;
  /** Balance rows that it pays from and receives into. */
  readonly gives: number;
  readonly gets: number;
}

/**
 * Records of orders by slot: open orders, and closed ones until their client order ids expire. The slot released last
 * is reused first, because it is still cached.
 */
export class OrderTable {
  private readonly records = new GrowableBuffer();
  private used = 0;
  /** Released slots, used as a stack. */
  private readonly free = new GrowableBuffer();
  private freeCount = 0;
  /** Views of all records; allocating a slot may replace them. */
  private doubles: Float64Array = this.records.doubles;
  private words: Int32Array = this.records.words;

  /** Slots in use. */
  get count(): number {
    return this.used - this.freeCount;
  }

  allocate(): number {
    if (this.freeCount > 0) {
      this.freeCount -= 1;
      return this.free.words[this.freeCount]!;
    }
    if (this.used << doublesShift === this.doubles.length) this.grow();
    return this.used++;
  }

  release(slot: number): void {
    if (this.freeCount === this.free.words.length) this.free.grow();
    this.free.words[this.freeCount] = slot;
    this.freeCount += 1;
  }

  /** Initializes the record of an allocated slot: nothing executed or held, no client order id, in no queue or list. */
  initialize(slot: number, order: NewOrder): void {
    const { doubles, words } = this;
    const at = slot << doublesShift;
    const base = slot << wordsShift;
    doubles[at | doubleOffset.number] = order.number;
    doubles[at | doubleOffset.price] = order.price;
    doubles[at | doubleOffset.quantity] = order.quantity;
    doubles[at | doubleOffset.budget] = order.budget;
    doubles[at | doubleOffset.executed] = 0;
    doubles[at | doubleOffset.executedQuote] = 0;
    doubles[at | doubleOffset.acceptedAt] = order.at;
    doubles[at | doubleOffset.updatedAt] = order.at;
    words[base | wordOffset.account] = order.account;
    words[base | wordOffset.symbol] = order.symbol;
    words[base | wordOffset.flags] = order.flags;
    words[base | wordOffset.level] = nowhere;
    words[base | wordOffset.hold] = noHold;
    words[base | wordOffset.gives] = order.gives;
    words[base | wordOffset.gets] = order.gets;
  }

  number(slot: number): OrderNumber {
    return this.doubles[(slot << doublesShift) | doubleOffset.number]! as OrderNumber;
  }
  /** Limit price in ticks, or the market collar of a market order. */
  price(slot: number): number {
    return this.doubles[(slot << doublesShift) | doubleOffset.price]!;
  }
  /** Quantity in lots; 0 for an order by quote amount. */
  quantity(slot: number): number {
    return this.doubles[(slot << doublesShift) | doubleOffset.quantity]!;
  }
  /** Quote units that an order by quote amount may spend or receive; else 0. */
  budget(slot: number): number {
    return this.doubles[(slot << doublesShift) | doubleOffset.budget]!;
  }
  /** Lots that an order by quantity has not filled yet. */
  remaining(slot: number): number {
    return this.quantity(slot) - this.executed(slot);
  }
  /** Lots executed. */
  executed(slot: number): number {
    return this.doubles[(slot << doublesShift) | doubleOffset.executed]!;
  }
  executedQuote(slot: number): number {
    return this.doubles[(slot << doublesShift) | doubleOffset.executedQuote]!;
  }
  acceptedAt(slot: number): number {
    return this.doubles[(slot << doublesShift) | doubleOffset.acceptedAt]!;
  }
  updatedAt(slot: number): number {
    return this.doubles[(slot << doublesShift) | doubleOffset.updatedAt]!;
  }
  account(slot: number): AccountId {
    return this.words[(slot << wordsShift) | wordOffset.account]! as AccountId;
  }
  symbol(slot: number): SymbolId {
    return this.words[(slot << wordsShift) | wordOffset.symbol]! as SymbolId;
  }
  /** Flags in one word, see `order-flags.ts`. */
  flags(slot: number): number {
    return this.words[(slot << wordsShift) | wordOffset.flags]!;
  }
  /** Side code: `buySide` or `sellSide`. */
  side(slot: number): SideCode {
    return sideOfFlags(this.flags(slot));
  }
  /** Index into `orderKinds`. */
  kind(slot: number): number {
    return kindOfFlags(this.flags(slot));
  }
  /** Index into `stpModes`. */
  stp(slot: number): number {
    return stpOfFlags(this.flags(slot));
  }
  isByBudget(slot: number): boolean {
    return isByBudgetFlags(this.flags(slot));
  }
  isClosed(slot: number): boolean {
    return reasonOfFlags(this.flags(slot)) !== 0;
  }
  /** Balance row that it pays from. */
  gives(slot: number): number {
    return this.words[(slot << wordsShift) | wordOffset.gives]!;
  }
  /** Balance row that it receives into. */
  gets(slot: number): number {
    return this.words[(slot << wordsShift) | wordOffset.gets]!;
  }
  /** Hold of the order; `noHold` if it has none. */
  hold(slot: number): number {
    return this.words[(slot << wordsShift) | wordOffset.hold]!;
  }
  setHold(slot: number, hold: number): void {
    this.words[(slot << wordsShift) | wordOffset.hold] = hold;
  }

  /** Level of the queue it is in, `nowhere` if it is in none. */
  level(slot: number): number {
    return this.words[(slot << wordsShift) | wordOffset.level]!;
  }
  setLevel(slot: number, level: number): void {
    this.words[(slot << wordsShift) | wordOffset.level] = level;
  }

  /** Adds a fill to what is executed. */
  countFill(slot: number, lots: number, quoteAmount: number, at: number): void {
    const { doubles } = this;
    const base = slot << doublesShift;
    doubles[base | doubleOffset.executed] = doubles[base | doubleOffset.executed]! + lots;
    doubles[base | doubleOffset.executedQuote] = doubles[base | doubleOffset.executedQuote]! + quoteAmount;
    doubles[base | doubleOffset.updatedAt] = at;
  }

  /** Marks a record closed. */
  close(slot: number, reason: CloseReason, at: number): void {
    const flags = (slot << wordsShift) | wordOffset.flags;
    this.words[flags] = withReason(this.words[flags]!, reason);
    this.doubles[(slot << doublesShift) | doubleOffset.updatedAt] = at;
  }

  hasClientId(slot: number): boolean {
    return idLengthOfFlags(this.flags(slot)) > 0;
  }
  /** Hash of the client order id, for the index. */
  idHash(slot: number): number {
    return this.words[(slot << wordsShift) | wordOffset.idHash]!;
  }
  clientOrderId(slot: number): string | null {
    const length = idLengthOfFlags(this.flags(slot));
    return length === 0 ? null : textOfWords(this.words, (slot << wordsShift) | wordOffset.clientId, length);
  }
  /** Whether the order belongs to this account and has this client order id. */
  hasId(slot: number, account: number, id: ClientOrderId): boolean {
    const { words } = this;
    const base = slot << wordsShift;
    if (words[base | wordOffset.account] !== account) return false;
    if (idLengthOfFlags(words[base | wordOffset.flags]!) !== id.length) return false;
    const end = wordsOf(id.length);
    for (let at = 0; at < end; at += 1) {
      if (words[base | (wordOffset.clientId + at)] !== id.words[at]) return false;
    }
    return true;
  }
  writeId(slot: number, id: ClientOrderId, hash: number): void {
    const { words } = this;
    const base = slot << wordsShift;
    words[base | wordOffset.flags] = withIdLength(words[base | wordOffset.flags]!, id.length);
    words[base | wordOffset.idHash] = hash;
    const end = wordsOf(id.length);
    for (let at = 0; at < end; at += 1) words[base | (wordOffset.clientId + at)] = id.words[at]!;
  }

  /**
   * Writes a record to an image, without its symbol, hold and client order id. An order by quote amount is written as
   * budget and executed quantity, any other as quantity and remaining quantity.
   */
  write(writer: ByteWriter, slot: number): void {
    const isByBudget = this.isByBudget(slot);
    writer.varint(this.number(slot));
    writer.varint(this.price(slot));
    writer.varint(isByBudget ? this.budget(slot) : this.quantity(slot));
    writer.varint(isByBudget ? this.executed(slot) : this.remaining(slot));
    writer.varint(this.executedQuote(slot));
    writer.varint(this.acceptedAt(slot));
    writer.varint(this.updatedAt(slot));
    writer.varint(this.account(slot));
    writer.varint(withIdLength(this.flags(slot), 0));
  }

  /**
   * Reads what `write` wrote into a new record, in no queue or list; the caller sets its balance rows and its hold.
   * Returns the slot.
   */
  read(reader: ByteReader, symbol: SymbolId): number {
    const slot = this.allocate();
    const { doubles, words } = this;
    const at = slot << doublesShift;
    const base = slot << wordsShift;
    doubles[at | doubleOffset.number] = reader.varint();
    doubles[at | doubleOffset.price] = reader.varint();
    const asked = reader.varint();
    const counted = reader.varint();
    doubles[at | doubleOffset.executedQuote] = reader.varint();
    doubles[at | doubleOffset.acceptedAt] = reader.varint();
    doubles[at | doubleOffset.updatedAt] = reader.varint();
    words[base | wordOffset.account] = reader.varint();
    words[base | wordOffset.flags] = reader.varint();
    const isByBudget = this.isByBudget(slot);
    doubles[at | doubleOffset.quantity] = isByBudget ? 0 : asked;
    doubles[at | doubleOffset.budget] = isByBudget ? asked : 0;
    doubles[at | doubleOffset.executed] = isByBudget ? counted : asked - counted;
    words[base | wordOffset.symbol] = symbol;
    words[base | wordOffset.level] = nowhere;
    words[base | wordOffset.hold] = noHold;
    return slot;
  }

  setRows(slot: number, gives: number, gets: number): void {
    const base = slot << wordsShift;
    this.words[base | wordOffset.gives] = gives;
    this.words[base | wordOffset.gets] = gets;
  }

  private grow(): void {
    this.records.grow();
    this.doubles = this.records.doubles;
    this.words = this.records.words;
  }
}
