import { assert } from '#base/assert.ts';

/** A table this large takes its first growth long after it has warmed up. */
const bytesAtFirst = 1 << 20;
const bytesMax = 2 ** 32;

/**
 * Zeroed bytes that can be made more. Growing doubles the size and replaces the views: take them from the room anew
 * whenever it may have grown.
 */
export class Room {
  words: Int32Array;
  doubles: Float64Array;
  longs: BigInt64Array;

  constructor(bytes: number = bytesAtFirst) {
    const buffer = new ArrayBuffer(bytes);
    this.words = new Int32Array(buffer);
    this.doubles = new Float64Array(buffer);
    this.longs = new BigInt64Array(buffer);
  }

  /** Doubles the size. Stops the role at the end of the room. */
  grow(): void {
    const before = this.words;
    assert(before.byteLength * 2 <= bytesMax, 'a table stays below its bound');
    const buffer = new ArrayBuffer(before.byteLength * 2);
    this.words = new Int32Array(buffer);
    this.words.set(before);
    this.doubles = new Float64Array(buffer);
    this.longs = new BigInt64Array(buffer);
  }
}
