import { assert } from '#base/assert.ts';
import { GrowableBuffer } from '#base/growable-buffer.ts';
import { SlotLists } from '#base/slot-lists.ts';
import {
  account,
  type AccountStatus,
  type AccountSwitch,
  type AccountView,
  allSwitchedOn,
  house,
  houseAccountCount,
} from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import { personOf } from '#model/person.ts';
import type { AccountId, Uid } from '#model/units.ts';
import { as } from '#model/units.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/**
 * Flags of an account that matching reads; most accounts have none. `stopsSubAccounts`: it is not usable, and with it
 * none of its sub-accounts.
 */
export const accountFlag = { unusable: 1, ownRates: 2, feeDeduction: 4, stopsSubAccounts: 8, closed: 1024 } as const;
/** Flags of switches that are off; the next bit of each: they are off for its sub-accounts too. */
const offFlag: Readonly<Record<AccountSwitch, number>> = { trade: 16, withdraw: 64, api: 256 };
const ofSubAccounts = (flag: number): number => flag << 1;
const stoppedFlags = accountFlag.unusable | offFlag.trade;
const stoppedBelowFlags = accountFlag.stopsSubAccounts | ofSubAccounts(offFlag.trade);

const houseNames = ['outside', 'fees', 'rounding', 'rebates'];

/**
 * Offsets of the words in an account's record. `groupsOwned`: self-trade-prevention groups that it owns as a master.
 * `groupOfMember`: the one group it is a member of, 0 if none, -1 if several. `inviter`: who earns from what it pays;
 * `rebateRates`: index + 1 of its own rates for spot trades as an inviter, 0 for the defaults.
 */
const offset = {
  flags: 0,
  master: 1,
  openCount: 2,
  openOrdersMax: 3,
  groupsOwned: 4,
  groupOfMember: 5,
  inviter: 6,
  rebateRates: 7,
} as const;
/** Words of a record, as a power of two. */
const accountShift = 3;

/** Accounts by dense id: the record that queries return, and the words that matching reads. */
export class AccountTable extends RecordTable<AccountView> {
  readonly name = 'accounts';
  readonly records: AccountView[] = [];
  private readonly buffer = new GrowableBuffer();
  /** Words of all accounts; adding an account may replace the view. */
  private words: Int32Array = this.buffer.words;
  /** Slots of each account's open orders, oldest first. */
  readonly openOrders = new SlotLists();
  private readonly byUid = new Map<Uid, AccountId>();
  /** Users' accounts by name, folded. Names never change. */
  private readonly byName = new Map<string, AccountId[]>();

