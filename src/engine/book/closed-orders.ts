import { Room } from '#base/room.ts';
import { engineLimits } from '#domain/limits.ts';
import { wordsOf } from '#engine/book/client-id-text.ts';
import {
  doublesShift,
  idLengthOfFlags,
  orderDouble,
  orderWord,
  wordsShift,
  type OrderTable,
} from '#engine/book/order-table.ts';

/** A record is 96 bytes: what comes before `idHash` in the record of a live order. */
export const doublesPerClosed = 12;
export const wordsPerClosed = 24;
/** So many closed orders are forgotten together when one more closes: their list shrinks once time has passed. */
export const forgottenAtOnce = 8;
const recordsAtFirst = 4096;

/** Whether an order that closed then has lost its client id by now. decisions.md section 1, Client order ids. */
export const isIdFree = (closedAt: number, now: number): boolean => closedAt + engineLimits.clientOrderIdKeptMs < now;

/**
 * Closed orders whose client ids are still kept, in the order in which they closed: a ring that is written on and
 * forgotten from behind. Each order has a turn, a running number.
 */
export class ClosedOrders {
  readonly records = new Room(recordsAtFirst * doublesPerClosed * 8);
  /** Turns of the earliest order and of the next one to come. */
  earliest = 0;
  end = 0;
  private capacity = recordsAtFirst;

  /** Position of a record, whose turn may have been cut to 31 bits. */
  position(turn: number): number {
    return turn & (this.capacity - 1);
  }

  /** Whether so many orders, the earliest ones, have lost their client ids. */
  areOver(count: number, now: number): boolean {
    return this.end - this.earliest >= count && this.isOver(this.earliest + count - 1, now);
  }

  /** Whether a reference stands for an order that is kept, given those bits of its turn that a reference has. */
  isKept(turn: number): boolean {
    return ((turn - this.earliest) & 0x7fffffff) < this.end - this.earliest;
  }

  /** Copies the record of a closed order; answers its turn. */
  add(orders: OrderTable, slot: number): number {
    if (this.end - this.earliest === this.capacity) this.grow();
    const turn = this.end;
    this.end += 1;
    const position = this.position(turn);
    const { doubles, words } = this.records;
    const double = position * doublesPerClosed;
    for (let field = 0; field <= orderDouble.updatedAt; field += 1)
      doubles[double + field] = orders.doubles[(slot << doublesShift) + field]!;
    const word = position * wordsPerClosed;
    const from = slot << wordsShift;
    const end = orderWord.clientId + wordsOf(idLengthOfFlags(orders.words[from + orderWord.flags]!));
    for (let field = orderWord.account; field < end; field += 1) words[word + field] = orders.words[from + field]!;
    return turn;
  }

  /** Turns of the orders whose ids are kept now, the earliest closed first. */
  turns(now: number): number[] {
    const turns: number[] = [];
    for (let turn = this.earliest; turn < this.end; turn += 1) if (!this.isOver(turn, now)) turns.push(turn);
    return turns;
  }

  private isOver(turn: number, now: number): boolean {
    return isIdFree(this.records.doubles[this.position(turn) * doublesPerClosed + orderDouble.updatedAt]!, now);
  }

  private grow(): void {
    const before = this.capacity;
    this.records.grow();
    this.capacity *= 2;
    const { words } = this.records;
    for (let turn = this.earliest; turn < this.end; turn += 1) {
      const from = (turn & (before - 1)) * wordsPerClosed;
      const to = this.position(turn) * wordsPerClosed;
      if (to !== from) words.copyWithin(to, from, from + wordsPerClosed);
    }
  }
}
