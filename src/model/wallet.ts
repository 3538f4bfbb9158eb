import {
  amount,
  flag,
  integer,
  list,
  nullable,
  omit,
  oneOf,
  record,
  text,
  time,
  type ValueOf,
} from '#model/codec/field-codec.ts';
import type { AccountId, AssetId, Balance, TimestampMs } from '#model/units.ts';

/** One asset on one network: where it can be paid to, and under which terms. Amounts in the asset's smallest unit. */
export const assetNetwork = record({
  asset: integer<AssetId>(),
  /** Code of the network, 2 to 12 of `[A-Z0-9]`: `ETH`. */
  network: text(),
  /** Its name for people: `Ethereum(ERC20)`. */
  label: text(),
  /** Contract of a token, in canonical form; `null`: the network's native coin. */
  contract: nullable(text()),
  /** Decimals that the chain counts, 0 to 36. */
  scale: integer(),
  depositEnabled: flag,
  withdrawEnabled: flag,
  /** Confirmations that make a deposit or withdrawal final. */
  minConfirm: integer(),
  /** Smaller deposits wait until their sum reaches it. DEC-WAL-15. */
  depositMin: amount(),
  withdrawFee: amount(),
  withdrawMin: amount(),
  withdrawMax: amount(),
  /** Withdrawals are multiples of it. */
  withdrawStep: amount(),
  /** Whether depositors share an address and are told apart by a memo. */
  sharesAddress: flag,
  depositDesc: nullable(text()),
  depositTips: nullable(text()),
  withdrawTips: nullable(text()),
});
export type AssetNetwork = ValueOf<typeof assetNetwork>;

/** Rules of the whole wallet. Amounts without another asset are of `valuedIn`. */
export const walletRules = record({
  /** What amounts are valued in, at guarded prices. DEC-WAL-140. */
  valuedIn: integer<AssetId>(),
  /** Deposits worth this or more wait for an operator. DEC-WAL-16. */
  largeDeposit: amount(),
  /** Withdrawal limits: withdrawn within 24 hours at most, by KYC level from 1. DEC-WAL-27. */
  dailyCaps: list(amount()),
  /** Withdrawals worth more are audited by hand; `null`: only those without a price. DEC-WAL-28, DEC-WAL-143. */
  riskHoldAbove: nullable(amount()),
  /** Withdrawals worth more are audited and need two operators; `null`: none. DEC-WAL-28, DEC-WAL-144. */
  fourEyesAbove: nullable(amount()),
  /** Adjustments worth more need two operators, and those without a price; `null`: none. DEC-OPR-183. */
  adjustFourEyesAbove: nullable(amount()),
  /** How long a saved address waits before it can be paid; 0: any address can be paid. DEC-WAL-28. */
  newAddressDelayMs: integer(),
  /** How long a withdrawal waits at least before it is processed, so that it can be cancelled. DEC-WAL-24. */
  waitMs: integer(),
  /** Assets that can be moved between spot and futures. DEC-WAL-05. */
  transferable: list(integer<AssetId>()),
  /** What is worth less is dust. DEC-WAL-07. */
  dustBelow: amount(),
  /** Worth of one conversion at most. DEC-WAL-07. */
  dustCallMax: amount(),
  /** Fee of a conversion in parts per million of its gross. DEC-WAL-35. */
  dustFeePpm: integer(),
});
export type WalletRules = ValueOf<typeof walletRules>;

/** The address on which an account receives every asset of a network. */
export const depositAddress = record({
  account: integer<AccountId>(),
  network: text(),
  /** Counts the addresses of the network, from 0. */
  index: integer(),
  /** In canonical form. */
  address: text(),
  memo: nullable(text()),
});
export type DepositAddress = ValueOf<typeof depositAddress>;

/** How far settlement followed a chain. */
export const chainProgress = record({
  network: text(),
  /** See `Observation.position` of custody; `null`: nothing yet. */
  position: nullable(text()),
  /** The same for sweeps. */
  sweepPosition: nullable(text()),
  addressCount: integer(),
  /** Number of the newest block when `position` was recorded; `null`: nothing yet. */
  height: nullable(integer()),
  /** Forks that were ever recorded. Whoever reports what custody said names the count before it asked. DEC-WAL-101. */
  forks: integer(),
  /** The least hot-wallet nonce that no signed transaction has. */
  nextNonce: integer(),
});
export type ChainProgress = ValueOf<typeof chainProgress>;

