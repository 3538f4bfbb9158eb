import type { AccountClass } from '#model/account.ts';
import type { Permission, PermissionSet } from '#model/permission.ts';
import { allPermissions, permissionSet, permissions } from '#model/permission.ts';
import type { Balance, Uid } from '#model/units.ts';
import { demoKey, demoUid } from '#sandbox/demo-identity.ts';
import { coins } from '#sandbox/listing.ts';

/** A key of the sandbox with its plain secret, which is derived from the seed and never stored. */
export interface DemoKey {
  /** Name in `demo.json`. */
  readonly name: string;
  readonly role: string;
  /** Name of the account it belongs to. */
  readonly owner: string;
  readonly uid: Uid;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly permissions: PermissionSet;
}

/** An account of the sandbox that people use. */
export interface DemoAccount {
  readonly name: string;
  readonly uid: Uid;
  readonly class: AccountClass;
  readonly kycLevel: number;
  /** Opening balances by ticker, in smallest units. */
  readonly funds: ReadonlyMap<string, Balance>;
}

const wealth: readonly (readonly [string, number])[] = [
  ['USDT', 1_000_000],
  ['BTC', 20],
  ['ETH', 300],
  ['SOL', 2_000],
  ['XRP', 100_000],
  ['DOGE', 500_000],
  ['SVC', 100_000],
  ['SHIB', 5_000_000_000],
  ['LTC', 1_000],
  ['BNB', 200],
  ['TRX', 500_000],
  ['USDC', 100_000],
];
const funded: ReadonlyMap<string, Balance> = new Map(wealth.map(([code, amount]) => [code, coins(code, amount)]));
const empty: ReadonlyMap<string, Balance> = new Map();

const people: readonly {
  readonly name: string;
  readonly class: AccountClass;
  readonly funds: ReadonlyMap<string, Balance>;
}[] = [
  { name: 'alice', class: 'user', funds: funded },
  { name: 'bob', class: 'user', funds: funded },
  { name: 'carol', class: 'user', funds: empty },
  { name: 'broker', class: 'broker', funds: empty },
  { name: 'affiliate', class: 'affiliate', funds: empty },
];

/** Index of the first simulated participant in the table of demo accounts; accounts for people come before. */
export const firstParticipantPlace = 20;

const isOfDesk = (name: Permission): boolean => !/^SPOT_(?:WITHDRAW|DEPOSIT)_/.test(name);
const deskPermissions: PermissionSet = permissionSet(permissions.filter(isOfDesk));
const readOnly: PermissionSet = permissionSet(permissions.filter((name) => name.endsWith('_READ')));

type OwnedKey = Omit<DemoKey, 'uid' | 'accessKey' | 'secretKey'>;

const keys: readonly OwnedKey[] = [
  { name: 'alice', role: 'trader', owner: 'alice', permissions: allPermissions },
  { name: 'bob', role: 'trader', owner: 'bob', permissions: allPermissions },
  { name: 'alice-readonly', role: 'reader', owner: 'alice', permissions: readOnly },
  { name: 'carol', role: 'newcomer', owner: 'carol', permissions: allPermissions },
  { name: 'broker', role: 'broker', owner: 'broker', permissions: allPermissions },
  { name: 'affiliate', role: 'affiliate', owner: 'affiliate', permissions: allPermissions },
];

/** Keys of accounts that were invited, and of sub-accounts. */
const laterKeys: readonly OwnedKey[] = [
  { name: 'partner', role: 'affiliate', owner: 'partner', permissions: allPermissions },
  { name: 'invitee', role: 'invitee', owner: 'invitee', permissions: allPermissions },
  { name: 'broker-sub', role: 'sub-account', owner: 'customerOne', permissions: allPermissions },
  { name: 'alice-desk', role: 'sub-account', owner: 'aliceDesk', permissions: deskPermissions },
];

/** The accounts that a market opens with for people; the same seed gives the same accounts. */
export function demoAccounts(seed: string): readonly DemoAccount[] {
  return people.map((person, place) => ({ ...person, uid: demoUid(seed, person.name, place), kycLevel: 4 }));
}

/** Keys of those accounts, in the order of `demo.json`. */
export function demoKeys(seed: string): readonly DemoKey[] {
  const uidOf = new Map(demoAccounts(seed).map((account) => [account.name, account.uid]));
  return keys.map((key) => ({ ...key, uid: uidOf.get(key.owner) as Uid, ...demoKey(seed, key.name) }));
}

/** Further keys in the order of `demo.json`, of those owners that are there; `uidOf` has the uids by name. */
export function furtherDemoKeys(seed: string, uidOf: ReadonlyMap<string, Uid>): readonly DemoKey[] {
  return laterKeys.flatMap((key) => {
    const uid = uidOf.get(key.owner);
    return uid === undefined ? [] : [{ ...key, uid, ...demoKey(seed, key.name) }];
  });
}
