import { GrowableBuffer } from '#base/growable-buffer.ts';
import { SlotLists } from '#base/slot-lists.ts';

/** A record is two doubles: price and lots. In a free record the first word is the next free one. */
const wordsShift = 2;
const doublesShift = 1;
const lotsAt = 1;
const nextFreeAt = 0;

/** Price levels of all books: price, total lots, and the queue of orders. */
export class LevelTable {
  private readonly buffer = new GrowableBuffer();
  /** Orders of each level, in the order of arrival. */
  readonly queues = new SlotLists();
  private used = 0;
  private freeHead = -1;

  open(price: number): number {
    let level = this.freeHead;
    if (level >= 0) {
      this.freeHead = this.buffer.words[(level << wordsShift) | nextFreeAt]!;
    } else {
      if ((this.used + 1) << doublesShift > this.buffer.doubles.length) this.buffer.grow();
      level = this.used++;
    }
    this.buffer.doubles[level << doublesShift] = price;
    this.buffer.doubles[(level << doublesShift) | lotsAt] = 0;
    return level;
  }

  close(level: number): void {
    this.buffer.words[(level << wordsShift) | nextFreeAt] = this.freeHead;
    this.freeHead = level;
  }

  price(level: number): number {
    return this.buffer.doubles[level << doublesShift]!;
  }
  lots(level: number): number {
    return this.buffer.doubles[(level << doublesShift) | lotsAt]!;
  }
  addLots(level: number, lots: number): number {
    const after = this.buffer.doubles[(level << doublesShift) | lotsAt]! + lots;
    this.buffer.doubles[(level << doublesShift) | lotsAt] = after;
    return after;
  }
}
