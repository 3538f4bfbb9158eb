import { assert } from '#base/assert.ts';
import type { Network } from '#custody/addresses/networks.ts';
import type { BlockHistory } from '#custody/simulated/block-history.ts';
import type { NetworkRecord } from '#custody/simulated/chain-records.ts';
import type { NetworkImage, RecordedPayment, TransactionImage } from '#custody/simulated/network-image.ts';

/** Transactions that never happened after all, of which this many are remembered. */
const removedMax = 10_000;

/** A transaction of a simulated network, in the mempool or in a block. */
export interface SimulatedTransaction {
  readonly txId: string;
  readonly address: string;
  readonly memo: string | null;
  readonly contract: string | null;
  readonly amount: bigint;
  /** When it was sent, in milliseconds since 1970 UTC. */
  readonly sentAt: number;
  /** The newest block when it was sent. */
  readonly sentHeight: number;
  /** The block that has it; above the newest block while it waits. */
  readonly minedHeight: number;
  /** What its sender chose, if that is the exchange; `null` for deposits. */
  readonly outgoing: { readonly nonce: number | null; readonly fee: bigint } | null;
}

/**
 * Everything that is so on one simulated network: the fold of its records. Whether a transaction is in a block follows
 * from the height, so time passes without touching anything. It knows no clock, file or deposit address.
 */
export class NetworkChain {
  readonly network: Network;
  readonly blocks: BlockHistory;
  /** By txId, in the order of sending. */
  private readonly transactions = new Map<string, SimulatedTransaction>();
  private readonly byNonce = new Map<number, SimulatedTransaction>();
  private delayBlocks = 0;
  private depositCount = 0;
  /** The least nonce above all that were ever sent, and above all that are forgotten. */
  private nextNonce = 0;
  private foldedNonces = 0;
  /** What the wallet can still pay, by coin; without an entry it has no end. */
  private readonly limits = new Map<string | null, bigint>();
  /** What forgotten transactions brought the exchange, by coin. */
  private readonly sums = new Map<string | null, bigint>();
  private foldedHeight = -1;
  /** The newest of the transactions that never happened after all. */
  private readonly removed = new Set<string>();
  private newestMinedHeight = Number.NEGATIVE_INFINITY;

  constructor(network: Network, blocks: BlockHistory) {
    this.network = network;
    this.blocks = blocks;
  }

  get transactionCount(): number {
    return this.transactions.size;
  }
  get delay(): number {
    return this.delayBlocks;
  }
  /** Deposits ever. */
  get deposits(): number {
    return this.depositCount;
  }
  get leastFreeNonce(): number {
    return this.nextNonce;
  }
  /** The highest block that any transaction is or will be in. */
  get lastMinedHeight(): number {
    return this.newestMinedHeight;
  }

  transaction(txId: string): SimulatedTransaction | null {
    return this.transactions.get(txId) ?? null;
  }

  /** The transaction of the exchange with a nonce, in the mempool or in a block. */
  withNonce(nonce: number): SimulatedTransaction | null {
    return this.byNonce.get(nonce) ?? null;
  }

  /** Whether a transaction that was in a block is forgotten. */
  isFolded(txId: string): boolean {
    return this.foldedHeight >= 0 && !this.transactions.has(txId) && !this.removed.has(txId);
  }

  /** The highest block of those whose transactions are forgotten; -1: there are none. */
  get lastFoldedHeight(): number {
    return this.foldedHeight;
  }

  /** Whether the exchange's transaction with this nonce is forgotten. */
  isNonceFolded(nonce: number): boolean {
    return nonce < this.foldedNonces;
  }

  /** In the order of sending. */
  all(): IterableIterator<SimulatedTransaction> {
    return this.transactions.values();
  }

  /** Whether the wallet can pay any amount of every coin. */
  get isUnlimited(): boolean {
    return this.limits.size === 0;
  }

  /** What the wallet can still pay of a coin; `null`: any amount. */
  walletLimit(contract: string | null): bigint | null {
    return this.limits.get(contract) ?? null;
  }

  /** What transactions that are forgotten brought the exchange of a coin, less what they took. */
  foldedSum(contract: string | null): bigint {
    return this.sums.get(contract) ?? 0n;
  }

  apply(record: NetworkRecord): void {
    const height = this.blocks.heightAt(record.at);
    switch (record.kind) {
      case 'deposit':
        this.depositCount += 1;
        this.add({ ...paymentOf(record), ...this.sent(record.at, this.delayBlocks), outgoing: null });
        break;
      case 'send':
        this.send(record);
        break;
      case 'mine':
        this.blocks.mine(record.blocks);
        break;
      case 'delay':
        this.delayBlocks = record.blocks;
        break;
      case 'reorganise':
        this.reorganise(height, record);
        break;
      case 'limitWallet':
        if (record.amount === null) this.limits.delete(record.contract);
        else this.limits.set(record.contract, BigInt(record.amount));
        break;
      case 'seen':
        this.blocks.anchor(record.at, Math.max(height, record.height));
        break;
      case 'fold':
        this.fold(record.count, record.sums);
        break;
      default:
        record satisfies never;
    }
  }

  private sent(at: number, delayBlocks: number) {
    const sentHeight = this.blocks.heightAt(at);
    return { sentAt: at, sentHeight, minedHeight: sentHeight + 1 + delayBlocks };
  }

  /** A replacement pays to be in the next block whatever the delay. DEC-WAL-43. */
  private send(record: NetworkRecord & { readonly kind: 'send' }): void {
    const { nonce } = record;
    const replaced = nonce === null ? null : this.withNonce(nonce);
    if (replaced !== null) this.remove(replaced);
    this.add({
      ...paymentOf(record),
      ...this.sent(record.at, replaced === null ? this.delayBlocks : 0),
      outgoing: { nonce, fee: BigInt(record.fee) },
    });
  }

