import { Room } from '#base/room.ts';
import { SlotLists } from '#base/slot-lists.ts';

/** A record is two doubles, price and lots; in a free one the first word names the next free one. */
const wordsShift = 2;
const doublesShift = 1;
const lotsAt = 1;
const nextFreeAt = 0;

/** Price levels of all books: price, total lots, and the queue of orders. */
export class LevelTable {
  private readonly room = new Room();
  /** The orders of each level, the first to arrive first. */
  readonly queues = new SlotLists();
  private used = 0;
  private freeHead = -1;

  open(price: number): number {
    let level = this.freeHead;
    if (level >= 0) {
      this.freeHead = this.room.words[(level << wordsShift) | nextFreeAt]!;
    } else {
      if ((this.used + 1) << doublesShift > this.room.doubles.length) this.room.grow();
      level = this.used++;
    }
    this.room.doubles[level << doublesShift] = price;
    this.room.doubles[(level << doublesShift) | lotsAt] = 0;
    return level;
  }

  close(level: number): void {
    this.room.words[(level << wordsShift) | nextFreeAt] = this.freeHead;
    this.freeHead = level;
  }

  price(level: number): number {
    return this.room.doubles[level << doublesShift]!;
  }
  lots(level: number): number {
    return this.room.doubles[(level << doublesShift) | lotsAt]!;
  }
  addLots(level: number, lots: number): number {
    const after = this.room.doubles[(level << doublesShift) | lotsAt]! + lots;
    this.room.doubles[(level << doublesShift) | lotsAt] = after;
    return after;
  }
}
