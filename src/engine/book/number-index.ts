import { HashIndex } from '#base/hash-index.ts';
import { doublesShift, type OrderTable } from '#engine/book/order-table.ts';

/** Finds the slot of an order by its running number. */
export class NumberIndex {
  private readonly doubles: Float64Array;
  private readonly index = new HashIndex();

  constructor(orders: OrderTable) {
    this.doubles = orders.doubles;
  }

  /** The slot entered for this number, -1 if none. */
  find(number: number): number {
    const { index, doubles } = this;
    const hash = hashOf(number);
    for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
      const slot = index.reference(at);
      if (doubles[slot << doublesShift] === number) return slot;
    }
    return -1;
  }

  /** Enters an order whose record has its number. */
  add(slot: number): void {
    this.index.add(hashOf(this.doubles[slot << doublesShift]!), slot);
  }

  /** The order went to another slot and took its record with it. */
  move(from: number, to: number): void {
    this.index.replace(hashOf(this.doubles[to << doublesShift]!), from, to);
  }

  remove(slot: number): void {
    this.index.remove(hashOf(this.doubles[slot << doublesShift]!), slot);
  }
}

/** Two neighbours share a bucket, because orders that come together often go together. */
function hashOf(number: number): number {
  const low = number | 0;
  const mixed = Math.imul(low >>> 1, 0x9e3779b1) ^ Math.imul(number / 4294967296, 0x85ebca6b);
  return ((mixed ^ (mixed >>> 15)) & 0x7fffffff) | ((low & 1) << 31);
}
