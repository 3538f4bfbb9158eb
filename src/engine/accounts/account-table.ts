import { assert } from '#base/assert.ts';
import { house, houseAccountCount, type AccountView } from '#domain/account.ts';
import { engineLimits } from '#domain/limits.ts';
import type { AccountId, Uid } from '#domain/units.ts';
import { as } from '#domain/units.ts';

/** Bits of an account that trading looks at; an account with none set is the plain case. */
export const accountFlag = { unusable: 1, ownRates: 2, feeDeduction: 4 } as const;

const houseNames = ['outside', 'fees', 'rounding', 'rebates'];

/** Every account by its dense id: the record people see, and beside it the columns that the match loop reads. */
export class AccountTable {
  readonly records: AccountView[] = [];
  flags = new Uint8Array(64);
  master = new Int32Array(64);
  openCount = new Int32Array(64);
  openMax = new Int32Array(64);
  /** Ends of the list of open orders, oldest first; -1 when empty. */
  firstOrder = new Int32Array(64);
  lastOrder = new Int32Array(64);
  private readonly byUid = new Map<Uid, AccountId>();

  constructor() {
    for (let id = 0; id < houseAccountCount; id += 1) {
      this.add({
        account: as<AccountId>(id), uid: as<Uid>(id + 1), name: `house:${houseNames[id]}`, master: as<AccountId>(id),
        class: 'user', status: 'normal', kycLevel: 4, simulated: true, feeDeduction: false,
        makerFeePpm: null, takerFeePpm: null, openOrdersMax: engineLimits.openOrdersPerAccount, openedAt: as(0),
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

  private add(record: AccountView): void {
    assert(!this.byUid.has(record.uid), 'a uid stands for one account');
    const id = this.records.length;
    if (id === this.flags.length) this.grow();
    this.records.push(record);
    this.byUid.set(record.uid, record.account);
    this.firstOrder[id] = -1;
    this.lastOrder[id] = -1;
    this.mirror(record);
  }

  private mirror(record: AccountView): void {
    const id = record.account;
    this.master[id] = record.master;
    this.openMax[id] = record.openOrdersMax;
    this.flags[id] = (record.status === 'normal' ? 0 : accountFlag.unusable)
      | (record.makerFeePpm !== null || record.takerFeePpm !== null ? accountFlag.ownRates : 0)
      | (record.feeDeduction ? accountFlag.feeDeduction : 0);
  }

  private grow(): void {
    const length = this.flags.length * 2;
    const flags = new Uint8Array(length);
    flags.set(this.flags);
    this.flags = flags;
    const widen = (column: Int32Array): Int32Array<ArrayBuffer> => {
      const wider = new Int32Array(length);
      wider.set(column);
      return wider;
    };
    this.master = widen(this.master);
    this.openCount = widen(this.openCount);
    this.openMax = widen(this.openMax);
    this.firstOrder = widen(this.firstOrder);
    this.lastOrder = widen(this.lastOrder);
  }
}
