import { assert } from '#base/assert.ts';

/** Bytes of address space reserved at first, and at most. Physical memory is used only for pages that were written. */
const sizeAtFirst = 2 ** 28;
const sizeMax = 2 ** 32;

/**
 * A zeroed buffer that can grow. It starts on a page boundary, so a record as large as a cache line occupies one line.
 * It grows in place, without copying. Growing doubles the size and replaces the views: read them from the buffer again
 * after it may have grown. Few tables ever grow; until one does, V8 can treat its views as constants
 * (docs/decisions/0012).
 */
export class GrowableBuffer {
  /**
   * Not shared between threads. A SharedArrayBuffer is used because it can grow while its views stay as fast as those
   * of a fixed buffer.
   */
  private readonly bytes = new SharedArrayBuffer(sizeAtFirst, { maxByteLength: sizeMax });
  words = new Int32Array(this.bytes, 0, sizeAtFirst / Int32Array.BYTES_PER_ELEMENT);
  doubles = new Float64Array(this.bytes, 0, sizeAtFirst / Float64Array.BYTES_PER_ELEMENT);
  longs = new BigInt64Array(this.bytes, 0, sizeAtFirst / BigInt64Array.BYTES_PER_ELEMENT);

  /** Doubles the size. @throws InvariantBroken at the maximum size. */
  grow(): void {
    const size = this.bytes.byteLength * 2;
    assert(size <= sizeMax, 'a table stays below its bound');
    this.bytes.grow(size);
    this.words = new Int32Array(this.bytes, 0, size / Int32Array.BYTES_PER_ELEMENT);
    this.doubles = new Float64Array(this.bytes, 0, size / Float64Array.BYTES_PER_ELEMENT);
    this.longs = new BigInt64Array(this.bytes, 0, size / BigInt64Array.BYTES_PER_ELEMENT);
  }
}