  private add(transaction: SimulatedTransaction): void {
    assert(!this.transactions.has(transaction.txId), 'a transaction is known once');
    this.place(transaction);
    const { outgoing, contract, amount } = transaction;
    if (outgoing === null) return;
    if (outgoing.nonce !== null) this.nextNonce = Math.max(this.nextNonce, outgoing.nonce + 1);
    this.changeLimit(contract, -amount);
  }

  /** Puts a transaction where it is or will be mined. */
  private place(transaction: SimulatedTransaction): void {
    this.removed.delete(transaction.txId);
    this.transactions.set(transaction.txId, transaction);
    this.newestMinedHeight = Math.max(this.newestMinedHeight, transaction.minedHeight);
    const nonce = transaction.outgoing?.nonce ?? null;
    if (nonce !== null) this.byNonce.set(nonce, transaction);
  }

  /** A transaction that never happened after all. */
  private remove(transaction: SimulatedTransaction): void {
    this.forget(transaction);
    this.removed.add(transaction.txId);
    for (const oldest of this.removed) {
      if (this.removed.size <= removedMax) break;
      this.removed.delete(oldest);
    }
    if (transaction.outgoing !== null) this.changeLimit(transaction.contract, transaction.amount);
  }

  private forget({ txId, outgoing }: SimulatedTransaction): void {
    this.transactions.delete(txId);
    const nonce = outgoing?.nonce ?? null;
    if (nonce !== null) this.byNonce.delete(nonce);
  }

  private changeLimit(contract: string | null, by: bigint): void {
    const limit = this.limits.get(contract);
    if (limit !== undefined) this.limits.set(contract, limit + by);
  }

  private reorganise(height: number, { depth, drop }: { readonly depth: number; readonly drop: boolean }): void {
    const fork = height - depth;
    this.blocks.fork(fork);
    for (const transaction of [...this.transactions.values()]) {
      if (transaction.minedHeight <= fork || transaction.minedHeight > height) continue;
      if (drop) this.remove(transaction);
      else this.place({ ...transaction, minedHeight: height + 1 });
    }
  }

  private fold(count: number, sums: readonly (readonly [string, string])[]): void {
    for (const transaction of [...this.transactions.values()].slice(0, count)) {
      this.forget(transaction);
      this.foldedHeight = Math.max(this.foldedHeight, transaction.minedHeight);
      const nonce = transaction.outgoing?.nonce ?? null;
      if (nonce !== null) this.foldedNonces = Math.max(this.foldedNonces, nonce + 1);
    }
    for (const [coin, sum] of sums) {
      const contract = contractOf(coin);
      this.sums.set(contract, this.foldedSum(contract) + BigInt(sum));
    }
  }

  image(): NetworkImage {
    const { network, delayBlocks, depositCount, nextNonce, foldedNonces, foldedHeight } = this;
    return {
      network,
      ...this.blocks.image(),
      delayBlocks,
      depositCount,
      nextNonce,
      foldedNonces,
      foldedHeight,
      removed: [...this.removed],
      limits: coinTexts(this.limits),
      sums: coinTexts(this.sums),
      transactions: [...this.transactions.values()].map(imageOf),
    };
  }

  load(image: NetworkImage): void {
    this.blocks.load(image);
    this.delayBlocks = image.delayBlocks;
    this.depositCount = image.depositCount;
    this.nextNonce = image.nextNonce;
    this.foldedNonces = image.foldedNonces;
    this.foldedHeight = image.foldedHeight;
    for (const txId of image.removed) this.removed.add(txId);
    for (const [coin, amount] of image.limits) this.limits.set(contractOf(coin), BigInt(amount));
    for (const [coin, amount] of image.sums) this.sums.set(contractOf(coin), BigInt(amount));
    for (const each of image.transactions) {
      const outgoing = each.outgoing === null ? null : { nonce: each.outgoing.nonce, fee: BigInt(each.outgoing.fee) };
      this.place({ ...each, amount: BigInt(each.amount), outgoing });
    }
  }
}

function paymentOf({ txId, address, memo, contract, amount }: RecordedPayment) {
  return { txId, address, memo, contract, amount: BigInt(amount) };
}

function imageOf(transaction: SimulatedTransaction): TransactionImage {
  const { amount, outgoing } = transaction;
  return {
    ...transaction,
    amount: String(amount),
    outgoing: outgoing === null ? null : { nonce: outgoing.nonce, fee: String(outgoing.fee) },
  };
}

/** The native coin is the empty text in the file. */
const contractOf = (coin: string): string | null => (coin === '' ? null : coin);

/** Amounts by coin as the file keeps them. */
export const coinTexts = (amounts: ReadonlyMap<string | null, bigint>): [string, string][] =>
  [...amounts].map(([contract, amount]) => [contract ?? '', String(amount)]);

/** What transactions bring the exchange by coin: paid in, less paid out, less network fees of the native coin. */
export function balanceOf(
  transactions: readonly SimulatedTransaction[],
  isOurs: (address: string) => boolean,
): Map<string | null, bigint> {
  const sums = new Map<string | null, bigint>();
  const add = (contract: string | null, amount: bigint): void => {
    sums.set(contract, (sums.get(contract) ?? 0n) + amount);
  };
  for (const { address, contract, amount, outgoing } of transactions) {
    if (isOurs(address)) add(contract, amount);
    if (outgoing === null) continue;
    add(contract, -amount);
    add(null, -outgoing.fee);
  }
  return sums;
}
