import { GrowableBuffer } from '#base/growable-buffer.ts';
import { bookDoubleOffset, bookWordOffset, type BookRecords } from '#engine/book/book-record.ts';
import type { SideCode } from '#engine/book/side-code.ts';

const blockSize = 64;

/** Storage that all sides of all books share: blocks of up to 64 sorted keys with the level of each. */
export class PriceBlocks {
  private readonly keyBuffer = new GrowableBuffer();
  private readonly levelBuffer = new GrowableBuffer();
  private readonly countBuffer = new GrowableBuffer();
  private used = 0;
  private readonly free: number[] = [];

  /** Views; taking a block may replace them. */
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

  take(): number {
    const reused = this.free.pop();
    if (reused !== undefined) return reused;
    if ((this.used + 1) * blockSize > this.keys.length) this.keyBuffer.grow();
    if ((this.used + 1) * blockSize > this.levels.length) this.levelBuffer.grow();
    if (this.used === this.counts.length) this.countBuffer.grow();
    return this.used++;
  }

  give(block: number): void {
    this.counts[block] = 0;
    this.free.push(block);
  }
}

/**
 * The price levels of one side, sorted by key with the best last: a bid's key is its price, an ask's the negative one.
 * Two steps deep: a short list of blocks, each sorted. Near the best, where almost everything happens, an insert moves
 * a few numbers; far away at most 64.
 */
export class PriceIndex {
  size = 0;
  private readonly pool: PriceBlocks;
  /** Where the best key and its level stand in the book's record: minus infinity and -1 when there is none. */
  private readonly doubles: Float64Array;
  private readonly words: Int32Array;
  private readonly keyAt: number;
  private readonly levelAt: number;
  /** Where the block of the greatest keys stands in that record: -1 when there is none. */
  private readonly lastAt: number;
  /** Blocks in ascending order of their keys; none is empty. */
  private readonly blocks: number[] = [];

  /** `record`: place of the book's first double. */
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

  /** The level of this key, -1 if there is none. */
  lookup(key: number): number {
    const block = this.blockOf(key);
    if (block < 0) return -1;
    const at = block * blockSize + this.position(block, key);
    return at < block * blockSize + this.pool.counts[block]! && this.pool.keys[at] === key ? this.pool.levels[at]! : -1;
  }

  /** Enters a level whose key is not there yet. */
  insert(key: number, level: number): void {
    this.size += 1;
    let block = this.blockOf(key);
    if (block < 0) {
      block = this.pool.take();
      this.blocks.push(block);
      this.setLast();
    } else if (this.pool.counts[block] === blockSize) {
      this.split(this.blockFor(key));
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

  /** Takes out a key that is there. */
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
      this.pool.give(block);
    } else if (counts[block]! <= blockSize / 4) {
      this.mergeInto(this.blockFor(key));
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

  /** Calls for each level, best first, until `visit` answers false; answers whether it never did. */
  every(visit: (level: number) => boolean): boolean {
    for (let order = this.blocks.length - 1; order >= 0; order -= 1) {
      const start = this.blocks[order]! * blockSize;
      for (let at = start + this.pool.counts[this.blocks[order]!]! - 1; at >= start; at -= 1) {
        if (!visit(this.pool.levels[at]!)) return false;
      }
    }
    return true;
  }

  /**
   * The block where a key stands or would stand, -1 when there is none. Mostly it is the last, which is known without
   * the list, and near the best key without the block: keys are whole numbers, so so many of them reach so far down.
   */
  private blockOf(key: number): number {
    const last = this.words[this.lastAt]!;
    if (last < 0 || this.doubles[this.keyAt]! - key < this.pool.counts[last]!) return last;
    return this.pool.keys[last * blockSize]! <= key ? last : this.blocks[this.blockFor(key)]!;
  }

  /** Order of the last block whose first key is not above `key`, else the first block; -1 when there is none. */
  private blockFor(key: number): number {
    const { keys } = this.pool;
    let order = this.blocks.length - 1;
    if (order <= 0 || keys[this.blocks[order]! * blockSize]! <= key) return order;
    let low = 0;
    while (low < order) {
      const middle = (low + order) >>> 1;
      if (keys[this.blocks[middle + 1]! * blockSize]! <= key) low = middle + 1;
      else order = middle;
    }
    return low;
  }

  /**
   * Where in its block a key stands or would stand. Keys are whole numbers, so it cannot stand further from the last
   * one than they differ; near the best price, where most levels are taken, it stands just there.
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
    // It stands as many places further up as prices are missing in between: a few, so steps grow from one.
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

  private split(order: number): void {
    const block = this.blocks[order]!;
    const upper = this.pool.take();
    const { keys, levels, counts } = this.pool;
    const half = blockSize / 2;
    const from = block * blockSize + half;
    keys.copyWithin(upper * blockSize, from, from + half);
    levels.copyWithin(upper * blockSize, from, from + half);
    counts[block] = half;
    counts[upper] = half;
    this.blocks.splice(order + 1, 0, upper);
    this.setLast();
  }

  private mergeInto(order: number): void {
    const left = order > 0 ? order - 1 : order;
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
    this.pool.give(upper);
  }
}
