import { GrowableBuffer } from '#base/growable-buffer.ts';
import { bookDoubleOffset, bookWordOffset, type BookRecords } from '#engine/book/book-record.ts';
import type { SideCode } from '#engine/book/side-code.ts';

const blockSize = 64;

/** Storage shared by all sides of all books: blocks of up to 64 sorted keys with the level of each. */
export class PriceBlocks {
  private readonly keyBuffer = new GrowableBuffer();
  private readonly levelBuffer = new GrowableBuffer();
  private readonly countBuffer = new GrowableBuffer();
  private used = 0;
  private readonly free: number[] = [];

  /** Views; allocating a block may replace them. */
  get keys(): Float64Array {
    return this.keyBuffer.doubles;
  }
  get levels(): Int32Array {
    return this.levelBuffer.words;
  }
  /** Keys in each block. */
  get counts(): Int32Array {
    return this.countBuffer.words;
  }

  /** Blocks in use. */
  get count(): number {
    return this.used - this.free.length;
  }

  allocate(): number {
    const reused = this.free.pop();
    if (reused !== undefined) return reused;
    if ((this.used + 1) * blockSize > this.keys.length) this.keyBuffer.grow();
    if ((this.used + 1) * blockSize > this.levels.length) this.levelBuffer.grow();
    if (this.used === this.counts.length) this.countBuffer.grow();
    return this.used++;
  }

  release(block: number): void {
    this.counts[block] = 0;
    this.free.push(block);
  }
}

/**
 * The price levels of one side, sorted by key, best last: the key of a bid is its price, of an ask its negative price.
 * The structure is a short list of blocks, each sorted. Near the best price, where almost every change happens, an
 * insert moves a few numbers; elsewhere at most 64.
 */
export class PriceIndex {
  size = 0;
  private readonly pool: PriceBlocks;
  /** Positions of the best key and its level in the book's record: minus infinity and -1 if the side is empty. */
  private readonly doubles: Float64Array;
  private readonly words: Int32Array;
  private readonly keyAt: number;
  private readonly levelAt: number;
  /** Position of the block with the greatest keys in that record: -1 if there is none. */
  private readonly lastAt: number;
  /** Blocks in ascending order of their keys; none is empty. */
  private readonly blocks: number[] = [];

  /** `record`: position of the first double of the book's record. */
  constructor(pool: PriceBlocks, records: BookRecords, record: number, side: SideCode) {
    this.pool = pool;
    this.doubles = records.doubles;
    this.words = records.words;
    this.keyAt = record + bookDoubleOffset.bestKey + side;
    this.levelAt = record * 2 + bookWordOffset.bestLevel + side;
    this.lastAt = record * 2 + bookWordOffset.lastBlock + side;
    this.setBest(Number.NEGATIVE_INFINITY, -1);
    this.setLast();
  }

  /** Level with this key, -1 if there is none. */
  lookup(key: number): number {
    const block = this.blockOf(key);
    if (block < 0) return -1;
    const at = block * blockSize + this.position(block, key);
    return at < block * blockSize + this.pool.counts[block]! && this.pool.keys[at] === key ? this.pool.levels[at]! : -1;
  }

  /** Inserts a level; its key must not exist yet. */
  insert(key: number, level: number): void {
    this.size += 1;
    let block = this.blockOf(key);
    if (block < 0) {
      block = this.pool.allocate();
      this.blocks.push(block);
      this.setLast();
    } else if (this.pool.counts[block] === blockSize) {
      this.split(this.blockIndexOf(key));
      block = this.blockOf(key);
    }
    const { keys, levels, counts } = this.pool;
    const from = block * blockSize + this.position(block, key);
    for (let at = block * blockSize + counts[block]!; at > from; at -= 1) {
      keys[at] = keys[at - 1]!;
      levels[at] = levels[at - 1]!;
    }
    keys[from] = key;
    levels[from] = level;
    counts[block]! += 1;
    if (key > this.doubles[this.keyAt]!) this.setBest(key, level);
  }

  /** Removes a key, which must exist. */
  remove(key: number): void {
    this.size -= 1;
    const block = this.blockOf(key);
    const { keys, levels, counts } = this.pool;
    const end = block * blockSize + counts[block]! - 1;
    for (let at = block * blockSize + this.position(block, key); at < end; at += 1) {
      keys[at] = keys[at + 1]!;
      levels[at] = levels[at + 1]!;
    }
    counts[block]! -= 1;
    if (counts[block] === 0) {
      this.blocks.splice(this.blocks.indexOf(block), 1);
      this.setLast();
      this.pool.release(block);
    } else if (counts[block]! <= blockSize / 4) {
      this.mergeInto(this.blockIndexOf(key));
    }
    if (key === this.doubles[this.keyAt]) this.readBest();
  }

