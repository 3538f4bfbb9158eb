import { assert } from '#base/assert.ts';

/** Memory is counted in pages of 64 KiB; a room ends at 4 GiB. */
const bytesPerPage = 65_536;
const pagesMax = 65_536;

interface GrowingMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
const { Memory } = (
  globalThis as unknown as {
    WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => GrowingMemory };
  }
).WebAssembly;

/**
 * Zeroed bytes that grow where they are: address space is set aside at first and memory used as it is written to, so
 * growing copies nothing and costs the same at any size. Growing replaces the views: take them from the room anew
 * whenever it may have grown.
 */
export class Room {
  words: Int32Array;
  doubles: Float64Array;
  longs: BigInt64Array;
  private readonly memory: GrowingMemory;

  constructor() {
    this.memory = new Memory({ initial: 1, maximum: pagesMax });
    this.words = new Int32Array(this.memory.buffer);
    this.doubles = new Float64Array(this.memory.buffer);
    this.longs = new BigInt64Array(this.memory.buffer);
  }

  /** Doubles the size. Stops the role at the end of the room. */
  grow(): void {
    const pages = this.words.byteLength / bytesPerPage;
    assert(pages * 2 <= pagesMax, 'a table stays below its bound');
    this.memory.grow(pages);
    this.words = new Int32Array(this.memory.buffer);
    this.doubles = new Float64Array(this.memory.buffer);
    this.longs = new BigInt64Array(this.memory.buffer);
  }
}
