import { Room } from '#base/room.ts';

const wordsPerLevel = 8;
const doublesPerLevel = 4;

/** Price levels of all books: price and total lots, and the queue of orders by slot. 32 bytes each. */
export class LevelTable {
  private readonly room = new Room();
  private used = 0;
  private freeHead = -1;

  open(price: number): number {
    let level = this.freeHead;
    if (level >= 0) {
      this.freeHead = this.room.words[level * wordsPerLevel + 4]!;
    } else {
      if ((this.used + 1) * doublesPerLevel > this.room.doubles.length) this.room.grow();
      level = this.used++;
    }
    this.room.doubles[level * doublesPerLevel] = price;
    this.room.doubles[level * doublesPerLevel + 1] = 0;
    this.room.words[level * wordsPerLevel + 4] = -1;
    this.room.words[level * wordsPerLevel + 5] = -1;
    return level;
  }

  close(level: number): void {
    this.room.words[level * wordsPerLevel + 4] = this.freeHead;
    this.freeHead = level;
  }

  price(level: number): number {
    return this.room.doubles[level * doublesPerLevel]!;
  }
  lots(level: number): number {
    return this.room.doubles[level * doublesPerLevel + 1]!;
  }
  addLots(level: number, lots: number): number {
    const after = this.room.doubles[level * doublesPerLevel + 1]! + lots;
    this.room.doubles[level * doublesPerLevel + 1] = after;
    return after;
  }
  /** Slot of the first order in the queue, -1 when empty. */
  head(level: number): number {
    return this.room.words[level * wordsPerLevel + 4]!;
  }
  setHead(level: number, slot: number): void {
    this.room.words[level * wordsPerLevel + 4] = slot;
  }
  tail(level: number): number {
    return this.room.words[level * wordsPerLevel + 5]!;
  }
  setTail(level: number, slot: number): void {
    this.room.words[level * wordsPerLevel + 5] = slot;
  }
}
