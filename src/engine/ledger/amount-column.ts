import { assert } from '#base/assert.ts';
import type { Room } from '#base/room.ts';
import type { Amount } from '#domain/units.ts';

/** Word of a record that tells which of its amounts are too large for a double. */
const wideAt = 7;

/**
 * One field of records of 32 bytes: exact amounts of 64 bits. As long as an amount is a safe integer the field is a
 * double, to which adding is one instruction; beyond that it is a 64-bit integer, and a bit of the record says so.
 */
export class AmountColumn {
  private readonly room: Room;
  private readonly field: number;
  private readonly wideBit: number;

  /** `field` counts the 64-bit fields of a record before this one. */
  constructor(room: Room, field: number) {
    this.room = room;
    this.field = field;
    this.wideBit = 1 << field;
  }

  get(row: number): bigint {
    return BigInt(this.amount(row));
  }

  /** The value as a number where it is a safe integer, else as a bigint. */
  amount(row: number): Amount {
    const at = (row << 2) | this.field;
    return this.isWide(row) ? this.room.longs[at]! : this.room.doubles[at]!;
  }

  /** Sets an integer. Stops the role at one of more than 64 bits. */
  set(row: number, value: Amount): void {
    const at = (row << 2) | this.field;
    const word = (row << 3) | wideAt;
    const { words } = this.room;
    if (Number.isSafeInteger(Number(value))) {
      words[word] = words[word]! & ~this.wideBit;
      this.room.doubles[at] = Number(value);
    } else {
      const long = BigInt(value);
      assert(BigInt.asIntN(64, long) === long, 'an amount has at most 64 bits');
      words[word] = words[word]! | this.wideBit;
      this.room.longs[at] = long;
    }
  }

  /** Adds exactly. */
  add(row: number, delta: Amount): void {
    if (typeof delta === 'number' && !this.isWide(row)) {
      const { doubles } = this.room;
      const at = (row << 2) | this.field;
      const after = doubles[at]! + delta;
      if (after >= Number.MIN_SAFE_INTEGER && after <= Number.MAX_SAFE_INTEGER) {
        doubles[at] = after;
        return;
      }
    }
    this.set(row, this.get(row) + BigInt(delta));
  }

  /** The value where it is a safe integer; beyond, some number on the same side of every safe integer. */
  near(row: number): number {
    const at = (row << 2) | this.field;
    return this.isWide(row) ? Number(this.room.longs[at]!) : this.room.doubles[at]!;
  }

  isNegative(row: number): boolean {
    return this.near(row) < 0;
  }

  private isWide(row: number): boolean {
    return (this.room.words[(row << 3) | wideAt]! & this.wideBit) !== 0;
  }
}
