import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { integer, list } from '#model/codec/field-codec.ts';
import { type SavedAddress, savedAddress } from '#model/wallet.ts';
import type { AccountId } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

/** What a saved address is found by. */
export type SavedAddressName = Omit<SavedAddress, 'savedAt' | 'tag'>;

const addresses = list(savedAddress);
const accounts = list(integer<AccountId>());
const ascending = (first: number, second: number): number => first - second;

/** Addresses that accounts saved, and which accounts pay saved addresses only. */
export class SavedAddresses implements StateTable {
  readonly name = 'savedAddresses';
  readonly version = 1;
  readonly isInDigest = true;
  /** Of all accounts. */
  count = 0;
  private readonly byAccount = new Map<AccountId, SavedAddress[]>();
  private readonly allowLists = new Set<AccountId>();

  /** In the order in which they were saved. */
  of(account: AccountId): readonly SavedAddress[] {
    return this.byAccount.get(account) ?? [];
  }

  find(name: SavedAddressName): SavedAddress | null {
    return this.of(name.account).find((each) => isSame(each, name)) ?? null;
  }

  /** Adds an address, or replaces the one of this name. */
  put(address: SavedAddress): void {
    const own = this.byAccount.get(address.account) ?? [];
    const at = own.findIndex((each) => isSame(each, address));
    this.byAccount.set(address.account, own);
    if (at >= 0) {
      own[at] = address;
      return;
    }
    own.push(address);
    this.count += 1;
  }

  delete(address: SavedAddress): void {
    const rest = this.of(address.account).filter((each) => each !== address);
    if (rest.length === 0) this.byAccount.delete(address.account);
    else this.byAccount.set(address.account, rest);
    this.count -= 1;
  }

  isWithdrawalAllowListOn(account: AccountId): boolean {
    return this.allowLists.has(account);
  }

  setAllowList(account: AccountId, enabled: boolean): void {
    if (enabled) this.allowLists.add(account);
    else this.allowLists.delete(account);
  }

  write(writer: ByteWriter): void {
    const owners = [...this.byAccount.keys()].sort(ascending);
    addresses.write(
      writer,
      owners.flatMap((account) => this.of(account)),
    );
    accounts.write(writer, [...this.allowLists].sort(ascending));
  }

  read(reader: ByteReader): void {
    for (const address of addresses.read(reader)) this.put(address);
    for (const account of accounts.read(reader)) this.setAllowList(account, true);
  }

  audit(): void {}
}

const isSame = (first: SavedAddressName, second: SavedAddressName): boolean =>
  first.asset === second.asset &&
  first.network === second.network &&
  first.address === second.address &&
  first.memo === second.memo;
