/**
 * What the exchange asks of the chains that its coins live on: an address to pay to, what was paid, and to pay out.
 * Adapters stand in folders beside this file. They know neither accounts nor the ledger: they count addresses by index
 * and amounts in the smallest unit of the chain. `settlement` asks, and turns the answers into commands.
 */

import type { ChainBlock } from '#model/wallet.ts';

/** Where a payment goes to: an address in canonical form and, on networks that share one, the memo. */
export interface ChainAddress {
  readonly address: string;
  readonly memo: string | null;
}

/** Names one payment on its network for ever. `output`: which part of the transaction, from 0. */
export interface PaymentRef {
  readonly txId: string;
  readonly output: number;
}

/** What a payment brings to whom. */
export interface PaymentTerms extends ChainAddress {
  /** Contract of a token; `null`: the native coin. In canonical form. */
  readonly contract: string | null;
  /** Above zero, in the smallest unit that the chain counts. */
  readonly amount: bigint;
}

/** Where a payment stands. */
export interface BlockPlace {
  readonly block: ChainBlock;
  /** Blocks that have it in their past, its own included: 1 in the newest block. */
  readonly confirmations: number;
}

/** A payment to an address of ours, in a block. */
export interface ChainPayment extends PaymentRef, PaymentTerms, BlockPlace {}

/** Where a payment stands, and what it pays; `null`: custody sees the transaction, but not what it brought. */
export interface PaymentPlace extends BlockPlace {
  readonly terms: PaymentTerms | null;
}

/** What was seen on a network since a position. */
export interface Observation {
  /** Give it to the next question. At most 200 visible characters. */
  readonly position: string;
  /** Number of the block that the position names. */
  readonly height: number;
  /**
   * A reorganisation since the position that was given: of the blocks before it those up to this number are still on
   * the chain, -1 where nobody knows how many. `null`: all of them.
   */
  readonly fork: number | null;
  /** Every payment in a block since the position, and perhaps some of before: whoever asks tells them apart. */
  readonly payments: readonly ChainPayment[];
}

/** What is asked since a position. */
export interface ObservationRequest {
  /** Of an earlier answer; `null`: from now on, or from where the adapter was configured to begin. */
  readonly since: string | null;
  /** Addresses with an index below this are ours. */
  readonly addressCount: number;
}

/** A withdrawal as its network sees it. */
export interface OutgoingPayment extends ChainAddress {
  /** Names the withdrawal in logs; unique. */
  readonly reference: string;
  readonly contract: string | null;
  /** What the receiver gets, in the smallest unit of the chain. */
  readonly amount: bigint;
}

/** A signed transaction, which can be sent as often as need be and takes effect once. */
export interface SignedTransaction {
  readonly txId: string;
  /** What is sent, as text of at most 8 KiB; safe to show, for it holds no key. */
  readonly raw: string;
  /** Place among the sender's transactions, of which one can ever be in a block; `null` on chains without. */
  readonly nonce: number | null;
}

/** What the bytes of a signed transaction do, read from them alone. */
export interface SignedContent extends PaymentTerms {
  /** Why its network fee is above what the settings allow now; `null`: it is not. */
  readonly feeFault: string | null;
}

/** What a payment takes a coin for: what its receiver gets, or its network fee. */
export const fundsPurposes = ['amount', 'networkFee'] as const;
export type FundsPurpose = (typeof fundsPurposes)[number];

/** What the wallet has too little of for a payment, in the coin's smallest unit. */
export interface LackingFunds {
  readonly contract: string | null;
  readonly purpose: FundsPurpose;
  /** What the payment takes of the coin, at least. */
  readonly needed: bigint;
  /** What the wallet has left of it; below zero where what was signed takes more than it has. */
  readonly available: bigint;
}

/**
 * A payment is signed, or why not: `later` while the wallet lacks funds or its hourly limit is used up, `never` if the
 * payment itself cannot be made. `lacks`: it would be signed if the wallet had more.
 */
export type Signing =
  | { readonly kind: 'signed'; readonly transaction: SignedTransaction }
  | { readonly kind: 'refused'; readonly until: 'later'; readonly reason: string; readonly lacks?: LackingFunds }
  | { readonly kind: 'refused'; readonly until: 'never'; readonly reason: string };

/** What a transaction cost its sender beside the amount, in the native coin's smallest unit. */
export type NetworkFee = bigint;

/**
 * What became of a signed transaction, or of the one that it replaced, which makes the same payment: `txId` names the
 * one in a block. `unknown`: the network has not heard of it, so send it again. `waiting`: known, in no block.
 * `reverted`: in a block without effect. `displaced`: a transaction with its nonce that is no such payment is in a
 * block.
 */
export type Fate =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'included' | 'reverted';
      readonly txId: string;
      readonly confirmations: number;
      readonly networkFee: NetworkFee;
    }
  | { readonly kind: 'displaced'; readonly by: string; readonly confirmations: number };

/**
 * Money that moved from a deposit address to the wallet that pays withdrawals. `amount` is 0 where a transaction only
 * cost its fee: gas that a deposit address got for a token to be swept, or a sweep that failed.
 */
export interface Sweep {
  readonly txId: string;
  readonly contract: string | null;
  readonly amount: bigint;
  readonly networkFee: NetworkFee;
}

/** How a network tells payments of the wallet apart that pays withdrawals: by nonce, else by transaction. */
export interface PaymentName {
  readonly nonce: number | null;
  /** `null`: not known, on networks with nonces. */
  readonly txId: string | null;
}

/** Which payments of the wallet are asked for. */
export interface SentPaymentsRequest {
  /** The least nonce that the caller knows nothing of. */
  readonly nonceFrom: number;
  /** On networks without nonces: those that were sent about then or later; `null`: all that are known. */
  readonly since: string | null;
  /** What makes a payment final. */
  readonly confirmations: number;
}

