import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { integer, list } from '#model/codec/field-codec.ts';
import type { AccountId } from '#model/units.ts';
import type { AccountTable } from '#engine/state/accounts/account-table.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const accountIds = list(integer<AccountId>());

/**
 * Accounts that were frozen, or may not trade any more, and still have open orders: an entry cancels a bounded number
 * of orders. DEC-SUB-102, DEC-OPR-167.
 */
export class FrozenOrders implements StateTable {
  readonly name = 'frozenOrders';
  readonly version = 1;
  readonly isInDigest = true;
  /** Whether the running entry added accounts. */
  isFresh = false;
  private readonly accounts: AccountTable;
  private readonly waiting = new Set<AccountId>();

  constructor(accounts: AccountTable) {
    this.accounts = accounts;
  }

  get count(): number {
    return this.waiting.size;
  }

  /** The one that was opened first; `null`: none waits. */
  get next(): AccountId | null {
    let first: AccountId | null = null;
    // any order: the least is the same in each
    for (const account of this.waiting) if (first === null || account < first) first = account;
    return first;
  }

  /** Adds an account with the sub-accounts that are frozen with it, those of them that have open orders. */
  add(frozen: AccountId): void {
    this.isFresh = true;
    for (const { account, master } of this.accounts.records) {
      const isMeant = account === frozen || (master === frozen && this.accounts.isStopped(account));
      if (isMeant && this.accounts.openCount(account) > 0) this.waiting.add(account);
    }
  }

  delete(account: AccountId): void {
    this.waiting.delete(account);
  }

  write(writer: ByteWriter): void {
    accountIds.write(
      writer,
      [...this.waiting].sort((first, second) => first - second),
    );
  }

  read(reader: ByteReader): void {
    for (const account of accountIds.read(reader)) this.waiting.add(account);
  }

  audit(faults: string[]): void {
    // any order: faults are the same in each
    for (const account of this.waiting)
      if (!this.accounts.isUser(account)) faults.push(`orders of account ${account} wait, which is no user's`);
  }
}
