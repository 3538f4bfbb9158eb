import { HashIndex } from '#base/hash-index.ts';
import { Room } from '#base/room.ts';
import { forgottenAtOnce, type ClosedOrders } from '#engine/book/closed-orders.ts';
import { closedReference, noOrder, turnOf } from '#engine/book/order-reference.ts';
import { doublesShift, type OrderTable } from '#engine/book/order-table.ts';

/** Numbers that have a place of their own, by their last bits. */
export const places = 1 << 22;

/**
 * Finds an order by its running number, live or closed, as long as its record is kept. Most that is asked for came
 * lately, so each number has a place that it shares with those 4,194,304 before and behind it; an order whose place is
 * taken by a later one goes to an index. The place of a closed order that was forgotten is not looked after: what
 * stands in it stands for nothing.
 */
export class NumberIndex {
  private readonly orders: OrderTable;
  private readonly closed: ClosedOrders;
  /** References by place, so written that untouched memory says `noOrder`. */
  private readonly late = new Room();
  private readonly old = new HashIndex();
  /** The greatest number that was entered: no number less than `places` below it has lost its place. */
  private newest = 0;

  constructor(orders: OrderTable, closed: ClosedOrders) {
    this.orders = orders;
    this.closed = closed;
  }

  /** Takes the memory of all places. */
  takeMemory(): void {
    this.late.take(places);
  }

  /** Reference to the order with this number, `noOrder` if there is none. */
  find(number: number): number {
    if (number <= this.newest - places) {
      const { old } = this;
      const hash = hashOf(number | 0);
      for (let at = old.first(hash); at !== -1; at = old.next(at, hash)) {
        const reference = old.reference(at);
        if (this.numberOf(reference) === number) return reference;
      }
    }
    const late = this.at(placeOf(number));
    return this.isThere(late) && this.numberOf(late) === number ? late : noOrder;
  }

  /** Notes where a number is looked for. */
  note(number: number): void {
    if (number <= this.newest - places) this.old.note(hashOf(number | 0));
    else this.late.note(placeOf(number));
  }

  /** Reads what was noted; what it answers means nothing. */
  readNoted(): number {
    return this.old.readNoted() ^ this.late.readNoted();
  }

  /** What stands where a number would, if it came lately: a reference to be looked at, `noOrder` if there is none. */
  lateAt(number: number): number {
    const late = this.at(placeOf(number));
    return this.isThere(late) ? late : noOrder;
  }

  /** References to the other orders whose numbers may have these last 32 bits. */
  oldWith(low: number): number[] {
    const { old } = this;
    const found: number[] = [];
    const hash = hashOf(low);
    for (let at = old.first(hash); at !== -1; at = old.next(at, hash)) found.push(old.reference(at));
    return found;
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
    const reference = closedReference(turn);
    if (!isEntered) this.enter(number, reference);
    else if (this.hasPlace(number, slot)) this.put(placeOf(number), reference);
    else this.old.replace(hashOf(number | 0), slot, reference);
  }

  /** Takes out the earliest closed orders, `forgottenAtOnce` of them; their records are there still. */
  forgetClosed(): void {
    const { earliest, records } = this.closed;
    for (let turn = earliest; turn < earliest + forgottenAtOnce; turn += 1) {
      const number = records.doubles[this.closed.position(turn) << doublesShift]!;
      const reference = closedReference(turn);
      if (!this.hasPlace(number, reference)) this.old.remove(hashOf(number | 0), reference);
    }
  }

  private enter(number: number, reference: number): void {
    const place = placeOf(number);
    const before = this.at(place);
    if (this.isThere(before)) {
      const other = this.numberOf(before);
      if (other > number) {
        this.old.add(hashOf(number | 0), reference);
        return;
      }
      this.old.add(hashOf(other | 0), before);
    }
    this.put(place, reference);
    if (number > this.newest) this.newest = number;
  }

  private drop(number: number, reference: number): void {
    if (this.hasPlace(number, reference)) this.put(placeOf(number), noOrder);
    else this.old.remove(hashOf(number | 0), reference);
  }

  /** Whether an order that was entered has its place still. Of most that is known without looking. */
  private hasPlace(number: number, reference: number): boolean {
    return number > this.newest - places || this.at(placeOf(number)) === reference;
  }

  private at(place: number): number {
    return this.late.words[place]! ^ noOrder;
  }

  private put(place: number, reference: number): void {
    this.late.words[place] = reference ^ noOrder;
  }

  /** Whether what stands in a place stands for an order. */
  private isThere(reference: number): boolean {
    return reference >= 0 ? reference !== noOrder : this.closed.isKept(turnOf(reference));
  }

  private numberOf(reference: number): number {
    return reference >= 0
      ? this.orders.doubles[reference << doublesShift]!
      : this.closed.records.doubles[this.closed.position(turnOf(reference)) << doublesShift]!;
  }
}

const placeOf = (number: number): number => number & (places - 1);

/**
 * Orders that came together often go together: numbers in a row go to buckets in a row, two by two. Of numbers that
 * agree in their last 32 bits, and of no others, the hashes are the same.
 */
const hashOf = (low: number): number => (low >>> 1) | (low << 31);