/**
 * States of a deposit (DEC-WAL-01). `refund`: it is to be paid back; `refunding`: a withdrawal pays it back;
 * `refunded`: it was. `removed`: a reorganisation took it before it was credited. `lost`: after it was credited; it
 * comes back as `success` if the chain has it again.
 */
export const depositStatuses = [
  'pending',
  'small',
  'largeDelay',
  'auditing',
  'invalid',
  'restricted',
  'success',
  'rejected',
  'refund',
  'removed',
  'lost',
  'refunded',
  'refunding',
] as const;
export type DepositStatus = (typeof depositStatuses)[number];

/** What an operator may decide about a deposit. `paidBack`: he paid what was to be refunded. */
export const depositDecisions = ['credit', 'reject', 'refund', 'flag', 'paidBack'] as const;
export type DepositDecision = (typeof depositDecisions)[number];

/** A block of a chain. */
export const chainBlock = record({
  height: integer(),
  /** As the chain writes it. */
  hash: text(),
});
export type ChainBlock = ValueOf<typeof chainBlock>;

/** What custody said of a payment just now. DEC-WAL-101. */
export const depositSight = record({
  /** Forks of the network that had been recorded before custody was asked. */
  forks: integer(),
  /** The block that has the payment. */
  block: chainBlock,
  /** Blocks that have it in their past, its own included. */
  confirmations: integer(),
});
export type DepositSight = ValueOf<typeof depositSight>;

/** A deposit as queries and events tell it. */
export const deposit = record({
  /** Running number, from 1. */
  deposit: integer(),
  /** The account of the outside while nobody knows whose it is. */
  account: integer<AccountId>(),
  asset: integer<AssetId>(),
  network: text(),
  address: text(),
  memo: nullable(text()),
  txId: text(),
  output: integer(),
  amount: amount(),
  status: oneOf(depositStatuses),
  confirmations: integer(),
  /** What it needed when it last changed. */
  minConfirm: integer(),
  /** Came from another account of this exchange, without a chain. DEC-WAL-25. */
  isInside: flag,
  /** The block that custody last saw it in; `null`: none, or custody was never asked. */
  block: nullable(chainBlock),
  /** Operators who approved it, where custody was not asked: two for a credit. DEC-WAL-106. */
  approvals: list(text()),
  insertedAt: time(),
  updatedAt: time(),
});
export type DepositView = ValueOf<typeof deposit>;

/** States of a withdrawal (DEC-WAL-02), in the order of their numbers. */
export const withdrawalStatuses = [
  'apply',
  'auditing',
  'wait',
  'processing',
  'packaging',
  'confirming',
  'success',
  'failed',
  'cancelled',
  'manual',
] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

/**
 * What happens to a withdrawal on its way to the chain. `assess`: the risk limit is checked. `begin`: settlement
 * takes it up. `sign`: a transaction was signed. `broadcast`: it was sent. `replace`: the same payment was signed anew
 * with the same nonce. `confirm`: it is in a block. `fail`: it cannot be made. `displace`: its nonce is used up without
 * effect. `postpone`: it waits again, because custody cannot sign it now.
 */
export const withdrawalEvents = [
  'assess',
  'begin',
  'sign',
  'broadcast',
  'replace',
  'confirm',
  'fail',
  'displace',
  'postpone',
] as const;
export type WithdrawalEvent = (typeof withdrawalEvents)[number];

/** What an operator may decide about a withdrawal. */
export const withdrawalDecisions = ['approve', 'reject', 'manual'] as const;
export type WithdrawalDecision = (typeof withdrawalDecisions)[number];

/** A transaction that pays a withdrawal: as signed, before it is sent. */
export const withdrawalTransaction = record({
  txId: text(),
  raw: text(),
  nonce: nullable(integer()),
});
export type WithdrawalTransaction = ValueOf<typeof withdrawalTransaction>;

