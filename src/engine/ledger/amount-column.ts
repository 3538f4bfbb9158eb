import { assert } from '#base/assert.ts';
import type { GrowableBuffer } from '#base/growable-buffer.ts';
import type { Amount } from '#model/units.ts';

/** Word of a record whose bits say which of its amounts are stored as 64-bit integers. */
const wideAt = 7;

/**
 * One amount field of records of 32 bytes, exact up to 64 bits. While the amount is a safe integer it is stored as a
 * double, to which adding is one instruction; above that as a 64-bit integer, and a bit of the record says so.
 */
export class AmountColumn {
  private readonly buffer: GrowableBuffer;
  private readonly field: number;
  private readonly wideBit: number;

  /** `field`: index of this field among the 64-bit fields of a record. */
  constructor(buffer: GrowableBuffer, field: number) {
    this.buffer = buffer;
    this.field = field;
    this.wideBit = 1 << field;
  }

  get(row: number): bigint {
    return BigInt(this.amount(row));
  }

  /** The value as a number where it is a safe integer, else as a bigint. */
  amount(row: number): Amount {
    const at = (row << 2) | this.field;
    return this.isWide(row) ? this.buffer.longs[at]! : this.buffer.doubles[at]!;
  }

  /** Sets an integer. @throws InvariantBroken if it has more than 64 bits. */
  set(row: number, value: Amount): void {
    const at = (row << 2) | this.field;
    const word = (row << 3) | wideAt;
    const { words } = this.buffer;
    if (Number.isSafeInteger(Number(value))) {
      words[word] = words[word]! & ~this.wideBit;
      this.buffer.doubles[at] = Number(value);
    } else {
      const long = BigInt(value);
      assert(BigInt.asIntN(64, long) === long, 'an amount has at most 64 bits');
      words[word] = words[word]! | this.wideBit;
      this.buffer.longs[at] = long;
    }
  }

  /** Adds exactly. */
  add(row: number, delta: Amount): void {
    if (typeof delta === 'number' && !this.isWide(row)) {
      const { doubles } = this.buffer;
      const at = (row << 2) | this.field;
      const after = doubles[at]! + delta;
      if (after >= Number.MIN_SAFE_INTEGER && after <= Number.MAX_SAFE_INTEGER) {
        doubles[at] = after;
        return;
      }
    }
    this.set(row, this.get(row) + BigInt(delta));
  }

  /** The value if it is a safe integer; otherwise an approximation that compares correctly with every safe integer. */
  near(row: number): number {
    const at = (row << 2) | this.field;
    return this.isWide(row) ? Number(this.buffer.longs[at]!) : this.buffer.doubles[at]!;
  }

  isNegative(row: number): boolean {
    return this.near(row) < 0;
  }

  private isWide(row: number): boolean {
    return (this.buffer.words[(row << 3) | wideAt]! & this.wideBit) !== 0;
  }
}
