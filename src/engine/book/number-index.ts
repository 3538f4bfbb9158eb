import { assert } from '#base/assert.ts';
import { HashIndex } from '#base/hash-index.ts';
import { Room } from '#base/room.ts';
import { doublesShift, type OrderTable } from '#engine/book/order-table.ts';

/** A page is a cache line: slot + 1 of sixteen numbers that follow each other. */
const pageShift = 4;
const pageSize = 1 << pageShift;

/**
 * Finds the slot of an order by its running number. Orders that come together often go together, so the slots of sixteen
 * numbers in a row stand side by side, and the index of such pages stays small.
 */
export class NumberIndex {
  private readonly orders: OrderTable;
  private readonly index = new HashIndex();
  private readonly slots = new Room();
  /** Per page 16 bytes: which sixteen numbers, then how many of them are there; of a free page the next free one. */
  private readonly pages = new Room();
  private used = 0;
  private freePage = -1;

  constructor(orders: OrderTable) {
    this.orders = orders;
  }

  /** The slot entered for this number, -1 if none. */
  find(number: number): number {
    const page = this.pageOf(Math.floor(number / pageSize));
    if (page < 0) return -1;
    const slot = this.slots.words[(page << pageShift) + (number & (pageSize - 1))]! - 1;
    return slot >= 0 && this.orders.doubles[slot << doublesShift] === number ? slot : -1;
  }

  /** The slot that stands at a position now, see `add`. */
  slotAt(position: number): number {
    return this.slots.words[position]! - 1;
  }

  /** Enters an order whose record has its number; answers a position that stays the order's wherever its record goes. */
  add(slot: number): number {
    const number = this.orders.doubles[slot << doublesShift]!;
    const key = Math.floor(number / pageSize);
    const known = this.pageOf(key);
    const page = known < 0 ? this.takePage(key) : known;
    const position = (page << pageShift) + (number & (pageSize - 1));
    this.slots.words[position] = slot + 1;
    this.pages.words[(page << 2) + 2]! += 1;
    return position;
  }

  /** The order went to another slot and took its record with it. */
  move(to: number): void {
    const number = this.orders.doubles[to << doublesShift]!;
    const page = this.pageOf(Math.floor(number / pageSize));
    this.slots.words[(page << pageShift) + (number & (pageSize - 1))] = to + 1;
  }

  /** Takes out an order that was entered; answers the position that it had. */
  remove(slot: number): number {
    const number = this.orders.doubles[slot << doublesShift]!;
    const key = Math.floor(number / pageSize);
    const page = this.pageOf(key);
    const at = (page << pageShift) + (number & (pageSize - 1));
    assert(page >= 0 && this.slots.words[at] === slot + 1, 'an order that leaves was indexed');
    this.slots.words[at] = 0;
    const { words } = this.pages;
    const count = words[(page << 2) + 2]! - 1;
    words[(page << 2) + 2] = count;
    if (count === 0) {
      this.index.remove(hashOf(key), page);
      words[(page << 2) + 3] = this.freePage;
      this.freePage = page;
    }
    return at;
  }

  private pageOf(key: number): number {
    const { index } = this;
    const hash = hashOf(key);
    const { doubles } = this.pages;
    for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
      const page = index.reference(at);
      if (doubles[page << 1] === key) return page;
    }
    return -1;
  }

  private takePage(key: number): number {
    let page = this.freePage;
    if (page >= 0) {
      this.freePage = this.pages.words[(page << 2) + 3]!;
    } else {
      if ((this.used + 1) << pageShift > this.slots.words.length) this.slots.grow();
      if ((this.used + 1) << 2 > this.pages.words.length) this.pages.grow();
      page = this.used++;
    }
    this.pages.doubles[page << 1] = key;
    this.index.add(hashOf(key), page);
    return page;
  }
}

function hashOf(key: number): number {
  const mixed = Math.imul(key | 0, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