/** A withdrawal as queries and events tell it. */
export const withdrawal = record({
  /** Running number, from 1. */
  withdrawal: integer(),
  /** Whose request it is; of a refund the house account of refunds. */
  account: integer<AccountId>(),
  /** The deposit that it pays back; `null`: an account asked for it. DEC-OPR-215. */
  deposit: nullable(integer()),
  asset: integer<AssetId>(),
  network: text(),
  address: text(),
  memo: nullable(text()),
  /** What the account pays, fee included. */
  amount: amount(),
  fee: amount(),
  /** Worth when it was asked for, in what the wallet is valued in; `null`: no price. */
  value: nullable(amount()),
  status: oneOf(withdrawalStatuses),
  /** To an account of this exchange, without a chain. DEC-WAL-25. */
  isInside: flag,
  /** The newest one; `null` before it is signed, and inside. */
  transaction: nullable(withdrawalTransaction),
  confirmations: integer(),
  withdrawOrderId: nullable(text()),
  /** Of its account. */
  remark: nullable(text()),
  /** What the last review that had something to say told the account; it takes the place of `remark`. */
  reviewRemark: nullable(text()),
  /** Operators who approved it. */
  approvals: list(text()),
  requestedAt: time(),
  updatedAt: time(),
});
export type WithdrawalView = ValueOf<typeof withdrawal>;

/** An address that an account may pay, where its allow list is on. */
export const savedAddress = record({
  account: integer<AccountId>(),
  asset: integer<AssetId>(),
  network: text(),
  address: text(),
  memo: nullable(text()),
  /** A name for people; may be empty. */
  tag: text(),
  savedAt: time(),
});
export type SavedAddress = ValueOf<typeof savedAddress>;
/** What a saved address is found by. */
export const savedAddressName = record(omit(savedAddress, 'tag', 'savedAt'));
export type SavedAddressName = ValueOf<typeof savedAddressName>;

/** The two wallets of an account. */
export const walletKinds = ['spot', 'futures'] as const;
export type WalletKind = (typeof walletKinds)[number];

/** Money that moved between the wallets of one account. */
export const transfer = record({
  /** Running number, from 1. */
  transfer: integer(),
  account: integer<AccountId>(),
  asset: integer<AssetId>(),
  amount: amount(),
  from: oneOf(walletKinds),
  to: oneOf(walletKinds),
  clientTranId: nullable(text()),
  at: time(),
});
export type TransferView = ValueOf<typeof transfer>;

/** By what the receiver of money is named. */
export const contactKinds = ['email', 'uid', 'mobile'] as const;
export type ContactKind = (typeof contactKinds)[number];

/** Money that one account sent to another one. */
export const send = record({
  /** Running number, from 1. */
  send: integer(),
  from: integer<AccountId>(),
  to: integer<AccountId>(),
  asset: integer<AssetId>(),
  amount: amount(),
  targetKind: oneOf(contactKinds),
  /** The receiver as the sender named it. */
  target: text(),
  clientTranId: nullable(text()),
  at: time(),
});
export type SendView = ValueOf<typeof send>;

/** How an account can be reached. */
export const contact = record({
  account: integer<AccountId>(),
  /** As it was given; compared without case. */
  email: nullable(text()),
  /** Area code and number, digits only, with a blank between: `44 7700900123`. */
  mobile: nullable(text()),
});
export type Contact = ValueOf<typeof contact>;

/** What became of one asset of a conversion. */
export interface ConvertedAsset {
  readonly asset: AssetId;
  /** Of the asset. */
  readonly amount: Balance;
  /** Of the platform token, without the fee. */
  readonly converted: Balance;
  /** Of the platform token. */
  readonly fee: Balance;
}

/** Dust that became platform token. */
export interface ConversionView {
  /** Running number, from 1. */
  readonly conversion: number;
  readonly account: AccountId;
  readonly at: TimestampMs;
  readonly assets: readonly ConvertedAsset[];
}

/** Whom an operator's token names, and what it may do. */
export const operatorToken = record({
  /** SHA-256 of the token, 64 lower-case hex characters. */
  tokenHash: text(),
  actor: text(),
  scopes: list(text()),
  createdAt: time(),
  expiresAt: time(),
});
export type OperatorToken = ValueOf<typeof operatorToken>;
