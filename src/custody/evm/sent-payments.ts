import type { MovedPayment, PaymentName, SentPayment, SentPayments, SentPaymentsRequest } from '#custody/custody.ts';
import { BoundedCache } from '#base/bounded-cache.ts';
import { readTransfer } from '#custody/evm/erc20.ts';
import { readAddress } from '#custody/evm/keys.ts';
import type { EvmNode, Head } from '#custody/evm/node.ts';
import { readPosition, reorganisationDepthMax } from '#custody/evm/position.ts';
import type { EvmSettings } from '#custody/evm/settings.ts';
import type { BlockTransaction, Log } from '#custody/evm/wire.ts';

/** Payments that one answer lists at most; the next question goes on behind them. */
const listedMax = 1000;
/** Blocks that are read to find the transaction of a nonce. Beyond it an operator has to name the transaction. */
const searchedBlocksMax = 200_000;
/** Confirmations that are asked for at most: common nodes keep the state of 128 blocks. */
const stateDepthMax = 64;
/** Transactions of the wallet that a search remembers. */
const foundMax = 10_000;

/** What looking at the hot wallet needs. */
export interface SentPaymentTools {
  readonly node: EvmNode;
  readonly settings: Pick<EvmSettings, 'blocksPerCall' | 'firstNonce' | 'startBlock'>;
  /** Address of the hot wallet. */
  readonly wallet: string;
}

/**
 * What the hot wallet has sent, by what a node knows of it: how many transactions the wallet made, and which. A node
 * finds no transaction by its sender, so the blocks since a position are read for it, some at each question.
 */
export class SentPaymentFinder {
  readonly #tools: SentPaymentTools;
  readonly #wallet: string;
  readonly #found = new BoundedCache<number, string>({ entriesKept: foundMax });
  /** First block of the running search, and the next one to read; null: nothing was searched for yet. */
  #search: { readonly from: number; next: number } | null = null;

  constructor(tools: SentPaymentTools) {
    this.#tools = tools;
    this.#wallet = tools.wallet.toLowerCase();
  }

  /** Nonces that the chain has with enough confirmations, and how many more are in newer blocks or wait. */
  async sent({ nonceFrom, confirmations }: SentPaymentsRequest): Promise<SentPayments> {
    const { node, settings } = this.#tools;
    const first = Math.max(nonceFrom, settings.firstNonce);
    const head = await node.head();
    const final = head.number - Math.min(confirmations, stateDepthMax) + 1;
    const [finalCount] = final < 0 ? [0] : await node.counts([this.#wallet], final);
    const [latest] = await node.counts([this.#wallet], head.number);
    const [pending] = await node.counts([this.#wallet], 'pending');
    const end = Math.min(finalCount!, first + listedMax);
    const nonces = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
    const from = Math.max(first, finalCount!);
    const to = Math.min(Math.max(latest!, pending!), from + listedMax);
    const waiting = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
    const named = (nonce: number): PaymentName => ({ nonce, txId: null });
    return { final: nonces.map(named), waiting: waiting.map(named) };
  }

  /**
   * What a payment of the wallet was; null where its transaction is not found, or not found yet. A transaction of
   * somebody else or with another nonce is none.
   */
  async describe({ nonce, txId }: PaymentName, since: string | null): Promise<SentPayment | null> {
    const { node } = this.#tools;
    const head = await node.head();
    const hash = txId ?? (nonce === null ? null : await this.#find(nonce, since, head));
    if (hash === null || !/^0x[0-9a-f]{64}$/.test(hash)) return null;
    const transaction = await node.transaction(hash);
    if (transaction === null || transaction.from !== this.#wallet || transaction.nonce !== nonce) return null;
    return this.#read(transaction, head);
  }

  async #find(nonce: number, since: string | null, head: Head): Promise<string | null> {
    const known = this.#found.get(nonce);
    if (known !== undefined) return known;
    const { node, settings } = this.#tools;
    const position = since === null ? null : readPosition(since);
    const begin = position === null ? settings.startBlock : position.number - reorganisationDepthMax;
    if (begin === null || head.number - begin > searchedBlocksMax) return null;
    const from = Math.max(0, begin);
    if (this.#search === null || from < this.#search.from) this.#search = { from, next: from };
    const { next } = this.#search;
    const end = Math.min(head.number, next + settings.blocksPerCall - 1);
    for (const { transactions } of await node.blocks(next, end))
      for (const sent of transactions) if (sent.from === this.#wallet) this.#found.set(sent.nonce, sent.hash);
    this.#search.next = end + 1;
    return this.#found.get(nonce) ?? null;
  }

  async #read({ hash, nonce, to, value }: BlockTransaction, head: Head): Promise<SentPayment | null> {
    const [receipt] = await this.#tools.node.canonicalReceipts([hash], head);
    if (!receipt) return null;
    const networkFee = receipt.gasUsed * receipt.effectiveGasPrice;
    const movements = receipt.status === '0x1' ? this.#movements(receipt.logs, to, value) : [];
    // What moves several things at once is no payment of this adapter: an operator says what it was.
    const moved = movements.length === 0 ? nothing : movements.length === 1 ? movements[0]! : null;
    return { nonce, txId: hash, networkFee, moved };
  }

  #movements(logs: readonly Log[], to: string | null, value: bigint): readonly (MovedPayment | null)[] {
    const tokens = logs.flatMap((log) => {
      const transfer = readTransfer(log);
      if (transfer === null || transfer.from !== this.#wallet || transfer.to === this.#wallet) return [];
      const { contract, amount } = transfer;
      return [{ contract: readAddress(contract), amount, address: readAddress(transfer.to), memo: null }];
    });
    if (value === 0n || to === this.#wallet) return tokens;
    const native = to === null ? null : { contract: null, amount: value, address: readAddress(to), memo: null };
    return [native, ...tokens];
  }
}

const nothing: MovedPayment = { contract: null, amount: 0n, address: null, memo: null };