  constructor() {
    super(account);
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
        switches: allSwitchedOn,
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

  /** Users' accounts of a name, in the order of opening; case and blanks around do not count. */
  named(name: string): readonly AccountId[] {
    return this.byName.get(personOf(name)) ?? [];
  }

  /** Every account but those of the house, which exist from the beginning, in the order of opening. */
  all(): readonly AccountView[] {
    return this.records.slice(houseAccountCount);
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

  /** Whether any of these bits of `accountFlag` is set. */
  has(account: number, flag: number): boolean {
    return (this.words[(account << accountShift) | offset.flags]! & flag) !== 0;
  }
  /** Whether it may read and cancel at most: by its own status or its master's. DEC-SUB-101. */
  isUnusable(account: number): boolean {
    return this.has(account, accountFlag.unusable) || this.has(this.master(account), accountFlag.stopsSubAccounts);
  }
  /** Whether it was closed: it had nothing then, and gets nothing until it is opened again. DEC-OPR-235. */
  isClosed(account: number): boolean {
    return this.has(account, accountFlag.closed);
  }
  /** Whether something is off for it: by its own switch, or by its master's unless that is a broker. DEC-OPR-167. */
  isOff(account: number, name: AccountSwitch): boolean {
    const flag = offFlag[name];
    return this.has(account, flag) || this.has(this.master(account), ofSubAccounts(flag));
  }
  /** Whether it places no orders: it is not usable, or its trading is off. */
  isStopped(account: number): boolean {
    return this.has(account, stoppedFlags) || this.has(this.master(account), stoppedBelowFlags);
  }
  /**
   * What an account may do: a sub-account no more than its master, unless that is a broker. Its record has its own
   * status. DEC-SUB-101.
   */
  statusOf(account: AccountId): AccountStatus {
    const { status } = this.records[account]!;
    const master = this.master(account);
    if (status === 'abnormal' || status === 'closed' || !this.has(master, accountFlag.stopsSubAccounts)) return status;
    return this.records[master]!.status;
  }
  /** The master of a sub-account; else itself. */
  master(account: number): AccountId {
    return this.words[(account << accountShift) | offset.master]! as AccountId;
  }
  /** Whether it is a user's account and no sub-account. */
  isMaster(account: number): boolean {
    return this.isUser(account) && this.master(account) === account;
  }
  /** Whether any account has this one as its master. Reads all accounts. */
  hasSubAccounts(master: AccountId): boolean {
    return this.records.some((record) => record.master === master && record.account !== master);
  }
  /** Number of open orders. */
  openCount(account: number): number {
    return this.words[(account << accountShift) | offset.openCount]!;
  }
  /** Appends a resting order to the open orders of an account, and counts it for the open-order cap. */
  addOpenOrder(account: number, slot: number): void {
    this.words[(account << accountShift) | offset.openCount]! += 1;
    this.openOrders.append(account, slot);
  }
  /** Removes an order from the open orders of an account, and from their count. */
  removeOpenOrder(account: number, slot: number): void {
    this.openOrders.remove(account, slot);
    this.words[(account << accountShift) | offset.openCount]! -= 1;
  }
  /** Open-order cap: the greatest number of open orders. */
  openOrdersMax(account: number): number {
    return this.words[(account << accountShift) | offset.openOrdersMax]!;
  }
  /** Number of self-trade-prevention groups that it owns as a master. */
  groupsOwned(account: number): number {
    return this.words[(account << accountShift) | offset.groupsOwned]!;
  }
  setGroupsOwned(account: number, count: number): void {
    this.words[(account << accountShift) | offset.groupsOwned] = count;
  }
  /** The one self-trade-prevention group it is a member of, 0 if none, -1 if several. */
  groupOfMember(account: number): number {
    return this.words[(account << accountShift) | offset.groupOfMember]!;
  }
  setGroupOfMember(account: number, group: number): void {
    this.words[(account << accountShift) | offset.groupOfMember] = group;
  }
  /**
   * Who invited the source of its commissions, 0 if nobody did. Of a broker's sub-account that is the broker, of other
   * sub-accounts the inviter of their master. DEC-SUB-29.
   */
  inviter(account: number): AccountId {
    return this.words[(account << accountShift) | offset.inviter]! as AccountId;
  }
  /** Sets the inviter of an account that is its own master and has no sub-accounts yet. */
  setInviter(account: number, inviter: AccountId): void {
    this.words[(account << accountShift) | offset.inviter] = inviter;
  }
  /**
   * Gives sub-accounts the inviters that they had when they were opened: an image has invitations after all accounts.
   * An account with sub-accounts neither becomes a broker nor stops being one, and nobody's inviter changes.
   */
  inheritInviters(): void {
    for (const { account, master } of this.records)
      if (master !== account) this.setInviter(account, this.inviterOfSubAccounts(master));
  }
  /** Index + 1 of its own rates as an inviter, 0 if it has none. */
  rebateRates(account: number): number {
    return this.words[(account << accountShift) | offset.rebateRates]!;
  }
  setRebateRates(account: number, rates: number): void {
    this.words[(account << accountShift) | offset.rebateRates] = rates;
  }

  private add(record: AccountView): void {
    assert(!this.byUid.has(record.uid), 'a uid belongs to one account');
    const id = this.records.length;
    if ((id + 1) << accountShift > this.words.length) {
      this.buffer.grow();
      this.words = this.buffer.words;
    }
    this.records.push(record);
    this.byUid.set(record.uid, record.account);
    this.mirror(record);
    this.addName(record);
    const { account, master } = record;
    if (master !== account) this.setInviter(account, this.inviterOfSubAccounts(master));
  }

  private addName({ account, name }: AccountView): void {
    if (account < houseAccountCount) return;
    const folded = personOf(name);
    const others = this.byName.get(folded);
    if (others === undefined) this.byName.set(folded, [account]);
    else others.push(account);
  }

  private inviterOfSubAccounts(master: AccountId): AccountId {
    return this.records[master]!.class === 'broker' ? master : this.inviter(master);
  }

  private mirror(record: AccountView): void {
    const base = record.account << accountShift;
    this.words[base | offset.master] = record.master;
    this.words[base | offset.openOrdersMax] = record.openOrdersMax;
    this.words[base | offset.flags] =
      (record.status === 'normal' ? 0 : accountFlag.unusable) |
      (record.status === 'closed' ? accountFlag.closed : 0) |
      (record.status === 'normal' || record.class === 'broker' ? 0 : accountFlag.stopsSubAccounts) |
      (record.makerFeePpm !== null || record.takerFeePpm !== null ? accountFlag.ownRates : 0) |
      (record.feeDeduction ? accountFlag.feeDeduction : 0) |
      offFlagsOf(record);
  }
}

function offFlagsOf({ switches, class: ofWhom }: AccountView): number {
  let flags = 0;
  for (const name of Object.keys(offFlag) as AccountSwitch[]) {
    if (switches[name]) continue;
    flags |= offFlag[name] | (ofWhom === 'broker' ? 0 : ofSubAccounts(offFlag[name]));
  }
  return flags;
}
