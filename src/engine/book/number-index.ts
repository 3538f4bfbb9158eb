import { assert } from '#base/assert.ts';
import { doublesShift, type OrderTable } from '#engine/book/order-table.ts';

/** Finds the slot of an order by its running number: open addressing with the low word of the number beside the slot. */
export class NumberIndex {
  private readonly table: OrderTable;
  private keys: Int32Array;
  private slots: Int32Array;
  private mask: number;
  private count = 0;

  constructor(table: OrderTable, capacity = 2048) {
    this.table = table;
    this.keys = new Int32Array(capacity);
    this.slots = new Int32Array(capacity).fill(-1);
    this.mask = capacity - 1;
  }

  /** The slot entered for this number, -1 if none. */
  find(number: number): number {
    const key = number | 0;
    for (let probe = this.home(key); ; probe = (probe + 1) & this.mask) {
      const slot = this.slots[probe]!;
      if (slot < 0) return -1;
      if (this.keys[probe] === key && this.table.doubles[slot << doublesShift] === number) return slot;
    }
  }

  add(number: number, slot: number): void {
    if ((this.count + 1) * 2 > this.mask) this.grow();
    this.count += 1;
    this.enter(number | 0, slot);
  }

  remove(number: number, slot: number): void {
    let hole = this.home(number | 0);
    while (this.slots[hole] !== slot) {
      assert(this.slots[hole]! >= 0, 'an order that leaves was indexed');
      hole = (hole + 1) & this.mask;
    }
    this.count -= 1;
    for (let probe = (hole + 1) & this.mask; this.slots[probe]! >= 0; probe = (probe + 1) & this.mask) {
      const home = this.home(this.keys[probe]!);
      const mayMove = ((probe - home) & this.mask) >= ((probe - hole) & this.mask);
      if (mayMove) {
        this.keys[hole] = this.keys[probe]!;
        this.slots[hole] = this.slots[probe]!;
        hole = probe;
      }
    }
    this.slots[hole] = -1;
  }

  private home(key: number): number {
    return (Math.imul(key, 0x9e3779b1) >>> 7) & this.mask;
  }

  private enter(key: number, slot: number): void {
    let probe = this.home(key);
    while (this.slots[probe]! >= 0) probe = (probe + 1) & this.mask;
    this.keys[probe] = key;
    this.slots[probe] = slot;
  }

  private grow(): void {
    const { keys, slots } = this;
    const capacity = keys.length * 2;
    this.keys = new Int32Array(capacity);
    this.slots = new Int32Array(capacity).fill(-1);
    this.mask = capacity - 1;
    for (let probe = 0; probe < slots.length; probe += 1) {
      if (slots[probe]! >= 0) this.enter(keys[probe]!, slots[probe]!);
    }
  }
}
