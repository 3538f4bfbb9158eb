import { HashIndex } from '#base/hash-index.ts';
import { Room } from '#base/room.ts';
import { Int64Column } from '#engine/ledger/int64-column.ts';

const wordsShift = 3;
const accountAt = 4;
const assetAt = 5;
const nextAt = 6;

/**
 * Where an account's money of one asset is: a row from the first movement on, for ever. One record is 32 bytes: free,
 * held, account, asset, next row of the account.
 */
export class BalanceTable {
  /** Rows in use; row numbers are dense. */
  count = 0;
  private readonly room = new Room(128 * 32);
  private readonly words = new Int32Array(this.room.buffer);
  readonly free = new Int64Column(this.room.buffer, 0);
  readonly held = new Int64Column(this.room.buffer, 1);
  private readonly firstRoom = new Room(4096);
  /** By account, its newest row + 1; 0 where there is none. */
  private readonly firstOfAccount = new Int32Array(this.firstRoom.buffer);
  private readonly index = new HashIndex();

  /** Row of (account, asset), made if it does not exist yet. */
  row(account: number, asset: number): number {
    const row = this.find(account, asset);
    return row >= 0 ? row : this.make(account, asset);
  }

  /** Row of (account, asset), -1 if there never was money. */
  find(account: number, asset: number): number {
    const { index, words } = this;
    const hash = hashOf(account, asset);
    for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
      const row = index.reference(at);
      const word = row << wordsShift;
      if (words[word + accountAt] === account && words[word + assetAt] === asset) return row;
    }
    return -1;
  }

  accountOf(row: number): number {
    return this.words[(row << wordsShift) + accountAt]!;
  }

  assetOf(row: number): number {
    return this.words[(row << wordsShift) + assetAt]!;
  }

  /** First row of an account, -1 if none; go on with `next`. Newest row first. */
  first(account: number): number {
    return account < this.firstOfAccount.length ? this.firstOfAccount[account]! - 1 : -1;
  }

  /** Next row of the same account, -1 at the end. */
  next(row: number): number {
    return this.words[(row << wordsShift) + nextAt]! - 1;
  }

  private make(account: number, asset: number): number {
    if (this.count << wordsShift === this.words.length) this.room.grow();
    while (account >= this.firstOfAccount.length) this.firstRoom.grow();
    const row = this.count++;
    const word = row << wordsShift;
    this.words[word + accountAt] = account;
    this.words[word + assetAt] = asset;
    this.words[word + nextAt] = this.firstOfAccount[account]!;
    this.firstOfAccount[account] = row + 1;
    this.index.add(hashOf(account, asset), row);
    return row;
  }
}

function hashOf(account: number, asset: number): number {
  const mixed = Math.imul(account, 0x9e3779b1) ^ Math.imul(asset + 1, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
