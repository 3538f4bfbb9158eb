import { assert } from '#base/assert.ts';
import { GrowableBuffer } from '#base/growable-buffer.ts';

/**
 * A bucket is one cache line: seven pairs of hash and reference, the overflow bucket linked to it, and the number of
 * pairs.
 */
const wordsPerBucket = 16;
const bucketShift = 4;
const pairsPerBucket = 7;
const linkAt = 14;
const countAt = 15;
/** The index grows when buckets hold more pairs than this on average. */
const pairsOnAverage = 4;

/**
 * References to records, found by the hash of their key. The index grows one bucket at a time (linear hashing), so that
 * no single insert rebuilds it; equal hashes make longer chains. The caller compares keys:
 * `for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) if (isMatch(index.reference(at))) …`
 */
export class HashIndex {
  /** Entries. */
  count = 0;
  private readonly buffer = new GrowableBuffer();
  /** Overflow buckets, linked from the main ones; bucket 0 is unused, so that link 0 means none. */
  private readonly spillBuffer = new GrowableBuffer();
  private spillUsed = 1;
  private spillFree = 0;
  private buckets = 16;
  private lowMask = 15;
  private highMask = 31;

  /** Position of the first entry with this hash, -1 if none. */
  first(hash: number): number {
    const words = this.buffer.words;
    const base = this.bucketOf(hash) << bucketShift;
    // All seven pairs are compared without a branch: the end of a loop over them would be mispredicted.
    const equal =
      isZero(words[base]! ^ hash) |
      (isZero(words[base | 2]! ^ hash) << 1) |
      (isZero(words[base | 4]! ^ hash) << 2) |
      (isZero(words[base | 6]! ^ hash) << 3) |
      (isZero(words[base | 8]! ^ hash) << 4) |
      (isZero(words[base | 10]! ^ hash) << 5) |
      (isZero(words[base | 12]! ^ hash) << 6);
    const found = equal & ((1 << words[base | countAt]!) - 1);
    if (found !== 0) return base + ((31 - Math.clz32(found & -found)) << 1);
    const link = words[base | linkAt]!;
    return link === 0 ? -1 : this.inSpill(link, hash);
  }

  /** Position of the next entry with the same hash, -1 if none. */
  next(position: number, hash: number): number {
    const words = position >= 0 ? this.buffer.words : this.spillBuffer.words;
    const from = position >= 0 ? position : ~position;
    const base = from & -wordsPerBucket;
    const end = base + (words[base | countAt]! << 1);
    for (let at = from + 2; at < end; at += 2) {
      if (words[at] === hash) return position >= 0 ? at : ~at;
    }
    const link = words[base | linkAt]!;
    return link === 0 ? -1 : this.inSpill(link, hash);
  }

  /** The reference at a position that `first` or `next` returned. */
  reference(position: number): number {
    return position >= 0 ? this.buffer.words[position | 1]! : this.spillBuffer.words[~position | 1]!;
  }

  /** Inserts a reference, a signed 32-bit integer. The same pair must not exist yet. */
  insert(hash: number, reference: number): void {
    this.count += 1;
    if (this.count > this.buckets * pairsOnAverage) this.splitOne();
    this.put(hash, reference);
  }

  /** Removes a pair. @throws InvariantBroken if it does not exist. */
  remove(hash: number, reference: number): void {
    const position = this.positionOf(hash, reference);
    this.count -= 1;
    const words = this.buffer.words;
    const base = this.bucketOf(hash) << bucketShift;
    if (words[base | linkAt] !== 0) {
      this.removeFromChain(base, position);
      return;
    }
    const count = words[base | countAt]! - 1;
    const last = base + (count << 1);
    words[position] = words[last]!;
    words[position + 1] = words[last + 1]!;
    words[base | countAt] = count;
  }

  private bucketOf(hash: number): number {
    // Without a branch, which would be mispredicted.
    const { highMask, lowMask } = this;
    const isBeyond = (this.buckets - 1 - (hash & highMask)) >> 31;
    return hash & (highMask ^ (isBeyond & (highMask ^ lowMask)));
  }

  private positionOf(hash: number, reference: number): number {
    let position = this.first(hash);
    while (position !== -1 && this.reference(position) !== reference) position = this.next(position, hash);
    assert(position !== -1, 'a pair that is removed from an index exists');
    return position;
  }

