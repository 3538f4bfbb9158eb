import { assert } from '#base/assert.ts';

/** Bytes of address space at first, and at most. Memory is used only where something is written. */
const sizeAtFirst = 2 ** 28;
const sizeMax = 2 ** 32;

/**
 * A zeroed buffer that can grow. It begins at a page of memory, so a record as large as a cache line is in one; and it
 * stays where it is, so growing copies nothing. Growing doubles the size and replaces the views: take them from the
 * buffer again whenever it may have grown. Few tables ever grow, and as long as one has not, V8 may treat its views as
 * constants (docs/decisions/0012).
 */
export class GrowableBuffer {
  /** Shared with nobody: this kind of buffer can grow, and its views are as fast as those of a plain one. */
  private readonly bytes = new SharedArrayBuffer(sizeAtFirst, { maxByteLength: sizeMax });
  words = new Int32Array(this.bytes, 0, sizeAtFirst / Int32Array.BYTES_PER_ELEMENT);
  doubles = new Float64Array(this.bytes, 0, sizeAtFirst / Float64Array.BYTES_PER_ELEMENT);
  longs = new BigInt64Array(this.bytes, 0, sizeAtFirst / BigInt64Array.BYTES_PER_ELEMENT);

  /** Doubles the size. Stops the role at the greatest size. */
  grow(): void {
    const size = this.bytes.byteLength * 2;
    assert(size <= sizeMax, 'a table stays below its bound');
    this.bytes.grow(size);
    this.words = new Int32Array(this.bytes, 0, size / Int32Array.BYTES_PER_ELEMENT);
    this.doubles = new Float64Array(this.bytes, 0, size / Float64Array.BYTES_PER_ELEMENT);
    this.longs = new BigInt64Array(this.bytes, 0, size / BigInt64Array.BYTES_PER_ELEMENT);
  }
}
