import type { AccountId, AssetId, Balance, TimestampMs } from '#model/units.ts';

/** One asset on one network: where it can be paid to, and under which terms. Amounts in the asset's smallest unit. */
export interface AssetNetwork {
  readonly asset: AssetId;
  /** Code of the network, 2 to 12 of `[A-Z0-9]`: `ETH`. */
  readonly network: string;
  /** Its name for people: `Ethereum(ERC20)`. */
  readonly label: string;
  /** Contract of a token, in canonical form; `null`: the network's native coin. */
  readonly contract: string | null;
  /** Decimals that the chain counts, 0 to 36. */
  readonly scale: number;
  readonly depositEnabled: boolean;
  readonly withdrawEnabled: boolean;
  /** Confirmations that make a deposit or withdrawal final. */
  readonly minConfirm: number;
  /** Smaller deposits wait until their sum reaches it. DEC-WAL-15. */
  readonly depositMin: Balance;
  readonly withdrawFee: Balance;
  readonly withdrawMin: Balance;
  readonly withdrawMax: Balance;
  /** Withdrawals are multiples of it. */
  readonly withdrawStep: Balance;
  /** Whether depositors share an address and are told apart by a memo. */
  readonly sharesAddress: boolean;
  readonly depositDesc: string | null;
  readonly depositTips: string | null;
  readonly withdrawTips: string | null;
}

/** Rules of the whole wallet. Amounts without another asset are of `valuedIn`. */
export interface WalletRules {
  /** What amounts are valued in, at guarded prices. DEC-WAL-140. */
  readonly valuedIn: AssetId;
  /** Deposits worth this or more wait for an operator. DEC-WAL-16. */
  readonly largeDeposit: Balance;
  /** Withdrawn within 24 hours at most, by KYC level from 1. DEC-WAL-27. */
  readonly dailyCaps: readonly Balance[];
  /** Withdrawals worth more are audited by hand; `null`: only those without a price. DEC-WAL-28, DEC-WAL-143. */
  readonly riskHoldAbove: Balance | null;
  /** Withdrawals worth more are audited and need two operators; `null`: none. DEC-WAL-28, DEC-WAL-144. */
  readonly fourEyesAbove: Balance | null;
  /** How long a saved address waits before it can be paid; 0: any address can be paid. DEC-WAL-28. */
  readonly newAddressDelayMs: number;
  /** How long a withdrawal waits at least before it is processed, so that it can be cancelled. DEC-WAL-24. */
  readonly waitMs: number;
  /** Assets that can be moved between spot and futures. DEC-WAL-05. */
  readonly transferable: readonly AssetId[];
  /** What is worth less is dust. DEC-WAL-07. */
  readonly dustBelow: Balance;
  /** Worth of one conversion at most. DEC-WAL-07. */
  readonly dustCallMax: Balance;
  /** Fee of a conversion in parts per million of its gross. DEC-WAL-35. */
  readonly dustFeePpm: number;
}

/** The address on which an account receives every asset of a network. */
export interface DepositAddress {
  readonly account: AccountId;
  readonly network: string;
  /** Counts the addresses of the network, from 0. */
  readonly index: number;
  /** In canonical form. */
  readonly address: string;
  readonly memo: string | null;
}

/** How far settlement followed a chain. */
export interface ChainProgress {
  readonly network: string;
  /** See `Observation.position` of custody; `null`: nothing yet. */
  readonly position: string | null;
  /** The same for sweeps. */
  readonly sweepPosition: string | null;
  readonly addressCount: number;
  /** Number of the newest block when `position` was recorded; `null`: nothing yet. */
  readonly height: number | null;
  /** Forks that were ever recorded. Whoever reports what custody said names the count before it asked. DEC-WAL-101. */
  readonly forks: number;
  /** The least nonce that no signed transaction has. */
  readonly nextNonce: number;
}

/**
 * States of a deposit (DEC-WAL-01). `removed`: a reorganisation took it before it was credited. `lost`: after it was
 * credited; it comes back as `success` if the chain has it again.
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
] as const;
export type DepositStatus = (typeof depositStatuses)[number];

/** What an operator may decide about a deposit. */
export const depositDecisions = ['credit', 'reject', 'refund', 'flag'] as const;
export type DepositDecision = (typeof depositDecisions)[number];

