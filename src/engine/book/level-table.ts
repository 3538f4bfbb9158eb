const wordsPerLevel = 8;
const doublesPerLevel = 4;

/** Price levels of all books: price and total lots, and the queue of orders by slot. 32 bytes each. */
export class LevelTable {
  doubles: Float64Array;
  words: Int32Array;
  private used = 0;
  private freeHead = -1;

  constructor(capacity = 1024) {
    const buffer = new ArrayBuffer(capacity * 32);
    this.doubles = new Float64Array(buffer);
    this.words = new Int32Array(buffer);
  }

  open(price: number): number {
    let level = this.freeHead;
    if (level >= 0) {
      this.freeHead = this.words[level * wordsPerLevel + 4]!;
    } else {
      if ((this.used + 1) * doublesPerLevel > this.doubles.length) this.grow();
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

  private grow(): void {
    const buffer = new ArrayBuffer(this.doubles.byteLength * 2);
    const doubles = new Float64Array(buffer);
    doubles.set(this.doubles);
    this.doubles = doubles;
    this.words = new Int32Array(buffer);
  }
}
