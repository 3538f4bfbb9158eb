import type { AccountClass } from '#model/account.ts';
import type { Permission, PermissionSet } from '#model/permission.ts';
import { allPermissions, permissionSet, permissions } from '#model/permission.ts';
import type { Balance, Uid } from '#model/units.ts';
import { assetProfiles } from '#sandbox/agents/market-profile.ts';
import { demoKey, demoUid } from '#sandbox/demo-identity.ts';
import { coins, demoAssets } from '#sandbox/listing.ts';

/*
 * Every account of the sandbox as data: people, who came to them by invitation, their sub-accounts, and the
 * participants of the simulated market. What opens them stands in `open-demo-accounts.ts`.
 */

/** An invite code. */
export interface DemoCode {
  readonly code: string;
  readonly campaign: string | null;
  /** How many days before the market went live it was made. */
  readonly daysAgo: number;
  /** What its owner gives back to the invited, in parts per million of the commission; 0: rates stay as they are. */
  readonly kickbackPpm: number;
}

/** Amounts by ticker, in smallest units. */
type Funds = ReadonlyMap<string, Balance>;

interface EachAccount {
  readonly name: string;
  /** Opening balances. */
  readonly funds: Funds;
  /** Codes that it invites with, besides its refer code. */
  readonly codes: readonly DemoCode[];
}

/** An account that is opened by itself. */
interface OwnAccount extends EachAccount {
  /** From 0 to 79: its uid begins with it, so that two of them never meet. */
  readonly place: number;
  readonly class: AccountClass;
  readonly kycLevel: number;
}

/** An account that people use. */
export interface DemoPerson extends OwnAccount {
  readonly kind: 'person';
}

/** An account that came by an invitation. DEC-SUB-75. */
export interface DemoInvitee extends OwnAccount {
  readonly kind: 'invitee';
  readonly inviter: string;
  /** The inviter's code; `null`: its refer code. */
  readonly code: string | null;
  /** How many days before the market went live it came. */
  readonly daysAgo: number;
  /** First deposit, in USDT; 0: it neither deposits nor trades. */
  readonly deposit: number;
}

/** A sub-account; it takes after its master, and its uid is the exchange's. DEC-SUB-76. */
export interface DemoSubAccount extends EachAccount {
  readonly kind: 'subAccount';
  readonly master: string;
  readonly note: string;
  /** Whether its master transfers its funds, so that the history of transfers has rows. */
  readonly isPaidByMaster: boolean;
  /** Whether the simulated market trades for it. */
  readonly isRetailTrader: boolean;
}

/** A participant of the simulated market. */
export interface DemoParticipant extends OwnAccount {
  readonly kind: 'participant';
  readonly role: 'maker' | 'taker' | 'trendFollower' | 'hedger' | 'gambler';
  /** Whether it trades contracts; then it is opened as soon as there are contracts. */
  readonly tradesContracts: boolean;
  /** What it transfers to its futures wallet at first, in USDT. */
  readonly futuresUsdt: number;
}

/** An account of the sandbox. */
export type DemoAccount = DemoPerson | DemoInvitee | DemoSubAccount | DemoParticipant;

const fundsOf = (amounts: Readonly<Record<string, number>>): Funds =>
  new Map(Object.entries(amounts).map(([code, amount]) => [code, coins(code, amount)]));

/** USDT, and every other asset for `eachUsd` at its initial value. */
const fundsWorth = (usdt: number, eachUsd = 0): Funds =>
  fundsOf(
    Object.fromEntries(
      demoAssets.flatMap(({ code }): readonly [string, number][] => {
        if (code === 'USDT') return [[code, usdt]];
        const { initialUsd } = assetProfiles.find((profile) => profile.code === code)!;
        return eachUsd === 0 ? [] : [[code, Math.round(eachUsd / initialUsd)]];
      }),
    ),
  );

const noFunds: Funds = new Map();
const wealth = fundsOf({
  USDT: 1_000_000,
  BTC: 20,
  ETH: 300,
  SOL: 2_000,
  XRP: 100_000,
  DOGE: 500_000,
  SVC: 100_000,
  SHIB: 5_000_000_000,
  LTC: 1_000,
  BNB: 200,
  TRX: 500_000,
  USDC: 100_000,
});

