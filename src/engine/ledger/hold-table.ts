/**
 * Money set aside, each piece a record of its own with the row it came from: what is held on a row is always the sum of
 * its holds. Orders name their hold by its id and never touch a balance themselves.
 */
export class HoldTable {
  /** Holds in use. */
  count = 0;
  private amounts: Float64Array;
  private rows: Int32Array;
  private freeHead = -1;
  private used = 0;

  constructor(capacity = 256) {
    this.amounts = new Float64Array(capacity);
    this.rows = new Int32Array(capacity);
  }

  /** A new hold of `amount` on a balance row; answers its id. */
  open(row: number, amount: number): number {
    let hold = this.freeHead;
    if (hold >= 0) {
      this.freeHead = this.rows[hold]!;
    } else {
      if (this.used === this.rows.length) this.grow();
      hold = this.used++;
    }
    this.count += 1;
    this.rows[hold] = row;
    this.amounts[hold] = amount;
    return hold;
  }

  row(hold: number): number {
    return this.rows[hold]!;
  }

  amount(hold: number): number {
    return this.amounts[hold]!;
  }

  reduce(hold: number, amount: number): void {
    this.amounts[hold] = this.amounts[hold]! - amount;
  }

  close(hold: number): void {
    this.count -= 1;
    this.amounts[hold] = -1;
    this.rows[hold] = this.freeHead;
    this.freeHead = hold;
  }

  private grow(): void {
    const amounts = new Float64Array(this.amounts.length * 2);
    amounts.set(this.amounts);
    this.amounts = amounts;
    const rows = new Int32Array(this.rows.length * 2);
    rows.set(this.rows);
    this.rows = rows;
  }
}
