import { assert } from '#base/assert.ts';

/** What a table may come to have without growing. Memory is taken only where something is written. */
const bytesAtFirst = 2 ** 28;
const bytesMax = 2 ** 32;

/**
 * Zeroed bytes that can be made more. They begin where a page of memory does, so a record as large as a cache line is
 * one; and they stay where they are when there are more of them, so growing copies nothing. Growing doubles the size
 * and replaces the views: take them from the room anew whenever it may have grown. Few tables ever grow, and as long as
 * one has not, V8 may take its views for constants (docs/decisions/0012).
 */
export class Room {
  /** Nothing is shared. This is the kind of buffer that may grow and whose views are as fast as any. */
  private readonly buffer = new SharedArrayBuffer(bytesAtFirst, { maxByteLength: bytesMax });
  words = new Int32Array(this.buffer, 0, bytesAtFirst / Int32Array.BYTES_PER_ELEMENT);
  doubles = new Float64Array(this.buffer, 0, bytesAtFirst / Float64Array.BYTES_PER_ELEMENT);
  longs = new BigInt64Array(this.buffer, 0, bytesAtFirst / BigInt64Array.BYTES_PER_ELEMENT);

  /** Doubles the size. Stops the role at the end of the room. */
  grow(): void {
    const bytes = this.buffer.byteLength * 2;
    assert(bytes <= bytesMax, 'a table stays below its bound');
    this.buffer.grow(bytes);
    this.words = new Int32Array(this.buffer, 0, bytes / Int32Array.BYTES_PER_ELEMENT);
    this.doubles = new Float64Array(this.buffer, 0, bytes / Float64Array.BYTES_PER_ELEMENT);
    this.longs = new BigInt64Array(this.buffer, 0, bytes / BigInt64Array.BYTES_PER_ELEMENT);
  }
}
