import { assert } from '#base/assert.ts';
import { GrowableBuffer } from '#base/growable-buffer.ts';
import { SlotLists } from '#base/slot-lists.ts';
import { house, houseAccountCount, type AccountView } from '#domain/account.ts';
import { engineLimits } from '#domain/limits.ts';
import type { AccountId, Uid } from '#domain/units.ts';
import { as } from '#domain/units.ts';

/** Bits of an account that trading looks at; an account with none set is the plain case. */
export const accountFlag = { unusable: 1, ownRates: 2, feeDeduction: 4 } as const;

const houseNames = ['outside', 'fees', 'rounding', 'rebates'];

/**
 * Where the words of an account's record are. `groupsOwned`: self-trade-prevention groups that it has as a master.
 * `groupOfMember`: the one group that it stands in, 0 if none, -1 if several.
 */
const offset = {
  flags: 0,
  master: 1,
  openCount: 2,
  openMax: 3,
  groupsOwned: 4,
  groupOfMember: 5,
} as const;
/** Words of a record, as a power of two. */
const accountShift = 3;

/** Every account by its dense id: the record people see, and beside it the words that the match loop reads. */
export class AccountTable {
  readonly records: AccountView[] = [];
  private readonly buffer = new GrowableBuffer();
  /** Records of all accounts; a new account may replace the view. */
  private words: Int32Array = this.buffer.words;
  /** Slots of each account's open orders, oldest first. */
  readonly openOrders = new SlotLists();
  private readonly byUid = new Map<Uid, AccountId>();

  constructor() {
    for (let id = 0; id < houseAccountCount; id += 1) {
      this.add({
        account: as<AccountId>(id),
        uid: as<Uid>(id + 1),
        name: `house:${houseNames[id]}`,
        master: as<AccountId>(id),
        class: 'user',
        status: 'normal',
        kycLevel: 4,
        simulated: true,
        feeDeduction: false,
        makerFeePpm: null,
        takerFeePpm: null,
        openOrdersMax: engineLimits.openOrdersPerAccount,
        openedAt: as(0),
      });
    }
  }

  get size(): number {
    return this.records.length;
  }

  isUser(account: number): boolean {
    return Number.isInteger(account) && account >= houseAccountCount && account < this.records.length;
  }

  get(account: AccountId): AccountView | null {
    return this.records[account] ?? null;
  }

  find(uid: Uid): AccountId | null {
    return this.byUid.get(uid) ?? null;
  }

  /** Adds the account with the next id, or replaces the record of one that exists. */
  put(record: AccountView): void {
    if (record.account === this.records.length) {
      this.add(record);
      return;
    }
    assert(record.account < this.records.length, 'accounts are opened in the order of their ids');
    assert(record.account > house.rebates, 'house accounts never change');
    this.records[record.account] = record;
    this.mirror(record);
  }

  /** Whether its flags have any of these bits of `accountFlag`. */
  has(account: number, flag: number): boolean {
    return (this.words[(account << accountShift) | offset.flags]! & flag) !== 0;
  }
  /** The master of a sub-account; else itself. */
  master(account: number): AccountId {
    return this.words[(account << accountShift) | offset.master]! as AccountId;
  }
  /** Whether it is a user's account and no sub-account. */
  isMaster(account: number): boolean {
    return this.isUser(account) && this.master(account) === account;
  }
  /** How many orders it has open. */
  openCount(account: number): number {
    return this.words[(account << accountShift) | offset.openCount]!;
  }
  countOpen(account: number, change: 1 | -1): void {
    const at = (account << accountShift) | offset.openCount;
    this.words[at] = this.words[at]! + change;
  }
  /** How many orders it may have open. */
  openMax(account: number): number {
    return this.words[(account << accountShift) | offset.openMax]!;
  }
  /** Self-trade-prevention groups that it has as a master. */
  groupsOwned(account: number): number {
    return this.words[(account << accountShift) | offset.groupsOwned]!;
  }
  setGroupsOwned(account: number, count: number): void {
    this.words[(account << accountShift) | offset.groupsOwned] = count;
  }
  /** The one self-trade-prevention group that it stands in, 0 if none, -1 if several. */
  groupOfMember(account: number): number {
    return this.words[(account << accountShift) | offset.groupOfMember]!;
  }
  setGroupOfMember(account: number, group: number): void {
    this.words[(account << accountShift) | offset.groupOfMember] = group;
  }

  private add(record: AccountView): void {
    assert(!this.byUid.has(record.uid), 'a uid stands for one account');
    const id = this.records.length;
    if ((id + 1) << accountShift > this.words.length) {
      this.buffer.grow();
      this.words = this.buffer.words;
    }
    this.records.push(record);
    this.byUid.set(record.uid, record.account);
    this.mirror(record);
  }

  private mirror(record: AccountView): void {
    const base = record.account << accountShift;
    this.words[base | offset.master] = record.master;
    this.words[base | offset.openMax] = record.openOrdersMax;
    this.words[base | offset.flags] =
      (record.status === 'normal' ? 0 : accountFlag.unusable) |
      (record.makerFeePpm !== null || record.takerFeePpm !== null ? accountFlag.ownRates : 0) |
      (record.feeDeduction ? accountFlag.feeDeduction : 0);
  }
}
