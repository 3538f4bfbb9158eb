import { assert, InvariantBroken } from '#base/assert.ts';
import { HashIndex } from '#base/hash-index.ts';
import { Room } from '#base/room.ts';
import { doublesShift, type OrderTable } from '#engine/book/order-table.ts';

/** A page is a cache line: slot + 1 of sixteen numbers that follow each other. */
const pageShift = 4;
const pageSize = 1 << pageShift;

/**
 * Finds the slot of an order by its running number. Orders that come together often go together, so the slots of
 * sixteen numbers in a row stand side by side, and the index of such pages stays small.
 */
export class NumberIndex {
  private readonly orders: OrderTable;
  private readonly index = new HashIndex();
  /** Pages; the first word of a free one is the next free one. */
  private readonly slots = new Room();
  private used = 0;
  private freePage = -1;
  /** The page that was added to last, for new orders are numbered in turn. */
  private lastKey = -1;
  private lastPage = -1;

  constructor(orders: OrderTable) {
    this.orders = orders;
  }

  /** The slot entered for this number, -1 if none. */
  find(number: number): number {
    const { index } = this;
    const { words } = this.slots;
    const hash = hashOf(number / pageSize);
    for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
      const slot = words[(index.reference(at) << pageShift) + (number & (pageSize - 1))]! - 1;
      if (slot >= 0 && this.orders.doubles[slot << doublesShift] === number) return slot;
    }
    return -1;
  }

  /** The slot that stands at a position now, see `add`. */
  slotAt(position: number): number {
    return this.slots.words[position]! - 1;
  }

  /**
   * Enters an order whose record has its number; answers a position that stays the order's wherever its record goes.
   */
  add(slot: number): number {
    const number = this.orders.doubles[slot << doublesShift]!;
    const key = Math.floor(number / pageSize);
    if (key !== this.lastKey) {
      const known = this.pageOf(key);
      this.lastPage = known < 0 ? this.takePage(key) : known;
      this.lastKey = key;
    }
    const position = (this.lastPage << pageShift) + (number & (pageSize - 1));
    assert(this.slots.words[position] === 0, 'a number is entered once');
    this.slots.words[position] = slot + 1;
    return position;
  }

  /** The order went to another slot and took its record with it. */
  move(from: number, to: number): void {
    this.slots.words[this.positionOf(from, this.orders.doubles[to << doublesShift]!)] = to + 1;
  }

  /** Takes out an order that was entered; answers the position that it had. */
  remove(slot: number): number {
    const number = this.orders.doubles[slot << doublesShift]!;
    const position = this.positionOf(slot, number);
    const { words } = this.slots;
    words[position] = 0;
    const start = position & -pageSize;
    let rest = 0;
    for (let at = start; at < start + pageSize; at += 1) rest |= words[at]!;
    if (rest === 0) this.givePage(start >>> pageShift, number);
    return position;
  }

  private positionOf(slot: number, number: number): number {
    const { index } = this;
    const { words } = this.slots;
    const hash = hashOf(number / pageSize);
    for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
      const position = (index.reference(at) << pageShift) + (number & (pageSize - 1));
      if (words[position] === slot + 1) return position;
    }
    throw new InvariantBroken('an order that leaves was not indexed');
  }

  /** The page of these numbers, told by an order that stands on it; -1 if none does. */
  private pageOf(key: number): number {
    const { index } = this;
    const { words } = this.slots;
    const hash = hashOf(key);
    for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
      const page = index.reference(at);
      let first = page << pageShift;
      while (words[first] === 0) first += 1;
      if (Math.floor(this.orders.doubles[(words[first]! - 1) << doublesShift]! / pageSize) === key) return page;
    }
    return -1;
  }

  private takePage(key: number): number {
    let page = this.freePage;
    if (page >= 0) {
      this.freePage = this.slots.words[page << pageShift]!;
      this.slots.words[page << pageShift] = 0;
    } else {
      if ((this.used + 1) << pageShift > this.slots.words.length) this.slots.grow();
      page = this.used++;
    }
    this.index.add(hashOf(key), page);
    return page;
  }

  private givePage(page: number, number: number): void {
    this.index.remove(hashOf(number / pageSize), page);
    if (page === this.lastPage) this.lastKey = -1;
    this.slots.words[page << pageShift] = this.freePage;
    this.freePage = page;
  }
}

/** Of the whole part of `key`. */
function hashOf(key: number): number {
  const mixed = Math.imul(key | 0, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
