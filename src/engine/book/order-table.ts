import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { Room } from '#base/room.ts';
import { wordsOf, textOfWords, type ClientOrderId } from '#domain/client-order-id.ts';
import type { CloseReason } from '#domain/order.ts';
import type { AccountId, OrderNumber, SymbolId } from '#domain/units.ts';
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
import { noHold } from '#engine/ledger/hold-table.ts';

// One record is 128 bytes, two cache lines: seven doubles and eighteen words.
const doublesShift = 4;
const wordsShift = 5;
/**
 * Doubles of a record. `asked`: the quantity asked for, or the quote amount of an order by quote amount. `counted`:
 * lots that remain, or those that such an order has executed.
 */
const double = { number: 0, price: 1, asked: 2, counted: 3, executedQuote: 4, acceptedAt: 5, updatedAt: 6 } as const;
/** Words of the same record; they start after the doubles. `clientId` takes seven. */
const word = {
  account: 14,
  symbol: 15,
  flags: 16,
  clientId: 17,
  idHash: 24,
  level: 25,
  levelLine: 26,
  accountLine: 27,
  hold: 28,
  gives: 30,
  gets: 31,
} as const;
const nowhere = -1;

/** What an index answers instead of a slot where there is no such order. */
export const noOrder = -1;

/** An order as it is when it comes. */
export interface NewOrder {
  readonly number: number;
  readonly account: AccountId;
  readonly symbol: SymbolId;
  /** Ticks; of a market order its bound. */
  readonly price: number;
  /** Lots asked for, or quote units of an order by quote amount. */
  readonly asked: number;
  readonly flags: number;
  readonly at: number;
  /** Balance rows that it gives from and gets into. */
  readonly gives: number;
  readonly gets: number;
}

/**
 * Records of orders by slot: of live ones, and of closed ones as long as their client ids are kept. The slot that was
 * given back last is the next to be taken: it is at hand.
 */
export class OrderTable {
  private readonly records = new Room();
  private used = 0;
  /** Slots that were given back; the last one is the next to be taken. */
  private readonly free = new Room();
  private freeCount = 0;
  /** Views of all records; taking a slot may replace them. */
  private doubles: Float64Array = this.records.doubles;
  private words: Int32Array = this.records.words;

  /** Slots in use. */
  get count(): number {
    return this.used - this.freeCount;
  }

  take(): number {
    if (this.freeCount > 0) {
      this.freeCount -= 1;
      return this.free.words[this.freeCount]!;
    }
    if (this.used << doublesShift === this.doubles.length) this.grow();
    return this.used++;
  }

  give(slot: number): void {
    if (this.freeCount === this.free.words.length) this.free.grow();
    this.free.words[this.freeCount] = slot;
    this.freeCount += 1;
  }

  /** Fills the record of a slot that was taken: nothing executed or held, no client id, in no queue and no list. */
  enter(slot: number, order: NewOrder): void {
    const { doubles, words } = this;
    const at = slot << doublesShift;
    const base = slot << wordsShift;
    doubles[at | double.number] = order.number;
    doubles[at | double.price] = order.price;
    doubles[at | double.asked] = order.asked;
    doubles[at | double.counted] = isByBudgetFlags(order.flags) ? 0 : order.asked;
    doubles[at | double.executedQuote] = 0;
    doubles[at | double.acceptedAt] = order.at;
    doubles[at | double.updatedAt] = order.at;
    words[base | word.account] = order.account;
    words[base | word.symbol] = order.symbol;
    words[base | word.flags] = order.flags;
    words[base | word.level] = nowhere;
    words[base | word.accountLine] = nowhere;
    words[base | word.hold] = noHold;
    words[base | word.gives] = order.gives;
    words[base | word.gets] = order.gets;
  }

