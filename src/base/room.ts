import { assert } from '#base/assert.ts';

/** A table this large takes its first growth long after it has warmed up. */
const bytesAtFirst = 1 << 20;
const bytesMax = 2 ** 32;

/**
 * Zeroed bytes that can be made more. They begin where a page of memory does, so a record as large as a cache line is
 * one; and they stay where they are when there are more of them, so growing copies nothing. Growing doubles the size
 * and replaces the views: take them from the room anew whenever it may have grown.
 */
export class Room {
  words!: Int32Array;
  doubles!: Float64Array;
  longs!: BigInt64Array;
  /** Nothing is shared. This is the kind of buffer that may grow and whose views are as fast as any. */
  private readonly buffer: SharedArrayBuffer;

  constructor(bytes: number = bytesAtFirst) {
    this.buffer = new SharedArrayBuffer(bytes, { maxByteLength: bytesMax });
    this.view(bytes);
  }

  /** Doubles the size. Stops the role at the end of the room. */
  grow(): void {
    const bytes = this.buffer.byteLength * 2;
    assert(bytes <= bytesMax, 'a table stays below its bound');
    this.buffer.grow(bytes);
    this.view(bytes);
  }

  private view(bytes: number): void {
    this.words = new Int32Array(this.buffer, 0, bytes / Int32Array.BYTES_PER_ELEMENT);
    this.doubles = new Float64Array(this.buffer, 0, bytes / Float64Array.BYTES_PER_ELEMENT);
    this.longs = new BigInt64Array(this.buffer, 0, bytes / BigInt64Array.BYTES_PER_ELEMENT);
  }
}
