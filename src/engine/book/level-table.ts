import { Room } from '#base/room.ts';

const wordsShift = 3;
const doublesShift = 2;
const lotsAt = 1;
const queueAt = 4;

/** Price levels of all books: price and total lots, and the queue of orders by its last line. 32 bytes each. */
export class LevelTable {
  private readonly room = new Room();
  private used = 0;
  private freeHead = -1;

  open(price: number): number {
    let level = this.freeHead;
    if (level >= 0) {
      this.freeHead = this.room.words[(level << wordsShift) | queueAt]!;
    } else {
      if ((this.used + 1) << doublesShift > this.room.doubles.length) this.room.grow();
      level = this.used++;
    }
    this.room.doubles[level << doublesShift] = price;
    this.room.doubles[(level << doublesShift) | lotsAt] = 0;
    this.room.words[(level << wordsShift) | queueAt] = -1;
    return level;
  }

  close(level: number): void {
    this.room.words[(level << wordsShift) | queueAt] = this.freeHead;
    this.freeHead = level;
  }

  /** Notes a level. */
  note(level: number): void {
    if (level >= 0) this.room.note(level << wordsShift);
  }

  /** Reads what was noted; what it answers means nothing. */
  readNoted(): number {
    return this.room.readNoted();
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
  /** Last line of the queue, -1 when it is empty. */
  queue(level: number): number {
    return this.room.words[(level << wordsShift) | queueAt]!;
  }
  setQueue(level: number, line: number): void {
    this.room.words[(level << wordsShift) | queueAt] = line;
  }
}