  number(slot: number): OrderNumber {
    return this.doubles[(slot << doublesShift) | double.number]! as OrderNumber;
  }
  /** Ticks; of a market order its bound. */
  price(slot: number): number {
    return this.doubles[(slot << doublesShift) | double.price]!;
  }
  /** Lots that an order by quantity asked for. */
  quantity(slot: number): number {
    return this.doubles[(slot << doublesShift) | double.asked]!;
  }
  /** Quote units that an order by quote amount may spend or receive. */
  budget(slot: number): number {
    return this.doubles[(slot << doublesShift) | double.asked]!;
  }
  /** Lots that an order by quantity still wants. */
  remaining(slot: number): number {
    return this.doubles[(slot << doublesShift) | double.counted]!;
  }
  /** Lots executed. */
  executed(slot: number): number {
    const counted = this.remaining(slot);
    return this.isByBudget(slot) ? counted : this.quantity(slot) - counted;
  }
  executedQuote(slot: number): number {
    return this.doubles[(slot << doublesShift) | double.executedQuote]!;
  }
  acceptedAt(slot: number): number {
    return this.doubles[(slot << doublesShift) | double.acceptedAt]!;
  }
  updatedAt(slot: number): number {
    return this.doubles[(slot << doublesShift) | double.updatedAt]!;
  }
  account(slot: number): AccountId {
    return this.words[(slot << wordsShift) | word.account]! as AccountId;
  }
  symbol(slot: number): SymbolId {
    return this.words[(slot << wordsShift) | word.symbol]! as SymbolId;
  }
  /** Its small facts in one word, see `order-flags.ts`. */
  flags(slot: number): number {
    return this.words[(slot << wordsShift) | word.flags]!;
  }
  /** 0 buys, 1 sells. */
  side(slot: number): number {
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
  /** Balance row that it gives from. */
  gives(slot: number): number {
    return this.words[(slot << wordsShift) | word.gives]!;
  }
  /** Balance row that it gets into. */
  gets(slot: number): number {
    return this.words[(slot << wordsShift) | word.gets]!;
  }
  /** Its hold; `noHold` when nothing is set aside for it. */
  hold(slot: number): number {
    return this.words[(slot << wordsShift) | word.hold]!;
  }
  setHold(slot: number, hold: number): void {
    this.words[(slot << wordsShift) | word.hold] = hold;
  }

  /** Level in whose queue it stands; -1: in none. */
  level(slot: number): number {
    return this.words[(slot << wordsShift) | word.level]!;
  }
  /** Line of that queue where it stands. */
  levelLine(slot: number): number {
    return this.words[(slot << wordsShift) | word.levelLine]!;
  }
  /** Notes where it stands now. */
  putInLevel(slot: number, level: number, line: number): void {
    const base = slot << wordsShift;
    this.words[base | word.level] = level;
    this.words[base | word.levelLine] = line;
  }
  leaveLevel(slot: number): void {
    this.words[(slot << wordsShift) | word.level] = nowhere;
  }
  /** Line of its account's open orders where it stands; -1: in none. */
  accountLine(slot: number): number {
    return this.words[(slot << wordsShift) | word.accountLine]!;
  }
  setAccountLine(slot: number, line: number): void {
    this.words[(slot << wordsShift) | word.accountLine] = line;
  }
  leaveAccount(slot: number): void {
    this.setAccountLine(slot, nowhere);
  }

  /** Counts a fill. */
  countFill(slot: number, lots: number, quoteAmount: number, at: number): void {
    const { doubles } = this;
    const base = slot << doublesShift;
    doubles[base | double.counted] = doubles[base | double.counted]! + (this.isByBudget(slot) ? lots : -lots);
    doubles[base | double.executedQuote] = doubles[base | double.executedQuote]! + quoteAmount;
    doubles[base | double.updatedAt] = at;
  }

  /** Marks a record closed. */
  close(slot: number, reason: CloseReason, at: number): void {
    const flags = (slot << wordsShift) | word.flags;
    this.words[flags] = withReason(this.words[flags]!, reason);
    this.doubles[(slot << doublesShift) | double.updatedAt] = at;
  }

  hasClientId(slot: number): boolean {
    return idLengthOfFlags(this.flags(slot)) > 0;
  }
  /** Hash under which the client id is found. */
  idHash(slot: number): number {
    return this.words[(slot << wordsShift) | word.idHash]!;
  }
  clientOrderId(slot: number): string | null {
    const length = idLengthOfFlags(this.flags(slot));
    return length === 0 ? null : textOfWords(this.words, (slot << wordsShift) | word.clientId, length);
  }
  /** Whether it is an order of this account with this client id. */
  hasId(slot: number, account: number, id: ClientOrderId): boolean {
    const { words } = this;
    const base = slot << wordsShift;
    if (words[base | word.account] !== account) return false;
    if (idLengthOfFlags(words[base | word.flags]!) !== id.length) return false;
    const end = wordsOf(id.length);
    for (let at = 0; at < end; at += 1) {
      if (words[base | (word.clientId + at)] !== id.words[at]) return false;
    }
    return true;
  }
  writeId(slot: number, id: ClientOrderId, hash: number): void {
    const { words } = this;
    const base = slot << wordsShift;
    words[base | word.flags] = withIdLength(words[base | word.flags]!, id.length);
    words[base | word.idHash] = hash;
    const end = wordsOf(id.length);
    for (let at = 0; at < end; at += 1) words[base | (word.clientId + at)] = id.words[at]!;
  }

  /** Writes what an image keeps of a record besides its symbol, its hold and its client id. */
  write(writer: ByteWriter, slot: number): void {
    for (let field = 0; field <= double.updatedAt; field += 1)
      writer.varint(this.doubles[(slot << doublesShift) + field]!);
    writer.varint(this.account(slot));
    writer.varint(withIdLength(this.flags(slot), 0));
  }

  /**
   * Reads what `write` wrote into a new record in no queue and no list; its rows and its hold are to be set. Answers
   * the slot.
   */
  read(reader: ByteReader, symbol: SymbolId): number {
    const slot = this.take();
    const base = slot << wordsShift;
    for (let field = 0; field <= double.updatedAt; field += 1)
      this.doubles[(slot << doublesShift) + field] = reader.varint();
    this.words[base | word.account] = reader.varint();
    this.words[base | word.flags] = reader.varint();
    this.words[base | word.symbol] = symbol;
    this.words[base | word.level] = nowhere;
    this.words[base | word.accountLine] = nowhere;
    this.words[base | word.hold] = noHold;
    return slot;
  }

  setRows(slot: number, gives: number, gets: number): void {
    const base = slot << wordsShift;
    this.words[base | word.gives] = gives;
    this.words[base | word.gets] = gets;
  }

  /** Notes both lines of a record. */
  note(slot: number): void {
    this.records.note(slot << wordsShift);
    this.records.note((slot << wordsShift) | 16);
  }

  /** Reads what was noted; what it answers means nothing. */
  readNoted(): number {
    return this.records.readNoted();
  }

  private grow(): void {
    this.records.grow();
    this.doubles = this.records.doubles;
    this.words = this.records.words;
  }
}
