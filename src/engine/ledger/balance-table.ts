import { assert } from '#base/assert.ts';
import { HashIndex } from '#base/hash-index.ts';
import { GrowableBuffer } from '#base/growable-buffer.ts';
import { ledgerSections } from '#model/account.ts';
import { AmountColumn } from '#engine/ledger/amount-column.ts';

const { sectionSize } = ledgerSections;
const wordsShift = 3;
const accountAt = 4;
const assetAt = 5;
const nextAt = 6;

/**
 * Balances by account and asset. A row exists from the first movement on and is never removed. One record is 32 bytes:
 * free, held, account, asset, next row of the account, and a word that says how the two amounts are stored.
 */
export class BalanceTable {
  /** Rows in use; row numbers are dense. */
  count = 0;
  private readonly buffer = new GrowableBuffer();
  readonly free = new AmountColumn(this.buffer, 0);
  readonly held = new AmountColumn(this.buffer, 1);
  /** Newest row + 1 of each account, per section of ledger accounts; 0 if there is none. */
  private readonly firstRows = [new GrowableBuffer(), new GrowableBuffer(), new GrowableBuffer()] as const;
  private readonly index = new HashIndex();

  /** Row of (account, asset); creates it if it does not exist. */
  row(account: number, asset: number): number {
    const row = this.find(account, asset);
    return row >= 0 ? row : this.make(account, asset);
  }

  /** Row of (account, asset), -1 if there never was money. */
  find(account: number, asset: number): number {
    const { index } = this;
    const hash = hashOf(account, asset);
    for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
      const row = index.reference(at);
      if (this.isOf(row, account, asset)) return row;
    }
    return -1;
  }

  accountOf(row: number): number {
    return this.buffer.words[(row << wordsShift) | accountAt]!;
  }

  assetOf(row: number): number {
    return this.buffer.words[(row << wordsShift) | assetAt]!;
  }

  /** First row of an account, newest first, -1 if there is none; continue with `next`. */
  first(account: number): number {
    const { words } = this.firstRowsOf(account);
    const at = account % sectionSize;
    return at < words.length ? words[at]! - 1 : -1;
  }

  /** Next row of the same account, -1 at the end. */
  next(row: number): number {
    return this.buffer.words[(row << wordsShift) | nextAt]! - 1;
  }

  private firstRowsOf(account: number): GrowableBuffer {
    const rows = this.firstRows[Math.floor(account / sectionSize)];
    assert(rows !== undefined, 'a ledger account has a section');
    return rows;
  }

  private isOf(row: number, account: number, asset: number): boolean {
    const { words } = this.buffer;
    const word = row << wordsShift;
    return words[word | accountAt] === account && words[word | assetAt] === asset;
  }

  private make(account: number, asset: number): number {
    if (this.count << wordsShift === this.buffer.words.length) this.buffer.grow();
    const firstRows = this.firstRowsOf(account);
    const at = account % sectionSize;
    while (at >= firstRows.words.length) firstRows.grow();
    const row = this.count++;
    const word = row << wordsShift;
    const { words } = this.buffer;
    words[word | accountAt] = account;
    words[word | assetAt] = asset;
    words[word | nextAt] = firstRows.words[at]!;
    firstRows.words[at] = row + 1;
    this.index.insert(hashOf(account, asset), row);
    return row;
  }
}

function hashOf(account: number, asset: number): number {
  const mixed = Math.imul(account, 0x9e3779b1) ^ Math.imul(asset + 1, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
