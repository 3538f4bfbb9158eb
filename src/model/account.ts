import { flag, integer, list, nullable, oneOf, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';
import type { PermissionSet } from '#model/permission.ts';
import type { AccountId, AssetId, Balance, Uid } from '#model/units.ts';
import { as } from '#model/units.ts';

/** Accounts of the house, opened with the exchange itself. What users hold plus what these hold is zero per asset. */
export const house = {
  /** Everything outside this exchange: deposits come from here, withdrawals go there. Its balance is never positive. */
  outside: as<AccountId>(0),
  /** Commissions. */
  fees: as<AccountId>(1),
  /** Remainders of every division. DEC-ORD-03. */
  rounding: as<AccountId>(2),
  /** Pays rebates. */
  rebates: as<AccountId>(3),
} as const;
/** House accounts come first: ids below this are no users. */
export const houseAccountCount = 4;

/**
 * Ledger accounts that are no accounts: they have balances and nothing else. Ids from `futuresFrom` are the futures
 * wallets of accounts, ids from `innerFrom` further accounts of the house.
 */
export const ledgerSections = { futuresFrom: 2 ** 26, innerFrom: 2 ** 27, sectionSize: 2 ** 26 } as const;
/** Accounts of the house that came later: they have no place among the first ids. */
export const innerHouse = {
  /** Gives what is credited without a chain: the faucet's play money, opening balances. Never positive. DEC-WAL-50. */
  grants: as<AccountId>(ledgerSections.innerFrom),
  /** Buys dust and pays in the platform token. DEC-WAL-36. */
  dust: as<AccountId>(ledgerSections.innerFrom + 1),
  /** What reorganisations took after it was credited. Never positive. DEC-WAL-17. */
  chainLosses: as<AccountId>(ledgerSections.innerFrom + 2),
  /** Pays the fees of networks; below zero it is what the operator has still to fund. DEC-WAL-51. */
  gas: as<AccountId>(ledgerSections.innerFrom + 3),
  /** The other side of every realised profit and loss of contracts: minus what all open positions cost. */
  clearing: as<AccountId>(ledgerSections.innerFrom + 4),
  /** What the operator put into custody and did not assign, less what he took out. DEC-WAL-125, DEC-OPR-181. */
  capital: as<AccountId>(ledgerSections.innerFrom + 5),
  /** What users paid inside to accounts that may not receive it, until operators decide. DEC-WAL-150. */
  undelivered: as<AccountId>(ledgerSections.innerFrom + 6),
  /** The other side of what operators credit and debit; below zero it is what that cost the house. DEC-OPR-181. */
  adjustments: as<AccountId>(ledgerSections.innerFrom + 7),
  /** Fees that the operator took out of custody: as *outside*, it is beyond custody. DEC-OPR-181. */
  revenue: as<AccountId>(ledgerSections.innerFrom + 8),
  /** Deposits on their way back, from the decision where to until they are paid back. DEC-OPR-215. */
  refunds: as<AccountId>(ledgerSections.innerFrom + 9),
} as const;
/** Names of the house's accounts, by id. */
export const houseNames: ReadonlyMap<AccountId, string> = new Map(
  Object.entries({ ...house, ...innerHouse }).map(([name, account]) => [account, name]),
);
const mayOweAccounts: ReadonlySet<number> = new Set([
  house.outside,
  innerHouse.grants,
  innerHouse.chainLosses,
  innerHouse.gas,
  innerHouse.clearing,
  innerHouse.capital,
  innerHouse.adjustments,
]);
/** Whether a balance of this ledger account may be below zero. */
export const mayOwe = (account: AccountId): boolean => mayOweAccounts.has(account);
/** The ledger account with the futures balances of an account. */
export const futuresWalletOf = (account: AccountId): AccountId => as<AccountId>(account + ledgerSections.futuresFrom);

/** What an account may do is decided by its status; `public-api` has the codes that the others answer. */
export const accountStatuses = ['normal', 'frozen', 'abnormal', 'closed'] as const;
export type AccountStatus = (typeof accountStatuses)[number];
/** What an account may call besides what its keys permit. */
export const accountClasses = ['user', 'broker', 'affiliate'] as const;
export type AccountClass = (typeof accountClasses)[number];

/** What operators switch on and off of an account. DEC-OPR-167. */
export const accountSwitches = record({
  /** New orders, and conversions. */
  trade: flag,
  /** Money to other users and to chains. */
  withdraw: flag,
  /** All its keys. */
  api: flag,
});
export type AccountSwitches = ValueOf<typeof accountSwitches>;
/** Name of a switch. */
export type AccountSwitch = keyof AccountSwitches;
/** The switches of an account of which nobody switched anything off. */
export const allSwitchedOn: AccountSwitches = { trade: true, withdraw: true, api: true };

/** An account as queries answer it. */
export const account = record({
  account: integer<AccountId>(),
  uid: integer<Uid>(),
  /** Name for people: of a sub-account its public name, of a simulated participant its role. */
  name: text(),
  /** The master of a sub-account; an account that is no sub-account is its own master. */
  master: integer<AccountId>(),
  class: oneOf(accountClasses),
  status: oneOf(accountStatuses),
  /** 1 to 4. SPEC-ACC-01. */
  kycLevel: integer(),
  /** A participant of the simulated market: its finished orders are not kept. */
  simulated: flag,
  /** Pays commission in the platform token where it can. */
  feeDeduction: flag,
  /** Overrides of the symbol's rates in parts per million; `null`: the symbol's. */
  makerFeePpm: nullable(integer()),
  takerFeePpm: nullable(integer()),
  openOrdersMax: integer(),
  switches: accountSwitches,
  openedAt: time(),
});
export type AccountView = ValueOf<typeof account>;

/** An API key as the gateway needs it; the secret is sealed. */
export const apiKey = record({
  accessKey: text(),
  account: integer<AccountId>(),
  note: text(),
  permissions: integer<PermissionSet>(),
  /** IP allow list: addresses or CIDR ranges the key is bound to; empty: any. */
  ips: list(text()),
  /** Secret sealed by the gateway's key ring; see `main/secrets/secret-seal.ts`. Base64. */
  sealedSecret: text(),
  createdAt: time(),
  /** From this moment on it is no longer valid; `null`: it has no end, as every key with addresses. DEC-REQ-147. */
  endsAt: nullable(time()),
});
export type ApiKeyView = ValueOf<typeof apiKey>;

/** A token that grants an account's pushes. The token itself is sealed; it is found by its hash. */
export const listenKey = record({
  /** SHA-256 of the token, 64 lower-case hex characters. */
  keyHash: text(),
  account: integer<AccountId>(),
  /** The API key that made it: it ends with that key, and opens only from the addresses that key is bound to. */
  accessKey: text(),
  sealedKey: text(),
  createdAt: time(),
  /** From this moment on it is no longer valid. */
  expiresAt: time(),
});
export type ListenKeyView = ValueOf<typeof listenKey>;

/** An account's holding of one asset; its balance is the sum of both parts. */
export interface BalanceView {
  readonly asset: AssetId;
  readonly free: Balance;
  readonly held: Balance;
}

/** Why money moved, in the words of the ledger; `public-api` maps them to the names that pushes carry. */
export const postingKinds = [
  'orderHold',
  'fill',
  'fee',
  'surplusRelease',
  'cancelRelease',
  'deposit',
  'withdrawal',
  'withdrawalFee',
  'transfer',
  'dust',
  'rebate',
  'adjustment',
  'contractTransfer',
  'networkFee',
  'chainLoss',
  'contractProfit',
  'funding',
  'liquidationFee',
  'insurance',
  'capital',
  'revenue',
] as const;
export type PostingKind = (typeof postingKinds)[number];
