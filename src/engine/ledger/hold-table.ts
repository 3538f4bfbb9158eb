import { Room } from '#base/room.ts';

/**
 * Money set aside, each piece a record of its own with the row it came from: what is held on a row is always the sum of
 * its holds. Orders name their hold by its id and never touch a balance themselves.
 */
export class HoldTable {
  /** Holds in use. */
  count = 0;
  /** One record is 16 bytes: the amount, then the balance row; of a free one the next free hold. */
  private readonly room = new Room();
  private freeHead = -1;
  private used = 0;

  /** A new hold of `amount` on a balance row; answers its id. */
  open(row: number, amount: number): number {
    let hold = this.freeHead;
    if (hold >= 0) {
      this.freeHead = this.room.words[(hold << 2) | 2]!;
    } else {
      if (this.used << 1 === this.room.doubles.length) this.room.grow();
      hold = this.used++;
    }
    this.count += 1;
    this.room.words[(hold << 2) | 2] = row;
    this.room.doubles[hold << 1] = amount;
    return hold;
  }

  /** Notes a hold. */
  note(hold: number): void {
    if (hold >= 0) this.room.note(hold << 2);
  }

  /** Reads what was noted; what it answers means nothing. */
  readNoted(): number {
    return this.room.readNoted();
  }

  row(hold: number): number {
    return this.room.words[(hold << 2) | 2]!;
  }

  amount(hold: number): number {
    return this.room.doubles[hold << 1]!;
  }

  reduce(hold: number, amount: number): void {
    this.room.doubles[hold << 1] = this.room.doubles[hold << 1]! - amount;
  }

  close(hold: number): void {
    this.count -= 1;
    this.room.doubles[hold << 1] = -1;
    this.room.words[(hold << 2) | 2] = this.freeHead;
    this.freeHead = hold;
  }
}
