import { HashIndex } from '#base/hash-index.ts';
import { Room } from '#base/room.ts';
import { noOrder, type OrderTable } from '#engine/book/order-table.ts';

/** Numbers that have a place of their own, by their last bits. */
export const places = 1 << 22;

/**
 * Finds an order by its running number, live or closed, as long as it has its slot. Most that is asked for came lately,
 * so each number has a place that it shares with those 4,194,304 before and behind it; an order whose place is taken by
 * a later one goes to an index.
 */
export class NumberIndex {
  private readonly orders: OrderTable;
  /** Slots by place, so written that untouched memory says `noOrder`. */
  private readonly late = new Room();
  private readonly old = new HashIndex();
  /** The greatest number that was entered: no number less than `places` below it has lost its place. */
  private newest = 0;

  constructor(orders: OrderTable) {
    this.orders = orders;
  }

  /** Slot of the order with this number, `noOrder` if there is none. */
  find(number: number): number {
    if (number <= this.newest - places) {
      const { old } = this;
      const hash = hashOf(number);
      for (let at = old.first(hash); at !== -1; at = old.next(at, hash)) {
        const slot = old.reference(at);
        if (this.numberOf(slot) === number) return slot;
      }
    }
    const late = this.lateAt(number);
    return late !== noOrder && this.numberOf(late) === number ? late : noOrder;
  }

  /** The slot that stands where a number would, if it came lately, to be looked at; `noOrder` if there is none. */
  lateAt(number: number): number {
    return this.late.words[placeOf(number)]! ^ noOrder;
  }

  /** Enters an order whose record has its number. */
  add(slot: number): void {
    const number = this.numberOf(slot);
    const before = this.lateAt(number);
    if (before !== noOrder) {
      const other = this.numberOf(before);
      if (other > number) {
        this.old.add(hashOf(number), slot);
        return;
      }
      this.old.add(hashOf(other), before);
    }
    this.put(number, slot);
    if (number > this.newest) this.newest = number;
  }

  /** Takes out an order. */
  remove(slot: number): void {
    const number = this.numberOf(slot);
    // Of most that is known without looking.
    if (number > this.newest - places || this.lateAt(number) === slot) this.put(number, noOrder);
    else this.old.remove(hashOf(number), slot);
  }

  private put(number: number, slot: number): void {
    this.late.words[placeOf(number)] = slot ^ noOrder;
  }

  private numberOf(slot: number): number {
    return this.orders.number(slot);
  }
}

const placeOf = (number: number): number => number & (places - 1);

/** Orders that came together often go together: numbers in a row go to buckets in a row, two by two. */
const hashOf = (number: number): number => ((number | 0) >>> 1) | (number << 31);