  private readBest(): void {
    const last = this.words[this.lastAt]!;
    if (last < 0) {
      this.setBest(Number.NEGATIVE_INFINITY, -1);
      return;
    }
    const at = last * blockSize + this.pool.counts[last]! - 1;
    this.setBest(this.pool.keys[at]!, this.pool.levels[at]!);
  }

  private setBest(key: number, level: number): void {
    this.doubles[this.keyAt] = key;
    this.words[this.levelAt] = level;
  }

  private setLast(): void {
    this.words[this.lastAt] = this.blocks[this.blocks.length - 1] ?? -1;
  }

  /** Visits the levels, best first, until `visit` returns false; returns whether all were visited. */
  every(visit: (level: number) => boolean): boolean {
    for (let index = this.blocks.length - 1; index >= 0; index -= 1) {
      const start = this.blocks[index]! * blockSize;
      for (let at = start + this.pool.counts[this.blocks[index]!]! - 1; at >= start; at -= 1) {
        if (!visit(this.pool.levels[at]!)) return false;
      }
    }
    return true;
  }

  /**
   * The block that contains the key or would, -1 if there is none. It is usually the last one, which is known without
   * searching the list. Close to the best key even its first key need not be read: keys are distinct whole numbers, so
   * a block of n keys reaches at least n - 1 below its greatest key.
   */
  private blockOf(key: number): number {
    const last = this.words[this.lastAt]!;
    if (last < 0 || this.doubles[this.keyAt]! - key < this.pool.counts[last]!) return last;
    return this.pool.keys[last * blockSize]! <= key ? last : this.blocks[this.blockIndexOf(key)]!;
  }

  /** Index of the last block whose first key is not above `key`, else of the first block; -1 if there is none. */
  private blockIndexOf(key: number): number {
    const { keys } = this.pool;
    let index = this.blocks.length - 1;
    if (index <= 0 || keys[this.blocks[index]! * blockSize]! <= key) return index;
    let low = 0;
    while (low < index) {
      const middle = (low + index) >>> 1;
      if (keys[this.blocks[middle + 1]! * blockSize]! <= key) low = middle + 1;
      else index = middle;
    }
    return low;
  }

  /**
   * Position in its block of the first key that is not below `key`. Keys are distinct whole numbers, so a key that is d
   * below the greatest one is at most d positions before it. Near the best price, where most levels exist, it is
   * exactly there.
   */
  private position(block: number, key: number): number {
    const { keys } = this.pool;
    const start = block * blockSize;
    let high = this.pool.counts[block]!;
    if (high === 0) return 0;
    const greatest = block === this.words[this.lastAt] ? this.doubles[this.keyAt]! : keys[start + high - 1]!;
    if (key > greatest) return high;
    let low = Math.max(0, high - 1 - (greatest - key));
    if (keys[start + low]! >= key) return low;
    low += 1;
    // The exact position is higher by the number of prices without a level in between. They are few near the best
    // price, so the step doubles from one.
    let step = 1;
    for (; low + step <= high && keys[start + low + step - 1]! < key; step *= 2) low += step;
    high = Math.min(high, low + step - 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keys[start + middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private split(index: number): void {
    const block = this.blocks[index]!;
    const upper = this.pool.allocate();
    const { keys, levels, counts } = this.pool;
    const half = blockSize / 2;
    const from = block * blockSize + half;
    keys.copyWithin(upper * blockSize, from, from + half);
    levels.copyWithin(upper * blockSize, from, from + half);
    counts[block] = half;
    counts[upper] = half;
    this.blocks.splice(index + 1, 0, upper);
    this.setLast();
  }

  private mergeInto(index: number): void {
    const left = index > 0 ? index - 1 : index;
    const lower = this.blocks[left]!;
    const upper = this.blocks[left + 1];
    const { keys, levels, counts } = this.pool;
    if (upper === undefined || counts[lower]! + counts[upper]! > blockSize / 2) return;
    const to = lower * blockSize + counts[lower]!;
    keys.copyWithin(to, upper * blockSize, upper * blockSize + counts[upper]!);
    levels.copyWithin(to, upper * blockSize, upper * blockSize + counts[upper]!);
    counts[lower]! += counts[upper]!;
    this.blocks.splice(left + 1, 1);
    this.setLast();
    this.pool.release(upper);
  }
}
