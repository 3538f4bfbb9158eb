import type { Network } from '#custody/addresses/networks.ts';

/** Blocks that one reorganisation replaces at most. */
export const reorganisationDepthMax = 100;
/** Blocks that are mined at once, or that transactions are delayed by, at most. */
export const controlledBlocksMax = 10_000;

/** A payment that somebody outside makes on a simulated network. */
export interface SimulatedDeposit {
  readonly network: string;
  /** Any address of the network, in any way of writing it; only payments to addresses of the exchange have a reader. */
  readonly address: string;
  /** `null` or empty: none, also where the network needs one, because depositors forget it. */
  readonly memo: string | null;
  /** Contract of a token; `null`: the native coin. */
  readonly contract: string | null;
  /** In the smallest unit of the chain: 1 to 2^256 − 1. */
  readonly amount: bigint;
}

/** What an operator sees of a simulated network. */
export interface SimulatedNetworkState {
  readonly network: Network;
  /** Number of the newest block; the network began with block 0. */
  readonly height: number;
  /** Hash of the newest block. */
  readonly hash: string;
  /** Transactions that wait for a block. */
  readonly mempoolSize: number;
  /** When the next block is mined by the passing of time, in milliseconds since 1970 UTC on the exchange's clock. */
  readonly nextBlockAt: number;
  /** Blocks that a transaction of now waits for beyond the next one. */
  readonly delayBlocks: number;
}

/** An act that the simulated chain refuses; it changed nothing. */
export class ChainControlRefused extends Error {
  override name = 'ChainControlRefused';
  /** The member of the request that is at fault. */
  readonly member: string;
  /** The end of a sentence that begins with the member. */
  readonly reason: string;

  constructor(member: string, reason: string) {
    super(`${member} ${reason}`);
    this.member = member;
    this.reason = reason;
  }
}

/**
 * What happens on the simulated chains because an operator wants it. An answer means that it is durable. Every method
 * may throw `ChainControlRefused`, and `NetworkUnavailable` once the chain's file cannot be written.
 */
export interface ChainControls {
  /** Puts a payment into the mempool; it is in the next block, or later by the delay. Answers its txId. */
  deposit(deposit: SimulatedDeposit): Promise<string>;
  /** Mines 1 to `controlledBlocksMax` blocks now, in addition to those that time brings. DEC-WAL-40. */
  mine(request: { readonly network: string; readonly blocks: number }): Promise<SimulatedNetworkState>;
  /**
   * Replaces the newest `depth` blocks (1 to `reorganisationDepthMax`, at most as many as there are) by empty ones.
   * Their transactions are gone for good with `drop`, else they are in the next block. So many `blocks` (0 to
   * `controlledBlocksMax`) are mined in the same moment, before anybody sees the chain again. DEC-WAL-41.
   */
  reorganise(request: {
    readonly network: string;
    readonly depth: number;
    readonly drop: boolean;
    /** 0 unless given. */
    readonly blocks?: number;
  }): Promise<SimulatedNetworkState>;
  /** Transactions sent from now on wait for this many further blocks, 0 to `controlledBlocksMax`. DEC-WAL-42. */
  delay(request: { readonly network: string; readonly blocks: number }): Promise<SimulatedNetworkState>;
  /**
   * The wallet that pays withdrawals can pay this much more of a coin, 0 to 2^256 − 1; `null`: without end, as at the
   * beginning. Above it `sign` refuses until later.
   */
  limitWallet(request: {
    readonly network: string;
    readonly contract: string | null;
    readonly amount: bigint | null;
  }): Promise<SimulatedNetworkState>;
  state(network: string): Promise<SimulatedNetworkState>;
}
