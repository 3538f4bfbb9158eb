const two32 = 4294967296;

/** A growable column of exact 64-bit integers to which safe integers are added without allocating. */
export class Int64Column {
  private words: Int32Array;
  private big: BigInt64Array;

  constructor(capacity: number) {
    this.big = new BigInt64Array(capacity);
    this.words = new Int32Array(this.big.buffer);
  }

  grow(capacity: number): void {
    const bigger = new BigInt64Array(capacity);
    bigger.set(this.big);
    this.big = bigger;
    this.words = new Int32Array(bigger.buffer);
  }

  get(index: number): bigint {
    return this.big[index]!;
  }

  set(index: number, value: bigint): void {
    this.big[index] = value;
  }

  /** Adds a safe integer, exactly. */
  add(index: number, delta: number): void {
    const at = index << 1;
    const high = Math.floor(delta / two32);
    const sum = (this.words[at]! >>> 0) + (delta - high * two32);
    this.words[at] = sum | 0;
    this.words[at + 1] = (this.words[at + 1]! + high + (sum >= two32 ? 1 : 0)) | 0;
  }

  /** The value where it is a safe integer; beyond, some number on the same side of every safe integer. */
  near(index: number): number {
    const at = index << 1;
    return this.words[at + 1]! * two32 + (this.words[at]! >>> 0);
  }

  isNegative(index: number): boolean {
    return this.words[(index << 1) + 1]! < 0;
  }
}