  private inSpill(link: number, hash: number): number {
    const spill = this.spillBuffer.words;
    for (let bucket = link; bucket !== 0; bucket = spill[(bucket << bucketShift) | linkAt]!) {
      const base = bucket << bucketShift;
      const end = base + (spill[base | countAt]! << 1);
      for (let at = base; at < end; at += 2) {
        if (spill[at] === hash) return ~at;
      }
    }
    return -1;
  }

  /** Appends to the first overflow bucket if it has space, else to a new one linked in front of it. */
  private append(base: number, hash: number, reference: number): void {
    const { words } = this.buffer;
    let bucket = words[base | linkAt]!;
    if (bucket === 0 || this.spillBuffer.words[(bucket << bucketShift) | countAt] === pairsPerBucket) {
      const fresh = this.allocateSpill();
      this.spillBuffer.words[(fresh << bucketShift) | linkAt] = bucket;
      words[base | linkAt] = fresh;
      bucket = fresh;
    }
    const spill = this.spillBuffer.words;
    const at = bucket << bucketShift;
    const count = spill[at | countAt]!;
    spill[at + (count << 1)] = hash;
    spill[at + (count << 1) + 1] = reference;
    spill[at | countAt] = count + 1;
  }

  /**
   * Moves the last pair of the first overflow bucket into the position of the removed pair; unlinks the bucket once it
   * is empty.
   */
  private removeFromChain(base: number, position: number): void {
    const { words } = this.buffer;
    const spill = this.spillBuffer.words;
    const bucket = words[base | linkAt]!;
    const at = bucket << bucketShift;
    const count = spill[at | countAt]! - 1;
    const last = at + (count << 1);
    const into = position >= 0 ? words : spill;
    const hole = position >= 0 ? position : ~position;
    into[hole] = spill[last]!;
    into[hole + 1] = spill[last + 1]!;
    spill[at | countAt] = count;
    if (count === 0) {
      words[base | linkAt] = spill[at | linkAt]!;
      this.freeSpill(bucket);
    }
  }

  private allocateSpill(): number {
    const bucket = this.spillFree;
    if (bucket !== 0) {
      this.spillFree = this.spillBuffer.words[(bucket << bucketShift) | linkAt]!;
      return bucket;
    }
    if ((this.spillUsed + 1) << bucketShift > this.spillBuffer.words.length) this.spillBuffer.grow();
    return this.spillUsed++;
  }

  private freeSpill(bucket: number): void {
    this.spillBuffer.words[(bucket << bucketShift) | linkAt] = this.spillFree;
    this.spillFree = bucket;
  }

  /** Adds one bucket and moves the pairs that belong there out of the bucket it splits. */
  private splitOne(): void {
    if ((this.buckets + 1) << bucketShift > this.buffer.words.length) this.buffer.grow();
    const { words } = this.buffer;
    const from = (this.buckets & this.lowMask) << bucketShift;
    const count = words[from | countAt]!;
    let link = words[from | linkAt]!;
    this.buckets += 1;
    if (this.buckets > this.highMask) {
      this.lowMask = this.highMask;
      this.highMask = this.highMask * 2 + 1;
    }
    words[from | countAt] = 0;
    words[from | linkAt] = 0;
    // A pair moves to a lower position of this bucket or to the new one, so no pair is overwritten before it is read.
    for (let at = from; at < from + (count << 1); at += 2) this.put(words[at]!, words[at + 1]!);
    while (link !== 0) {
      const spill = this.spillBuffer.words;
      const base = link << bucketShift;
      const inLink = spill[base | countAt]!;
      const following = spill[base | linkAt]!;
      const pairs = spill.slice(base, base + (inLink << 1));
      spill[base | countAt] = 0;
      this.freeSpill(link);
      for (let at = 0; at < pairs.length; at += 2) this.put(pairs[at]!, pairs[at + 1]!);
      link = following;
    }
  }

  private put(hash: number, reference: number): void {
    const base = this.bucketOf(hash) << bucketShift;
    const { words } = this.buffer;
    const count = words[base | countAt]!;
    if (count === pairsPerBucket) {
      this.append(base, hash, reference);
      return;
    }
    words[base + (count << 1)] = hash;
    words[base + (count << 1) + 1] = reference;
    words[base | countAt] = count + 1;
  }
}

/** 1 for zero, 0 for every other 32-bit integer; without a branch. */
const isZero = (value: number): number => ((value | -value) >>> 31) ^ 1;
