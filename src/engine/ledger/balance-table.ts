import { Int64Column } from '#engine/ledger/int64-column.ts';

/** Where an account's money of one asset is: a row from the first movement on, for ever. */
export class BalanceTable {
  /** Rows in use; row numbers are dense. */
  count = 0;
  free: Int64Column;
  held: Int64Column;
  account: Int32Array;
  asset: Int32Array;
  /** Next row of the same account, -1 at the end. */
  nextOfAccount: Int32Array;
  private firstOfAccount: Int32Array = new Int32Array(64).fill(-1);
  private index: Int32Array;
  private mask: number;

  constructor(capacity = 256) {
    this.free = new Int64Column(capacity);
    this.held = new Int64Column(capacity);
    this.account = new Int32Array(capacity);
    this.asset = new Int32Array(capacity);
    this.nextOfAccount = new Int32Array(capacity);
    this.index = new Int32Array(capacity * 2);
    this.mask = capacity * 2 - 1;
  }

  /** Row of (account, asset), made if it does not exist yet. */
  row(account: number, asset: number): number {
    let probe = this.home(account, asset);
    for (;;) {
      const row = this.index[probe]! - 1;
      if (row < 0) return this.make(account, asset);
      if (this.account[row] === account && this.asset[row] === asset) return row;
      probe = (probe + 1) & this.mask;
    }
  }

  /** Row of (account, asset), -1 if there never was money. */
  find(account: number, asset: number): number {
    let probe = this.home(account, asset);
    for (;;) {
      const row = this.index[probe]! - 1;
      if (row < 0 || (this.account[row] === account && this.asset[row] === asset)) return row;
      probe = (probe + 1) & this.mask;
    }
  }

  /** First row of an account, -1 if none; follow `nextOfAccount`. Newest row first. */
  first(account: number): number {
    return account < this.firstOfAccount.length ? this.firstOfAccount[account]! : -1;
  }

  private home(account: number, asset: number): number {
    const mixed = Math.imul(account, 0x9e3779b1) ^ Math.imul(asset + 1, 0x85ebca6b);
    return (mixed ^ (mixed >>> 15)) & this.mask;
  }

  private make(account: number, asset: number): number {
    if (this.count === this.account.length) this.grow();
    const row = this.count++;
    this.account[row] = account;
    this.asset[row] = asset;
    if (account >= this.firstOfAccount.length) {
      const wider = new Int32Array(Math.max(account + 1, this.firstOfAccount.length * 2)).fill(-1);
      wider.set(this.firstOfAccount);
      this.firstOfAccount = wider;
    }
    this.nextOfAccount[row] = this.firstOfAccount[account]!;
    this.firstOfAccount[account] = row;
    this.enter(row);
    return row;
  }

  private enter(row: number): void {
    let probe = this.home(this.account[row]!, this.asset[row]!);
    while (this.index[probe] !== 0) probe = (probe + 1) & this.mask;
    this.index[probe] = row + 1;
  }

  private grow(): void {
    const capacity = this.account.length * 2;
    this.free.grow(capacity);
    this.held.grow(capacity);
    this.account = widened(this.account, capacity);
    this.asset = widened(this.asset, capacity);
    this.nextOfAccount = widened(this.nextOfAccount, capacity);
    this.index = new Int32Array(capacity * 2);
    this.mask = capacity * 2 - 1;
    for (let row = 0; row < this.count; row += 1) this.enter(row);
  }
}

function widened(column: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(capacity);
  wider.set(column);
  return wider;
}
