import {
  closeReasons,
  orderKinds,
  statusOf,
  stpModes,
  type CloseReason,
  type OrderKind,
  type OrderStatus,
  type OrderView,
  type Side,
  type StpMode,
} from '#domain/order.ts';
import type { AccountId, Lots, OrderNumber, PriceTicks, Quanta, SymbolId, TimestampMs } from '#domain/units.ts';
import { Room } from '#base/room.ts';
import { textOfWords } from '#domain/client-order-id.ts';

/** Doubles of an order's record. `asked` is the quantity asked for, or the quote amount of an order by budget. */
export const orderDouble = {
  number: 0,
  price: 1,
  asked: 2,
  open: 3,
  executedQuote: 4,
  acceptedAt: 5,
  updatedAt: 6,
} as const;
/**
 * Words of the same record; they start after the doubles. Behind `idHash` they matter only while the order lives:
 * `level` and `levelLine` place it in its queue, `accountLine` in its account's list; -1 where it stands in none.
 */
export const orderWord = {
  account: 14,
  symbol: 15,
  flags: 16,
  clientId: 17,
  idHash: 24,
  level: 25,
  levelLine: 26,
  accountLine: 27,
  gives: 30,
  gets: 31,
} as const;

/** What an index answers instead of a slot where there is no such order. */
export const noOrder = -1;

/** One record is 128 bytes, two cache lines: seven doubles, fourteen words, a double for the hold, and two words. */
export const doublesShift = 4;
export const wordsShift = 5;
/** What an order holds stands in its record, beside the row that it gives from. */
export const orderHold = { shift: doublesShift, amount: 14, row: orderWord.gives } as const;

/**
 * Layout of the flags word: side 1 bit, kind 3, stp 2, close reason + 1 in 4, by quote amount 1, length of the client
 * id 6.
 */
const sideBit = 1;
const kindAt = 1;
const stpAt = 4;
const reasonAt = 6;
const byBudgetBit = 1 << 10;
const idLengthAt = 11;

/** The small facts of an order in one word; a closed one adds its reason. */
export const packFlags = (side: number, kind: number, stp: number, byBudget: boolean): number =>
  side | (kind << kindAt) | (stp << stpAt) | (byBudget ? byBudgetBit : 0);
/** The flags with the length of the client id, 0 when there is none. */
export const withIdLength = (flags: number, length: number): number =>
  (flags & ((1 << idLengthAt) - 1)) | (length << idLengthAt);
/** Length of the client id, 0 when there is none. */
export const idLengthOfFlags = (flags: number): number => flags >>> idLengthAt;
/** Whether the order is by quote amount. */
export const isByBudgetFlags = (flags: number): boolean => (flags & byBudgetBit) !== 0;
/** Whether the order is closed. */
export const isClosedFlags = (flags: number): boolean => ((flags >> reasonAt) & 15) !== 0;
/** Index into `orderKinds`. */
export const kindOfFlags = (flags: number): number => (flags >> kindAt) & 7;
/** Index into `stpModes`. */
export const stpOfFlags = (flags: number): number => (flags >> stpAt) & 3;

/** Index into `orderKinds`; comparing names is comparing addresses, so this is faster than a search. */
export function kindCode(kind: OrderKind): number {
  switch (kind) {
    case 'limit':
      return 0;
    case 'postOnly':
      return 1;
    case 'immediateOrCancel':
      return 2;
    case 'fillOrKill':
      return 3;
    case 'market':
      return 4;
  }
}

/** Index into `stpModes`. */
export function stpCode(mode: StpMode): number {
  switch (mode) {
    case 'none':
      return 0;
    case 'cancelMaker':
      return 1;
    case 'cancelTaker':
      return 2;
    case 'cancelBoth':
      return 3;
  }
}

/** Index into `closeReasons`, from 1. */
function reasonCode(reason: CloseReason): number {
  switch (reason) {
    case 'filled':
      return 1;
    case 'byUser':
      return 2;
    case 'stp':
      return 3;
    case 'unfilledRest':
      return 4;
    case 'collar':
      return 5;
    case 'byExchange':
      return 6;
  }
}

