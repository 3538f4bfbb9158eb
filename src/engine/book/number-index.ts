import { HashIndex } from '#base/hash-index.ts';
import { noOrder, type OrderTable } from '#engine/book/order-table.ts';

/** Finds an order by its number: an open one, or a closed one that still has its record. */
export class NumberIndex {
  private readonly orders: OrderTable;
  /** Slots of the orders. */
  private readonly index = new HashIndex();

  constructor(orders: OrderTable) {
    this.orders = orders;
  }

  /** Slot of the order with this number, `noOrder` if there is none. */
  lookup(number: number): number {
    const { index, orders } = this;
    const hash = hashOf(number);
    for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
      const slot = index.reference(at);
      if (orders.number(slot) === number) return slot;
    }
    return noOrder;
  }

  /** Adds an order whose record has its number. */
  insert(slot: number): void {
    this.index.insert(hashOf(this.orders.number(slot)), slot);
  }

  /** Removes an order. */
  remove(slot: number): void {
    this.index.remove(hashOf(this.orders.number(slot)), slot);
  }
}

/** Two consecutive numbers share a bucket: orders that came together often end together. */
const hashOf = (number: number): number => ((number | 0) >>> 1) | (number << 31);