const person = { kind: 'person', class: 'user', kycLevel: 4, funds: noFunds, codes: [] } as const;
const invitee = { kind: 'invitee', class: 'user', inviter: 'affiliate', funds: noFunds, codes: [] } as const;
const partner = { ...invitee, class: 'affiliate', kycLevel: 4, deposit: 0 } as const;
const ofPartner = { ...invitee, inviter: 'partner', code: 'DEMO-PARTNER' } as const;
const ofClub = { ...invitee, inviter: 'club', code: 'DEMO-CLUB' } as const;
const customer = {
  kind: 'subAccount',
  master: 'broker',
  note: 'a customer',
  funds: fundsOf({ USDT: 20_000 }),
  isPaidByMaster: true,
  isRetailTrader: true,
  codes: [],
} as const;
const participant = {
  kind: 'participant',
  class: 'user',
  kycLevel: 1,
  tradesContracts: false,
  futuresUsdt: 0,
  codes: [],
} as const;
const contractTrader = (funds: Funds, futuresUsdt: number) =>
  ({ ...participant, tradesContracts: true, funds, futuresUsdt }) as const;
const gambler = { ...contractTrader(fundsWorth(10_000_000), 0), role: 'gambler' } as const;

/** Codes of the affiliate, on which the simulation records clicks. */
const affiliateCodes = [
  { code: 'DEMO-START', campaign: 'First steps', daysAgo: 33, kickbackPpm: 0 },
  { code: 'DEMO-NOW', campaign: 'This week', daysAgo: 6, kickbackPpm: 0 },
] as const;
/** Those who invite under codes of their own give back a quarter of their 20 %. */
const partnerCode = { code: 'DEMO-PARTNER', campaign: null, daysAgo: 33, kickbackPpm: 50_000 } as const;
const clubCode = { code: 'DEMO-CLUB', campaign: 'Trading club', daysAgo: 4, kickbackPpm: 50_000 } as const;

const table = [
  { ...person, name: 'alice', place: 0, funds: wealth },
  { ...person, name: 'bob', place: 1, funds: wealth },
  { ...person, name: 'carol', place: 2 },
  { ...person, name: 'broker', place: 3, class: 'broker' },
  { ...person, name: 'affiliate', place: 4, class: 'affiliate', codes: affiliateCodes },

  { ...partner, name: 'partner', place: 10, code: 'DEMO-START', daysAgo: 33, codes: [partnerCode] },
  { ...ofPartner, name: 'invitee', place: 11, kycLevel: 4, daysAgo: 33, deposit: 1200 },
  { ...invitee, name: 'invitee-2', place: 12, kycLevel: 2, code: 'DEMO-START', daysAgo: 33, deposit: 900 },
  { ...invitee, name: 'invitee-3', place: 13, kycLevel: 1, code: 'DEMO-START', daysAgo: 20, deposit: 400 },
  { ...invitee, name: 'invitee-4', place: 14, kycLevel: 3, code: 'DEMO-NOW', daysAgo: 5, deposit: 1000 },
  { ...partner, name: 'club', place: 15, code: 'DEMO-NOW', daysAgo: 4, codes: [clubCode] },
  { ...invitee, name: 'invitee-5', place: 16, kycLevel: 2, code: null, daysAgo: 3, deposit: 600 },
  { ...ofClub, name: 'invitee-6', place: 17, kycLevel: 2, daysAgo: 2, deposit: 700 },
  { ...invitee, name: 'invitee-7', place: 18, kycLevel: 1, code: 'DEMO-NOW', daysAgo: 1, deposit: 0 },

  { ...customer, name: 'customerOne' },
  { ...customer, name: 'customerTwo' },
  { ...customer, name: 'customerThree' },
  {
    ...customer,
    name: 'aliceDesk',
    master: 'alice',
    note: 'a desk of alice',
    funds: fundsOf({ USDT: 10_000 }),
    isPaidByMaster: false,
    isRetailTrader: false,
  },

  { ...participant, role: 'maker', name: 'maker-inner', place: 20, funds: fundsWorth(600_000_000, 150_000_000) },
  { ...participant, role: 'maker', name: 'maker-steady', place: 21, funds: fundsWorth(500_000_000, 100_000_000) },
  { ...participant, role: 'maker', name: 'maker-deep', place: 22, funds: fundsWorth(900_000_000, 200_000_000) },
  { ...participant, role: 'taker', name: 'taker-1', place: 23, funds: fundsWorth(300_000_000, 80_000_000) },
  { ...participant, role: 'taker', name: 'taker-2', place: 24, funds: fundsWorth(300_000_000, 80_000_000) },
  { ...participant, role: 'trendFollower', name: 'trend', place: 25, funds: fundsWorth(100_000_000, 20_000_000) },
  { ...contractTrader(fundsWorth(200_000_000), 150_000_000), role: 'maker', name: 'contract-maker', place: 26 },
  { ...contractTrader(fundsWorth(100_000_000), 60_000_000), role: 'taker', name: 'contract-taker', place: 27 },
  { ...contractTrader(fundsWorth(100_000_000, 20_000_000), 30_000_000), role: 'hedger', name: 'hedger', place: 28 },
  { ...gambler, name: 'gambler-1', place: 29 },
  { ...gambler, name: 'gambler-2', place: 30 },
  { ...gambler, name: 'gambler-3', place: 31 },
  { ...gambler, name: 'gambler-4', place: 32 },
  { ...gambler, name: 'gambler-5', place: 33 },
  { ...gambler, name: 'gambler-6', place: 34 },
] as const satisfies readonly DemoAccount[];

