import { Room } from '#base/room.ts';

const wordsPerLevel = 8;
const doublesPerLevel = 4;

/** Price levels of all books: price and total lots, and the queue of orders by slot. 32 bytes each. */
export class LevelTable {
  private readonly room = new Room(128 * 32);
  private readonly doubles = new Float64Array(this.room.buffer);
  private readonly words = new Int32Array(this.room.buffer);
  private used = 0;
  private freeHead = -1;

  open(price: number): number {
    let level = this.freeHead;
    if (level >= 0) {
      this.freeHead = this.words[level * wordsPerLevel + 4]!;
    } else {
      if ((this.used + 1) * doublesPerLevel > this.doubles.length) this.room.grow();
      level = this.used++;
    }
    this.doubles[level * doublesPerLevel] = price;
    this.doubles[level * doublesPerLevel + 1] = 0;
    this.words[level * wordsPerLevel + 4] = -1;
    this.words[level * wordsPerLevel + 5] = -1;
    return level;
  }

  close(level: number): void {
    this.words[level * wordsPerLevel + 4] = this.freeHead;
    this.freeHead = level;
  }

  price(level: number): number {
    return this.doubles[level * doublesPerLevel]!;
  }
  lots(level: number): number {
    return this.doubles[level * doublesPerLevel + 1]!;
  }
  addLots(level: number, lots: number): number {
    const after = this.doubles[level * doublesPerLevel + 1]! + lots;
    this.doubles[level * doublesPerLevel + 1] = after;
    return after;
  }
  /** Slot of the first order in the queue, -1 when empty. */
  head(level: number): number {
    return this.words[level * wordsPerLevel + 4]!;
  }
  setHead(level: number, slot: number): void {
    this.words[level * wordsPerLevel + 4] = slot;
  }
  tail(level: number): number {
    return this.words[level * wordsPerLevel + 5]!;
  }
  setTail(level: number, slot: number): void {
    this.words[level * wordsPerLevel + 5] = slot;
  }
}
