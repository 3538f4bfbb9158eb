import type { Room } from '#base/room.ts';

const two32 = 4294967296;

/** One field of records of 32 bytes: exact 64-bit integers to which safe integers are added without allocating. */
export class Int64Column {
  private readonly room: Room;
  private readonly field: number;

  /** `field` counts the 64-bit fields of a record before this one. */
  constructor(room: Room, field: number) {
    this.room = room;
    this.field = field;
  }

  get(row: number): bigint {
    return this.room.longs[(row << 2) | this.field]!;
  }

  set(row: number, value: bigint): void {
    this.room.longs[(row << 2) | this.field] = value;
  }

  /** Adds a safe integer, exactly. */
  add(row: number, delta: number): void {
    const at = (row << 3) | (this.field << 1);
    const { words } = this.room;
    const high = Math.floor(delta / two32);
    const sum = (words[at]! >>> 0) + (delta - high * two32);
    words[at] = sum | 0;
    words[at | 1] = (words[at | 1]! + high + (sum >= two32 ? 1 : 0)) | 0;
  }

  /** The value where it is a safe integer; beyond, some number on the same side of every safe integer. */
  near(row: number): number {
    const at = (row << 3) | (this.field << 1);
    return this.room.words[at | 1]! * two32 + (this.room.words[at]! >>> 0);
  }

  isNegative(row: number): boolean {
    return this.room.words[(row << 3) | (this.field << 1) | 1]! < 0;
  }
}
