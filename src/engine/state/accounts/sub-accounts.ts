import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { type SubAccountView, subAccount } from '#model/sub-account.ts';
import { list } from '#model/codec/field-codec.ts';
import type { AccountId } from '#model/units.ts';
import type { AccountTable } from '#engine/state/accounts/account-table.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const subAccounts = list(subAccount);

/**
 * Sub-accounts by account, by master, and by name under their master. An account that was opened with a master but
 * without a name of its own is none of them. DEC-SUB-01.
 */
export class SubAccounts implements StateTable {
  readonly name = 'subAccounts';
  readonly version = 1;
  readonly isInDigest = true;
  private readonly accounts: AccountTable;
  private readonly byAccount = new Map<AccountId, SubAccountView>();
  private readonly byMaster = new Map<AccountId, AccountId[]>();
  private readonly byName = new Map<string, AccountId>();

  constructor(accounts: AccountTable) {
    this.accounts = accounts;
  }

  of(account: AccountId): SubAccountView | null {
    return this.byAccount.get(account) ?? null;
  }

  /** Of this master, in the order in which they were opened. */
  ofMaster(master: AccountId): readonly AccountId[] {
    return this.byMaster.get(master) ?? [];
  }

  /** The one that its master calls so; names of other masters are not read. */
  named(master: AccountId, name: string): SubAccountView | null {
    const account = this.byName.get(keyOf(master, name));
    return account === undefined ? null : this.of(account);
  }

  /** Adds the one that was opened last, or replaces the record of one that exists; its master and name stay. */
  put(next: SubAccountView): void {
    if (!this.byAccount.has(next.account)) {
      const siblings = this.byMaster.get(next.master);
      if (siblings === undefined) this.byMaster.set(next.master, [next.account]);
      else siblings.push(next.account);
      this.byName.set(keyOf(next.master, next.name), next.account);
    }
    this.byAccount.set(next.account, next);
  }

  write(writer: ByteWriter): void {
    subAccounts.write(
      writer,
      [...this.byAccount.values()].sort((first, second) => first.account - second.account),
    );
  }

  read(reader: ByteReader): void {
    for (const each of subAccounts.read(reader)) this.put(each);
  }

  audit(faults: string[]): void {
    if (this.byName.size !== this.byAccount.size)
      faults.push(`${this.byAccount.size} sub-accounts have ${this.byName.size} names`);
    // any order: faults are the same in each
    for (const { account, uid, master, name } of this.byAccount.values()) {
      const record = this.accounts.get(account);
      if (record?.uid !== uid || record.master !== master || record.name !== name || master === account)
        faults.push(`sub-account ${account} is not the account that it says`);
      if (!this.accounts.isMaster(master)) faults.push(`master ${master} of sub-account ${account} is none`);
    }
  }
}

/** Names have no `/`. */
const keyOf = (master: AccountId, name: string): string => `${master}/${name}`;
