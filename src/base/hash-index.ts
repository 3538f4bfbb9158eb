import { assert } from '#base/assert.ts';
import { GrowableBuffer } from '#base/growable-buffer.ts';

/** A bucket is one cache line: seven pairs of hash and reference, then the bucket it spills into, and its count. */
const wordsPerBucket = 16;
const bucketShift = 4;
const pairsPerBucket = 7;
const linkAt = 14;
const countAt = 15;
/** Pairs per bucket, on average, beyond which the index grows. */
const pairsOnAverage = 4;

/**
 * References to records by the hash of their key. The index grows by one bucket at a time (linear hashing), so that no
 * single insert copies it; equal hashes make a longer chain. The caller compares keys:
 * `for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) if (isWanted(index.reference(at))) …`
 */
export class HashIndex {
  /** Entries. */
  count = 0;
  private readonly buffer = new GrowableBuffer();
  /** Buckets beyond the first of a chain; the first one of them stands for none. */
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
    // All seven at once, without a branch: a processor cannot predict where a loop over them ends.
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

  /** What was entered at a position that `first` or `next` gave. */
  reference(position: number): number {
    return position >= 0 ? this.buffer.words[position | 1]! : this.spillBuffer.words[~position | 1]!;
  }

  /** Enters a reference, a signed 32-bit integer. The same pair must not be there yet. */
  insert(hash: number, reference: number): void {
    this.count += 1;
    if (this.count > this.buckets * pairsOnAverage) this.splitOne();
    this.put(hash, reference);
  }

  /** Takes out a pair that is there. */
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
    // Without a branch: a processor could not predict it.
    const { highMask, lowMask } = this;
    const isBeyond = (this.buckets - 1 - (hash & highMask)) >> 31;
    return hash & (highMask ^ (isBeyond & (highMask ^ lowMask)));
  }

  private positionOf(hash: number, reference: number): number {
    let position = this.first(hash);
    while (position !== -1 && this.reference(position) !== reference) position = this.next(position, hash);
    assert(position !== -1, 'what is taken out of an index is there');
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

  /** Appends to the first bucket of the chain with space, or to a new one right behind the full first. */
  private append(base: number, hash: number, reference: number): void {
    const { words } = this.buffer;
    let bucket = words[base | linkAt]!;
    if (bucket === 0 || this.spillBuffer.words[(bucket << bucketShift) | countAt] === pairsPerBucket) {
      const fresh = this.takeSpill();
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

  /** Fills the hole with the newest pair of the chain, which stands in the bucket right behind the first. */
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
      this.giveSpill(bucket);
    }
  }

  private takeSpill(): number {
    const bucket = this.spillFree;
    if (bucket !== 0) {
      this.spillFree = this.spillBuffer.words[(bucket << bucketShift) | linkAt]!;
      return bucket;
    }
    if ((this.spillUsed + 1) << bucketShift > this.spillBuffer.words.length) this.spillBuffer.grow();
    return this.spillUsed++;
  }

  private giveSpill(bucket: number): void {
    this.spillBuffer.words[(bucket << bucketShift) | linkAt] = this.spillFree;
    this.spillFree = bucket;
  }

  /** Adds one bucket and shares out the pairs of the one whose hashes it takes over. */
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
    // A pair moves down or away, never up, so the bucket is read ahead of what is written to it.
    for (let at = from; at < from + (count << 1); at += 2) this.put(words[at]!, words[at + 1]!);
    while (link !== 0) {
      const spill = this.spillBuffer.words;
      const base = link << bucketShift;
      const inLink = spill[base | countAt]!;
      const following = spill[base | linkAt]!;
      const pairs = spill.slice(base, base + (inLink << 1));
      spill[base | countAt] = 0;
      this.giveSpill(link);
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

/** 1 of zero, 0 of every other 32-bit integer. */
const isZero = (value: number): number => ((value | -value) >>> 31) ^ 1;
