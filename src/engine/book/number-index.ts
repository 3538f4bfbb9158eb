import { HashIndex } from '#base/hash-index.ts';
import { doublesPerClosed, type ClosedOrders } from '#engine/book/closed-orders.ts';
import { closedReference, noOrder, turnOf } from '#engine/book/order-reference.ts';
import { doublesShift, type OrderTable } from '#engine/book/order-table.ts';

/** Numbers that have a place of their own, by their last bits. */
const places = 1 << 17;

/**
 * Finds an order by its running number, live or closed, as long as its record is kept. Most that is asked for came
 * lately, so each number has a place that it shares with those 131,072 before and behind it; an order whose place is
 * taken by a later one goes to an index.
 */
export class NumberIndex {
  private readonly orders: OrderTable;
  private readonly closed: ClosedOrders;
  /** By place: a reference, and the last 32 bits of its order's number, so that nobody need look at the record. */
  private readonly late = new Int32Array(places * 2).fill(noOrder);
  private readonly old = new HashIndex();
  /** The greatest number that was ever forgotten: those above it need no looking after. */
  private forgottenUpTo = 0;

  constructor(orders: OrderTable, closed: ClosedOrders) {
    this.orders = orders;
    this.closed = closed;
  }

  /** Reference to the order with this number, `noOrder` if there is none. */
  find(number: number): number {
    const late = this.lateWith(number | 0);
    if (late !== noOrder && this.numberOf(late) === number) return late;
    const { old } = this;
    const hash = hashOf(number | 0);
    for (let at = old.first(hash); at !== -1; at = old.next(at, hash)) {
      const reference = old.reference(at);
      if (this.numberOf(reference) === number) return reference;
    }
    return noOrder;
  }

  /** Reference to the late order whose number has these last 32 bits, `noOrder` if there is none. */
  lateWith(low: number): number {
    const place = placeOf(low);
    return this.late[place + 1] === low ? this.late[place]! : noOrder;
  }

  /** References to the other orders whose numbers have these last 32 bits. */
  oldWith(low: number): number[] {
    const { old } = this;
    const found: number[] = [];
    const hash = hashOf(low);
    for (let at = old.first(hash); at !== -1; at = old.next(at, hash)) found.push(old.reference(at));
    return found;
  }

  /** Whether there is an order whose number has these last 32 bits, of one that was entered. */
  has(low: number): boolean {
    if (((low - this.forgottenUpTo) | 0) > 0) return true;
    return this.lateWith(low) !== noOrder || this.old.first(hashOf(low)) !== -1;
  }

  /** Enters a live order whose record has its number. */
  add(slot: number): void {
    this.enter(this.orders.doubles[slot << doublesShift]!, slot);
  }

  /** Takes out a live order. */
  remove(slot: number): void {
    this.drop(this.orders.doubles[slot << doublesShift]!, slot);
  }

  /** The order closed; its record has gone to its turn, and its slot is still its own. */
  close(slot: number, turn: number, isEntered: boolean): void {
    const number = this.orders.doubles[slot << doublesShift]!;
    const place = placeOf(number);
    const reference = closedReference(turn);
    if (!isEntered) this.enter(number, reference);
    else if (this.late[place] === slot) this.late[place] = reference;
    else this.old.replace(hashOf(number | 0), slot, reference);
  }

  /** Takes out a closed order whose record is there still. */
  forget(turn: number): void {
    const reference = closedReference(turn);
    const number = this.numberOf(reference);
    if (number > this.forgottenUpTo) this.forgottenUpTo = number;
    this.drop(number, reference);
  }

  private enter(number: number, reference: number): void {
    const { late } = this;
    const place = placeOf(number);
    const before = late[place]!;
    if (before !== noOrder) this.old.add(hashOf(late[place + 1]!), before);
    late[place] = reference;
    late[place + 1] = number;
  }

  private drop(number: number, reference: number): void {
    const place = placeOf(number);
    if (this.late[place] === reference) this.late[place] = noOrder;
    else this.old.remove(hashOf(number | 0), reference);
  }

  private numberOf(reference: number): number {
    return reference >= 0
      ? this.orders.doubles[reference << doublesShift]!
      : this.closed.records.doubles[this.closed.position(turnOf(reference)) * doublesPerClosed]!;
  }
}

const placeOf = (number: number): number => (number & (places - 1)) << 1;

/**
 * Orders that came together often go together: numbers in a row go to buckets in a row, two by two. Of numbers that
 * agree in their last 32 bits, and of no others, the hashes are the same.
 */
const hashOf = (low: number): number => (low >>> 1) | (low << 31);
