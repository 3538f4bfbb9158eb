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
import { textOfRecord } from '#engine/book/client-id-text.ts';

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
/** Words of the same record; they start after the doubles. From `level` on they matter only while the order lives. */
export const orderWord = {
  account: 14,
  symbol: 15,
  flags: 16,
  clientId: 17,
  level: 24,
  next: 25,
  previous: 26,
  hold: 27,
  gives: 28,
  gets: 29,
  nextOfAccount: 30,
  previousOfAccount: 31,
} as const;

/** One record is 128 bytes, two cache lines: seven doubles, then eighteen words. */
export const doublesShift = 4;
export const wordsShift = 5;

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
/** Whether a reason for the end was added. */
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

/** Slots that closed orders get in one go; they close and are forgotten in nearly the same order. */
const blockShift = 6;
const blockSize = 1 << blockShift;

/**
 * Records of orders, addressed by slot; a slot is free again when its order is forgotten. Live orders take the slot
 * that was freed last; closed ones move to slots side by side, so that keeping and forgetting them walks through
 * memory.
 */
export class OrderTable {
  /** Slots in use. */
  count = 0;
  private readonly room = new Room();
  private used = 0;
  private freeHead = -1;
  private closedAt = 0;
  private readonly freeBlocks: number[] = [];
  /** Closed orders in each block that has or had any. */
  private readonly closedIn: number[] = [];

  /** Views of all records; whatever takes or moves an order may replace them. */
  doubles: Float64Array = this.room.doubles;
  words: Int32Array = this.room.words;

  /** A slot for a live order. */
  take(): number {
    this.count += 1;
    const slot = this.freeHead;
    if (slot < 0) return this.takeFresh();
    this.freeHead = this.words[(slot << wordsShift) + orderWord.next]!;
    return slot;
  }

  give(slot: number): void {
    this.count -= 1;
    this.doubles[slot << doublesShift] = 0;
    this.words[(slot << wordsShift) + orderWord.next] = this.freeHead;
    this.freeHead = slot;
  }

  /** Moves what stays of a closed order to a slot among closed ones; answers that slot. */
  moveToClosed(from: number): number {
    if ((this.closedAt & (blockSize - 1)) === 0) this.closedAt = this.takeBlock() << blockShift;
    const { doubles, words } = this;
    const to = this.closedAt++;
    this.closedIn[to >>> blockShift]! += 1;
    const double = to << doublesShift;
    for (let field = 0; field <= orderDouble.updatedAt; field += 1)
      doubles[double + field] = doubles[(from << doublesShift) + field]!;
    const word = to << wordsShift;
    for (let field = orderWord.account; field < orderWord.level; field += 1)
      words[word + field] = words[(from << wordsShift) + field]!;
    words[word + orderWord.level] = -1;
    words[word + orderWord.hold] = -1;
    this.count += 1;
    this.give(from);
    return to;
  }

  giveClosed(slot: number): void {
    const block = slot >>> blockShift;
    this.count -= 1;
    this.doubles[slot << doublesShift] = 0;
    this.closedIn[block]! -= 1;
    const isFilling = block === this.closedAt >>> blockShift && (this.closedAt & (blockSize - 1)) !== 0;
    if (this.closedIn[block] === 0 && !isFilling) this.freeBlocks.push(block);
  }

  private takeFresh(): number {
    if (this.used << doublesShift === this.doubles.length) this.grow();
    return this.used++;
  }

  private grow(): void {
    this.room.grow();
    this.doubles = this.room.doubles;
    this.words = this.room.words;
  }

  private takeBlock(): number {
    const reused = this.freeBlocks.pop();
    if (reused !== undefined) return reused;
    while ((this.used & (blockSize - 1)) !== 0) {
      this.count += 1;
      this.give(this.takeFresh());
    }
    if (this.used << doublesShift === this.doubles.length) this.grow();
    const block = this.used >>> blockShift;
    this.used += blockSize;
    while (this.closedIn.length <= block) this.closedIn.push(0);
    return block;
  }
}

/** Shows one record as the order its owner sees. Cheap to point elsewhere: `slot` is all there is to set. */
export class OrderCursor implements OrderView {
  slot = 0;
  private readonly table: OrderTable;

  constructor(table: OrderTable) {
    this.table = table;
  }

  at(slot: number): this {
    this.slot = slot;
    return this;
  }

  get order(): OrderNumber {
    return this.table.doubles[this.slot << doublesShift] as OrderNumber;
  }
  get account(): AccountId {
    return this.table.words[(this.slot << wordsShift) + orderWord.account] as AccountId;
  }
  get symbol(): SymbolId {
    return this.table.words[(this.slot << wordsShift) + orderWord.symbol] as SymbolId;
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
    return this.table.doubles[(this.slot << doublesShift) + orderDouble.price] as PriceTicks;
  }
  /** The quantity asked for; 0 of an order by quote amount. */
  get askedQuantity(): Lots {
    return (this.isByBudget ? 0 : this.table.doubles[(this.slot << doublesShift) + orderDouble.asked]!) as Lots;
  }
  get quantity(): Lots {
    // Of an order by quote amount `open` counts what it has executed: it has no quantity to count down from.
    return this.table.doubles[
      (this.slot << doublesShift) + (this.isByBudget ? orderDouble.open : orderDouble.asked)
    ] as Lots;
  }
  get budget(): Quanta | null {
    return this.isByBudget ? (this.table.doubles[(this.slot << doublesShift) + orderDouble.asked] as Quanta) : null;
  }
  get executed(): Lots {
    const double = this.slot << doublesShift;
    const open = this.table.doubles[double + orderDouble.open]!;
    return (this.isByBudget ? open : this.table.doubles[double + orderDouble.asked]! - open) as Lots;
  }
  get executedQuote(): Quanta {
    return this.table.doubles[(this.slot << doublesShift) + orderDouble.executedQuote] as Quanta;
  }
  get clientOrderId(): string | null {
    const length = idLengthOfFlags(this.flags);
    return length === 0 ? null : textOfRecord(this.table.words, (this.slot << wordsShift) + orderWord.clientId, length);
  }
  get closeReason(): CloseReason | null {
    const reason = (this.flags >> reasonAt) & 15;
    return reason === 0 ? null : closeReasons[reason - 1]!;
  }
  get status(): OrderStatus {
    return statusOf(this.executed, this.closeReason);
  }
  get acceptedAt(): TimestampMs {
    return this.table.doubles[(this.slot << doublesShift) + orderDouble.acceptedAt] as TimestampMs;
  }
  get updatedAt(): TimestampMs {
    return this.table.doubles[(this.slot << doublesShift) + orderDouble.updatedAt] as TimestampMs;
  }
  get isByBudget(): boolean {
    return (this.flags & byBudgetBit) !== 0;
  }

  private get flags(): number {
    return this.table.words[(this.slot << wordsShift) + orderWord.flags]!;
  }
}

/** Marks a record closed. */
export function closeRecord(table: OrderTable, slot: number, reason: CloseReason, now: TimestampMs): void {
  const at = (slot << wordsShift) + orderWord.flags;
  table.words[at] = table.words[at]! | (reasonCode(reason) << reasonAt);
  table.doubles[(slot << doublesShift) + orderDouble.updatedAt] = now;
}