/** Payments that the wallet has sent, by whomever: some are the caller's own. */
export interface SentPayments {
  /** In a block with the confirmations that were asked for; ascending by nonce, at most some thousand. */
  readonly final: readonly PaymentName[];
  /** In newer blocks, or in none yet. */
  readonly waiting: readonly PaymentName[];
}

/** What a payment moved, in the smallest unit of the chain. */
export interface MovedPayment {
  readonly contract: string | null;
  /** 0: the transaction moved nothing. */
  readonly amount: bigint;
  readonly address: string | null;
  readonly memo: string | null;
}

/** A payment of the wallet as the chain has it. */
export interface SentPayment {
  readonly nonce: number | null;
  readonly txId: string;
  readonly networkFee: NetworkFee;
  /** `null`: it moved several things, or in a way that is no payment. */
  readonly moved: MovedPayment | null;
}

/** What custody has of one coin on one network, in the smallest unit of the chain. */
export interface Holding {
  readonly contract: string | null;
  readonly amount: bigint;
}

/** What a wallet that pays has of one coin. `hot` pays withdrawals, `gas` the gas that sweeps of tokens need. */
export interface WalletHolding extends Holding {
  readonly wallet: 'hot' | 'gas';
  /** What the operator says that it should have at least; `null`: he did not say. */
  readonly floor: bigint | null;
}

/** How a network stands, for who watches it. */
export interface NetworkStatus {
  /** The newest block; `null`: nobody looks at this network. */
  readonly head: {
    readonly height: number;
    /** When it was made, in milliseconds since 1970 UTC; `null`: it does not say. */
    readonly at: number | null;
  } | null;
  /** Of the coins that were asked for, those of which something is known. */
  readonly wallets: readonly WalletHolding[];
}

/** The network does not answer now, or answers nonsense: nothing is known, so ask again later. */
export class NetworkUnavailable extends Error {
  override name = 'NetworkUnavailable';
}

/**
 * Custody of one network. Every method may be called again after a crash at any point: none of them doubles anything.
 * All of them may throw `NetworkUnavailable`.
 */
export interface NetworkCustody {
  /** Code of the network, such as `ETH`. */
  readonly network: string;
  /** Whether it signs payments; if not, operators pay by hand and record it. */
  readonly isPaying: boolean;
  /** Deposit addresses that there are in all; `null`: as many as are asked for. */
  readonly addressCountMax: number | null;
  /** Whether it looks at its chain; if not, operators report by hand what arrives and what is there. */
  readonly isReading: boolean;
  /** The deposit address with an index from 0; the same for ever. `null`: there is none left. */
  depositAddress(index: number): Promise<ChainAddress | null>;
  observe(request: ObservationRequest): Promise<Observation>;
  /**
   * Where payments stand now, in the order of the question, all of one chain; `gone` where one is in no block of it,
   * `null` where nobody reads it.
   */
  placesOf(payments: readonly PaymentRef[]): Promise<readonly (PaymentPlace | 'gone' | null)[]>;
  /**
   * Signs a payment without sending it. The caller makes the answer durable, then calls `send`. `nonceFrom`: the least
   * nonce that no signed transaction has, as far as is journaled. `paidLastHour`: what the wallet paid of the coin
   * within the last hour by the journal, in the smallest unit of the chain, for limits. DEC-WAL-48.
   */
  sign(payment: OutgoingPayment, nonceFrom: number, paidLastHour: bigint): Promise<Signing>;
  /**
   * What a signed transaction says. `fault`, the end of a sentence about it: it is no payment of the wallet on this
   * network, or not the one that its id and nonce name.
   */
  readSigned(transaction: SignedTransaction): Promise<SignedContent | { readonly fault: string }>;
  /** Sends a signed transaction; sending it again does no harm. */
  send(transaction: SignedTransaction): Promise<void>;
  /** What became of a transaction that was signed here. */
  fateOf(transaction: SignedTransaction): Promise<Fate>;
  /**
   * The same payment signed anew with the same nonce and a higher fee, where the sent one waits too long; `null` while
   * it need not be. The caller makes the answer durable, then sends it.
   */
  replacementFor(payment: OutgoingPayment, sent: SignedTransaction): Promise<SignedTransaction | null>;
  /** What the wallet that pays withdrawals has sent; adapters that only watch have no wallet, and answer nothing. */
  sentPayments(request: SentPaymentsRequest): Promise<SentPayments>;
  /**
   * What a payment of the wallet was; `null` where it is not found, or not found yet: then ask again, a search goes on
   * with each question. `since`: a position from which on it is searched for.
   */
  describePayment(name: PaymentName, since: string | null): Promise<SentPayment | null>;
  /** Moves what deposit addresses have to the wallet that pays withdrawals, where that is due; else does nothing. */
  sweep(addressCount: number): Promise<void>;
  /** Sweeps that are final since a position; adapters that only watch have none. `addressCount` as in `observe`. */
  sweepsSince(
    position: string | null,
    addressCount: number,
  ): Promise<{ readonly position: string; readonly sweeps: readonly Sweep[] }>;
  /** How the network stands, and what the wallets that pay have of the native coin and of these tokens. */
  status(contracts: readonly string[]): Promise<NetworkStatus>;
  /** What all its addresses with an index below `addressCount` and its wallet own, a row per coin that it looks at. */
  holdings(contracts: readonly string[], addressCount: number): Promise<readonly Holding[]>;
}

/** Custody of every network that is served, by code. */
export type Custody = ReadonlyMap<string, NetworkCustody>;