/** A participant of the simulated market, by its role. */
export type ParticipantName = Extract<(typeof table)[number], { kind: 'participant' }>['name'];

/** Every account of the sandbox: an account is opened after its inviter and its master. */
export const demoAccounts: readonly DemoAccount[] = table;

/** The accounts of a kind, in the order of the table. */
export const demoAccountsOf = <Kind extends DemoAccount['kind']>(
  kind: Kind,
): readonly Extract<DemoAccount, { kind: Kind }>[] =>
  demoAccounts.filter((each): each is Extract<DemoAccount, { kind: Kind }> => each.kind === kind);

/** @throws RangeError where there is none. */
export function demoAccountNamed(name: string): DemoAccount {
  const found = demoAccounts.find((each) => each.name === name);
  if (found === undefined) throw new RangeError(`the sandbox has no account ${name}`);
  return found;
}

/** Public number of an account that the seed decides. @throws RangeError for a sub-account, whose uid is not. */
export function demoUidOf(seed: string, name: string): Uid {
  const account = demoAccountNamed(name);
  if (account.kind === 'subAccount') throw new RangeError(`${name} gets its uid from the exchange`);
  return demoUid(seed, name, account.place);
}

/**
 * Open-order cap of participants once the market is live. It also marks the market's history as complete: while history
 * is made, participants have the exchange's usual cap.
 */
export const liveOpenOrdersMax = 20_000;

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

const isOfDesk = (name: Permission): boolean => !/^SPOT_(?:WITHDRAW|DEPOSIT)_/.test(name);
const deskPermissions: PermissionSet = permissionSet(permissions.filter(isOfDesk));
const readOnly: PermissionSet = permissionSet(permissions.filter((name) => name.endsWith('_READ')));

/** In the order of `demo.json`. */
const keys: readonly Omit<DemoKey, 'uid' | 'accessKey' | 'secretKey'>[] = [
  { name: 'alice', role: 'trader', owner: 'alice', permissions: allPermissions },
  { name: 'bob', role: 'trader', owner: 'bob', permissions: allPermissions },
  { name: 'alice-readonly', role: 'reader', owner: 'alice', permissions: readOnly },
  { name: 'carol', role: 'newcomer', owner: 'carol', permissions: allPermissions },
  { name: 'broker', role: 'broker', owner: 'broker', permissions: allPermissions },
  { name: 'affiliate', role: 'affiliate', owner: 'affiliate', permissions: allPermissions },
  { name: 'partner', role: 'affiliate', owner: 'partner', permissions: allPermissions },
  { name: 'invitee', role: 'invitee', owner: 'invitee', permissions: allPermissions },
  { name: 'broker-sub', role: 'sub-account', owner: 'customerOne', permissions: allPermissions },
  { name: 'alice-desk', role: 'sub-account', owner: 'aliceDesk', permissions: deskPermissions },
];

/** Keys of these accounts, in the order of `demo.json`. */
export const demoKeys = (seed: string, uidOf: ReadonlyMap<string, Uid>): readonly DemoKey[] =>
  keys.flatMap((key) => {
    const uid = uidOf.get(key.owner);
    return uid === undefined ? [] : [{ ...key, uid, ...demoKey(seed, key.name) }];
  });

/** Keys of the people whom the market opens with. */
export const peopleKeys = (seed: string): readonly DemoKey[] =>
  demoKeys(seed, new Map(demoAccountsOf('person').map(({ name }) => [name, demoUidOf(seed, name)])));
