import { assert } from '#base/assert.ts';

/** Bytes that one room may grow to. Address space only: memory is used where it is written to. */
const roomSizeMax = 2 ** 32;

interface GrowingBuffer extends ArrayBuffer {
  resize(size: number): void;
}
const GrowingBuffer = ArrayBuffer as unknown as new (size: number, options: { maxByteLength: number }) => GrowingBuffer;

/**
 * Zeroed bytes that grow where they are: nothing is copied, so growing costs the same at any size, and typed arrays made
 * over the whole buffer once stay valid and grow with it.
 */
export class Room {
  readonly buffer: ArrayBuffer;
  private readonly growing: GrowingBuffer;

  constructor(sizeAtFirst: number) {
    this.growing = new GrowingBuffer(sizeAtFirst, { maxByteLength: roomSizeMax });
    this.buffer = this.growing;
  }

  /** Doubles the size. Stops the role at 4 GiB. */
  grow(): void {
    const size = this.growing.byteLength * 2;
    assert(size <= roomSizeMax, 'a table stays below its bound');
    this.growing.resize(size);
  }
}
