import {
  closeReasons, orderKinds, statusOf, stpModes,
  type CloseReason, type OrderKind, type OrderStatus, type OrderView, type Side, type StpMode,
} from '#domain/order.ts';
import type { AccountId, Lots, OrderNumber, PriceTicks, Quanta, SymbolId, TimestampMs } from '#domain/units.ts';
import type { ClientIdTable } from '#engine/book/client-id-table.ts';

/** Doubles of an order's record. */
export const orderDouble = {
  number: 0, price: 1, quantity: 2, open: 3, budget: 4, executedQuote: 5, acceptedAt: 6, updatedAt: 7,
} as const;
/** Words of the same record; they start after the doubles. */
export const orderWord = {
  account: 16, symbol: 17, flags: 18, level: 19, next: 20, previous: 21, hold: 22, gives: 23, gets: 24, clientId: 25,
  nextOfAccount: 26, previousOfAccount: 27, fills: 28, stpGroups: 29,
} as const;

/** One record is 128 bytes, two cache lines: eight doubles, then sixteen words. */
export const doublesShift = 4;
export const wordsShift = 5;

/** Layout of the flags word: side 1 bit, kind 3, stp 2, close reason + 1 in 4, by quote amount 1. */
const sideBit = 1;
const kindAt = 1;
const stpAt = 4;
const reasonAt = 6;
const byBudgetBit = 1 << 10;

/** The small facts of an order in one word; a closed one adds its reason. */
export const packFlags = (side: number, kind: number, stp: number, byBudget: boolean): number =>
  side | (kind << kindAt) | (stp << stpAt) | (byBudget ? byBudgetBit : 0);
/** Whether a reason for the end was added. */
export const isClosedFlags = (flags: number): boolean => ((flags >> reasonAt) & 15) !== 0;
/** Index into `orderKinds`. */
export const kindOfFlags = (flags: number): number => (flags >> kindAt) & 7;
/** Index into `stpModes`. */
export const stpOfFlags = (flags: number): number => (flags >> stpAt) & 3;

/** Index into `orderKinds`; comparing names is comparing addresses, so this is faster than a search. */
export function kindCode(kind: OrderKind): number {
  switch (kind) {
    case 'limit': return 0;
    case 'postOnly': return 1;
    case 'immediateOrCancel': return 2;
    case 'fillOrKill': return 3;
    case 'market': return 4;
  }
}

/** Index into `stpModes`. */
export function stpCode(mode: StpMode): number {
  switch (mode) {
    case 'none': return 0;
    case 'cancelMaker': return 1;
    case 'cancelTaker': return 2;
    case 'cancelBoth': return 3;
  }
}

/** Records of orders, live and lately closed, addressed by slot; a slot is free again when its order is forgotten. */
export class OrderTable {
  doubles: Float64Array;
  words: Int32Array;
  /** Slots in use. */
  count = 0;
  private used = 0;
  private freeHead = -1;

  constructor(capacity = 1024) {
    const buffer = new ArrayBuffer(capacity * 128);
    this.doubles = new Float64Array(buffer);
    this.words = new Int32Array(buffer);
  }

  take(): number {
    this.count += 1;
    const slot = this.freeHead;
    if (slot >= 0) {
      this.freeHead = this.words[(slot << wordsShift) + orderWord.next]!;
      return slot;
    }
    if (this.used << doublesShift === this.doubles.length) this.grow();
    return this.used++;
  }

  give(slot: number): void {
    this.count -= 1;
    this.doubles[slot << doublesShift] = 0;
    this.words[(slot << wordsShift) + orderWord.next] = this.freeHead;
    this.freeHead = slot;
  }

  private grow(): void {
    const buffer = new ArrayBuffer(this.doubles.byteLength * 2);
    const doubles = new Float64Array(buffer);
    doubles.set(this.doubles);
    this.doubles = doubles;
    this.words = new Int32Array(buffer);
  }
}

/** Shows one record as the order its owner sees. Cheap to point elsewhere: `slot` is all there is to set. */
export class OrderCursor implements OrderView {
  slot = 0;
  private readonly table: OrderTable;
  private readonly clientIds: ClientIdTable;

  constructor(table: OrderTable, clientIds: ClientIdTable) {
    this.table = table;
    this.clientIds = clientIds;
  }

  at(slot: number): this {
    this.slot = slot;
    return this;
  }

  get order(): OrderNumber {
    return this.double(orderDouble.number) as OrderNumber;
  }
  get account(): AccountId {
    return this.word(orderWord.account) as AccountId;
  }
  get symbol(): SymbolId {
    return this.word(orderWord.symbol) as SymbolId;
  }
  get side(): Side {
    return (this.word(orderWord.flags) & sideBit) === 0 ? 'buy' : 'sell';
  }
  get kind(): OrderKind {
    return orderKinds[kindOfFlags(this.word(orderWord.flags))]!;
  }
  get stpMode(): StpMode {
    return stpModes[stpOfFlags(this.word(orderWord.flags))]!;
  }
  get price(): PriceTicks {
    return this.double(orderDouble.price) as PriceTicks;
  }
  /** The quantity asked for; 0 of an order by quote amount. */
  get askedQuantity(): Lots {
    return this.double(orderDouble.quantity) as Lots;
  }
  get quantity(): Lots {
    return (this.isByBudget ? this.executed : this.askedQuantity) as Lots;
  }
  get budget(): Quanta | null {
    return this.isByBudget ? (this.double(orderDouble.budget) as Quanta) : null;
  }
  get executed(): Lots {
    const open = this.double(orderDouble.open);
    return (this.isByBudget ? open : this.double(orderDouble.quantity) - open) as Lots;
  }
  get executedQuote(): Quanta {
    return this.double(orderDouble.executedQuote) as Quanta;
  }
  get clientOrderId(): string | null {
    const record = this.word(orderWord.clientId);
    return record < 0 ? null : this.clientIds.text(record);
  }
  get closeReason(): CloseReason | null {
    const reason = (this.word(orderWord.flags) >> reasonAt) & 15;
    return reason === 0 ? null : closeReasons[reason - 1]!;
  }
  get status(): OrderStatus {
    return statusOf(this.executed, this.closeReason);
  }
  get acceptedAt(): TimestampMs {
    return this.double(orderDouble.acceptedAt) as TimestampMs;
  }
  get updatedAt(): TimestampMs {
    return this.double(orderDouble.updatedAt) as TimestampMs;
  }
  /** Of an order by quote amount `open` counts what it has executed: it has no quantity to count down from. */
  get isByBudget(): boolean {
    return (this.word(orderWord.flags) & byBudgetBit) !== 0;
  }

  private double(field: number): number {
    return this.table.doubles[(this.slot << doublesShift) + field]!;
  }
  private word(field: number): number {
    return this.table.words[(this.slot << wordsShift) + field]!;
  }
}

/** Marks a record closed. */
export function closeRecord(table: OrderTable, slot: number, reason: CloseReason, now: TimestampMs): void {
  const at = (slot << wordsShift) + orderWord.flags;
  table.words[at] = table.words[at]! | ((closeReasons.indexOf(reason) + 1) << reasonAt);
  table.doubles[(slot << doublesShift) + orderDouble.updatedAt] = now;
}
