import type { GrowableBuffer } from '#base/growable-buffer.ts';

/** Where a hold stands in a record: doubles of the record as a power of two, the amount's double, the row's word. */
export interface HoldPlace {
  readonly shift: number;
  readonly amount: number;
  readonly row: number;
}

/** The amount where nothing is held. */
const none = -1;

/**
 * Money set aside, each piece in the record of what it is set aside for and with the number of that record, beside the
 * balance row it came from: what is held on a row is always the sum of its holds. Whoever has a hold names it by that
 * number and never touches a balance.
 */
export class HoldTable {
  /** Holds in use. */
  count = 0;
  private readonly owners: GrowableBuffer;
  private readonly shift: number;
  private readonly amountAt: number;
  private readonly rowAt: number;

  constructor(owners: GrowableBuffer, { shift, amount, row }: HoldPlace) {
    this.owners = owners;
    this.shift = shift;
    this.amountAt = amount;
    this.rowAt = row;
  }

  /** Makes the place for a hold in a new record, an empty one. */
  clear(hold: number): void {
    this.owners.doubles[(hold << this.shift) | this.amountAt] = none;
  }

  /** Holds `amount` of the balance row that stands in the record. */
  open(hold: number, amount: number): void {
    this.count += 1;
    this.owners.doubles[(hold << this.shift) | this.amountAt] = amount;
  }

  isOpen(hold: number): boolean {
    return this.amount(hold) !== none;
  }

  row(hold: number): number {
    return this.owners.words[(hold << (this.shift + 1)) | this.rowAt]!;
  }

  amount(hold: number): number {
    return this.owners.doubles[(hold << this.shift) | this.amountAt]!;
  }

  reduce(hold: number, amount: number): void {
    const at = (hold << this.shift) | this.amountAt;
    this.owners.doubles[at] = this.owners.doubles[at]! - amount;
  }

  close(hold: number): void {
    this.count -= 1;
    this.clear(hold);
  }
}