/**
 * Records of orders by slot: of live ones, and of closed ones as long as their client ids are kept. The slot that was
 * given back last is the next to be taken: it is at hand.
 */
export class OrderTable {
  readonly records = new Room();
  private used = 0;
  /** Slots that were given back; the last one is the next to be taken. */
  private readonly free = new Room();
  private freeCount = 0;

  /** Views of all records; taking a slot may replace them. */
  doubles: Float64Array = this.records.doubles;
  words: Int32Array = this.records.words;

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

/** Shows one record as the order its owner sees. Cheap to point elsewhere. */
export class OrderCursor implements OrderView {
  private readonly records: Room;
  private double = 0;
  private word = 0;

  constructor(table: OrderTable) {
    this.records = table.records;
  }

  /** Points at an order. */
  at(slot: number): this {
    this.double = slot << doublesShift;
    this.word = slot << wordsShift;
    return this;
  }

  get order(): OrderNumber {
    return this.records.doubles[this.double] as OrderNumber;
  }
  get account(): AccountId {
    return this.records.words[this.word | orderWord.account] as AccountId;
  }
  get symbol(): SymbolId {
    return this.records.words[this.word | orderWord.symbol] as SymbolId;
  }
  get side(): Side {
    return (this.flags & sideBit) === 0 ? 'buy' : 'sell';
  }
  get kind(): OrderKind {
    return orderKinds[kindOfFlags(this.flags)]!;
  }
  get stpMode(): StpMode {
    return stpModes[stpOfFlags(this.flags)]!;
  }
  get price(): PriceTicks {
    return this.records.doubles[this.double | orderDouble.price] as PriceTicks;
  }
  /** The quantity asked for; 0 of an order by quote amount. */
  get askedQuantity(): Lots {
    return (this.isByBudget ? 0 : this.records.doubles[this.double | orderDouble.asked]!) as Lots;
  }
  get quantity(): Lots {
    // Of an order by quote amount `open` counts what it has executed: it has no quantity to count down from.
    return this.records.doubles[this.double + (this.isByBudget ? orderDouble.open : orderDouble.asked)] as Lots;
  }
  get budget(): Quanta | null {
    return this.isByBudget ? (this.records.doubles[this.double | orderDouble.asked] as Quanta) : null;
  }
  get executed(): Lots {
    const open = this.records.doubles[this.double | orderDouble.open]!;
    return (this.isByBudget ? open : this.records.doubles[this.double | orderDouble.asked]! - open) as Lots;
  }
  get executedQuote(): Quanta {
    return this.records.doubles[this.double | orderDouble.executedQuote] as Quanta;
  }
  get clientOrderId(): string | null {
    const length = idLengthOfFlags(this.flags);
    return length === 0 ? null : textOfWords(this.records.words, this.word | orderWord.clientId, length);
  }
  get closeReason(): CloseReason | null {
    const reason = (this.flags >> reasonAt) & 15;
    return reason === 0 ? null : closeReasons[reason - 1]!;
  }
  get status(): OrderStatus {
    return statusOf(this.executed, this.closeReason);
  }
  get acceptedAt(): TimestampMs {
    return this.records.doubles[this.double | orderDouble.acceptedAt] as TimestampMs;
  }
  get updatedAt(): TimestampMs {
    return this.records.doubles[this.double | orderDouble.updatedAt] as TimestampMs;
  }
  get isByBudget(): boolean {
    return (this.flags & byBudgetBit) !== 0;
  }

  private get flags(): number {
    return this.records.words[this.word | orderWord.flags]!;
  }
}

/** Marks a record closed. */
export function closeRecord(table: OrderTable, slot: number, reason: CloseReason, now: TimestampMs): void {
  const at = (slot << wordsShift) | orderWord.flags;
  table.words[at] = table.words[at]! | (reasonCode(reason) << reasonAt);
  table.doubles[(slot << doublesShift) | orderDouble.updatedAt] = now;
}