/** A block of a chain. */
export interface ChainBlock {
  readonly height: number;
  /** As the chain writes it. */
  readonly hash: string;
}

/** What custody said of a payment just now. DEC-WAL-101. */
export interface DepositSight {
  /** Forks of the network that had been recorded before custody was asked. */
  readonly forks: number;
  /** The block that has the payment. */
  readonly block: ChainBlock;
  /** Blocks that have it in their past, its own included. */
  readonly confirmations: number;
}

/** A deposit as queries and events tell it. */
export interface DepositView {
  /** Running number, from 1. */
  readonly deposit: number;
  /** The account of the outside while nobody knows whose it is. */
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly txId: string;
  readonly output: number;
  readonly amount: Balance;
  readonly status: DepositStatus;
  readonly confirmations: number;
  /** What it needed when it last changed. */
  readonly minConfirm: number;
  /** Came from another account of this exchange, without a chain. DEC-WAL-25. */
  readonly isInside: boolean;
  /** The block that custody last saw it in; `null`: none, or custody was never asked. */
  readonly block: ChainBlock | null;
  /** Operators on whose word it is here, where custody was not asked: two for a credit. DEC-WAL-106. */
  readonly vouchers: readonly string[];
  readonly insertedAt: TimestampMs;
  readonly updatedAt: TimestampMs;
}

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
 * What happens to a withdrawal on its way to the chain. `assess`: the risk limit is looked at. `begin`: settlement
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
export interface WithdrawalTransaction {
  readonly txId: string;
  readonly raw: string;
  readonly nonce: number | null;
}

/** A withdrawal as queries and events tell it. */
export interface WithdrawalView {
  /** Running number, from 1. */
  readonly withdrawal: number;
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  /** What the account pays, fee included. */
  readonly amount: Balance;
  readonly fee: Balance;
  /** Worth when it was asked for, in what the wallet is valued in; `null`: no price. */
  readonly value: Balance | null;
  readonly status: WithdrawalStatus;
  /** To an account of this exchange, without a chain. DEC-WAL-25. */
  readonly isInside: boolean;
  /** The newest one; `null` before it is signed, and inside. */
  readonly transaction: WithdrawalTransaction | null;
  readonly confirmations: number;
  readonly withdrawOrderId: string | null;
  readonly remark: string | null;
  /** Operators who approved it. */
  readonly approvals: readonly string[];
  readonly requestedAt: TimestampMs;
  readonly updatedAt: TimestampMs;
}

/** An address that an account may pay, where its allow list is on. */
export interface SavedAddress {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  /** A name for people; may be empty. */
  readonly tag: string;
  readonly savedAt: TimestampMs;
}

/** The two wallets of an account. */
export const walletKinds = ['spot', 'futures'] as const;
export type WalletKind = (typeof walletKinds)[number];

/** Money that moved between the wallets of one account. */
export interface TransferView {
  /** Running number, from 1. */
  readonly transfer: number;
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Balance;
  readonly from: WalletKind;
  readonly to: WalletKind;
  readonly clientTranId: string | null;
  readonly at: TimestampMs;
}

/** By what the receiver of money is named. */
export const contactKinds = ['email', 'uid', 'mobile'] as const;
export type ContactKind = (typeof contactKinds)[number];

/** Money that one account sent to another one. */
export interface SendView {
  /** Running number, from 1. */
  readonly send: number;
  readonly from: AccountId;
  readonly to: AccountId;
  readonly asset: AssetId;
  readonly amount: Balance;
  readonly targetKind: ContactKind;
  /** The receiver as the sender named it. */
  readonly target: string;
  readonly clientTranId: string | null;
  readonly at: TimestampMs;
}

/** How an account can be reached. */
export interface Contact {
  readonly account: AccountId;
  /** As it was given; compared without case. */
  readonly email: string | null;
  /** Area code and number, digits only, with a blank between: `44 7700900123`. */
  readonly mobile: string | null;
}

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
export interface OperatorToken {
  /** SHA-256 of the token, 64 lower-case hex characters. */
  readonly tokenHash: string;
  readonly actor: string;
  readonly scopes: readonly string[];
  readonly createdAt: TimestampMs;
  readonly expiresAt: TimestampMs;
}
