import { HashIndex } from '#base/hash-index.ts';
import { doublesPerClosed, type ClosedOrders } from '#engine/book/closed-orders.ts';
import { doublesShift, type OrderTable } from '#engine/book/order-table.ts';
import { noOrder } from '#engine/book/order-reference.ts';

/** Finds an order by its running number, live or closed, as long as its record is kept. */
export class NumberIndex {
  private readonly orders: OrderTable;
  private readonly closed: ClosedOrders;
  private readonly index = new HashIndex();

  constructor(orders: OrderTable, closed: ClosedOrders) {
    this.orders = orders;
    this.closed = closed;
  }

  /** Slot of the live order, -1 if none has this number. */
  findLive(number: number): number {
    const reference = this.find(number);
    return reference < 0 || reference === noOrder ? -1 : reference;
  }

  /** Reference to the order, `noOrder` if none has this number. */
  find(number: number): number {
    const { index } = this;
    const hash = hashOf(number);
    for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
      const reference = index.reference(at);
      if (!index.isFaded(reference) && this.numberOf(reference) === number) return reference;
    }
    return noOrder;
  }

  /** Enters a live order whose record has its number. */
  add(slot: number): void {
    this.index.add(hashOf(this.orders.doubles[slot << doublesShift]!), slot);
  }

  /** Takes out a live order. */
  remove(slot: number): void {
    this.index.remove(hashOf(this.orders.doubles[slot << doublesShift]!), slot);
  }

  /** The order closed; its record has gone to another place, and its slot is still its own. */
  close(slot: number, turn: number, isEntered: boolean): void {
    const { index } = this;
    index.keep(this.closed.earliest, this.closed.end);
    const hash = hashOf(this.orders.doubles[slot << doublesShift]!);
    if (isEntered) index.replace(hash, slot, HashIndex.fading(turn));
    else index.add(hash, HashIndex.fading(turn));
  }

  private numberOf(reference: number): number {
    if (reference >= 0) return this.orders.doubles[reference << doublesShift]!;
    const { closed } = this;
    return closed.records.doubles[closed.position(HashIndex.turnOf(reference)) * doublesPerClosed]!;
  }
}

/**
 * Numbers that follow each other go to buckets that follow each other, two by two: orders that come together often go
 * together, and the index is walked rather than jumped through.
 */
function hashOf(number: number): number {
  const low = number | 0;
  return (low >>> 1) | (low << 31);
}
