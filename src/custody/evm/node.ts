import type { z } from 'zod';
import { NetworkUnavailable } from '#custody/custody.ts';
import { balanceData, transferTopic } from '#custody/evm/erc20.ts';
import type { Rpc, RpcAnswer, RpcCall, RpcRefusal } from '#custody/evm/rpc.ts';
import * as wire from '#custody/evm/wire.ts';

/** The newest block. */
export interface Head {
  readonly number: number;
  readonly hash: string;
  /** When it was made, in seconds since 1970 UTC; null where the node does not say. */
  readonly timestamp: number | null;
  /** Of this block, per gas; null on chains without EIP-1559. */
  readonly baseFeePerGas: bigint | null;
}

/** State to ask about: after a block, after the newest block, or with what waits in the node's pool. */
export type StateTag = number | 'latest' | 'pending';

/** Full blocks in one request: they are large. */
const blocksPerRequest = 8;

/**
 * A node, asked in the words of this adapter. Every answer is checked before use: its shape, that it is about what was
 * asked, and that blocks are linked. Addresses and hashes are in lower case. Throws `NetworkUnavailable` alone.
 */
export class EvmNode {
  readonly #network: string;
  readonly #chainId: bigint;
  readonly #rpc: Rpc;
  /** Highest block that was read. */
  #readTo = 0;

  constructor({ network, chainId, rpc }: { readonly network: string; readonly chainId: number; readonly rpc: Rpc }) {
    this.#network = network;
    this.#chainId = BigInt(chainId);
    this.#rpc = rpc;
  }

  /** The newest block, of the right chain and not older than one that was read; the node has caught up with it. */
  async head(): Promise<Head> {
    const [chain, syncing, latest] = await this.#rpc([
      { method: 'eth_chainId', params: [] },
      { method: 'eth_syncing', params: [] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ]);
    const chainId = this.#read('eth_chainId', wire.quantity, chain!);
    if (chainId !== this.#chainId) throw this.fault(`the node is on chain ${chainId}, not on ${this.#chainId}`);
    // While it catches up, a node has no receipts of blocks that are known already.
    if (!this.#read('eth_syncing', wire.hasCaughtUp, syncing!)) throw this.fault('the node is still catching up');
    const head = this.#read('eth_getBlockByNumber', wire.headerOrNull, latest!);
    if (head === null) throw this.fault('there is no newest block');
    if (head.number < this.#readTo) throw this.fault(`the node is at block ${head.number}, behind ${this.#readTo}`);
    return head;
  }

  /** Notes that blocks up to `number` were read: a node that is behind it tells of the past. */
  noteRead(number: number): void {
    this.#readTo = Math.max(this.#readTo, number);
  }

  /** Blocks `from` to `to`, both included, each the parent of the next. */
  async blocks(from: number, to: number): Promise<readonly wire.Block[]> {
    const blocks: wire.Block[] = [];
    for (let first = from; first <= to; first += blocksPerRequest) {
      const numbers = range(first, Math.min(first + blocksPerRequest - 1, to));
      const calls = numbers.map((number) => call('eth_getBlockByNumber', toQuantity(number), true));
      blocks.push(...this.#present(await this.#askAll(calls, wire.blockOrNull)));
    }
    blocks.forEach((block, index) => {
      if (block.number !== from + index) throw this.fault(`block ${block.number} came for ${from + index}`);
      if (index > 0 && block.parentHash !== blocks[index - 1]!.hash)
        throw this.fault(`block ${block.number} does not follow block ${block.number - 1}`);
    });
    return blocks;
  }

  /** Hashes of the blocks with these numbers on the chain as it is now; a number may stand there several times. */
  async hashes(numbers: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const distinct = [...new Set(numbers)];
    const calls = distinct.map((number) => call('eth_getBlockByNumber', toQuantity(number), false));
    const headers = this.#present(await this.#askAll(calls, wire.headerOrNull));
    headers.forEach(({ number }, index) => {
      if (number !== distinct[index]) throw this.fault(`block ${number} came for ${distinct[index]}`);
    });
    return new Map(headers.map(({ number, hash }) => [number, hash]));
  }

  /** Logs of token transfers in each of the blocks, by these contracts alone. */
  async transferLogs(
    blocks: readonly wire.BlockHeader[],
    contracts: readonly string[],
  ): Promise<readonly (readonly wire.Log[])[]> {
    const calls = blocks.map(({ hash }) =>
      call('eth_getLogs', { blockHash: hash, address: contracts, topics: [transferTopic] }),
    );
    const logs = await this.#askAll(calls, wire.logs);
    blocks.forEach(({ hash, number }, index) => {
      for (const log of logs[index]!) {
        const isAsked =
          log.blockHash === hash && contracts.includes(log.address) && log.topics[0] === transferTopic && !log.removed;
        if (!isAsked) throw this.fault(`a log came that is not of block ${number} or not of what was asked`);
      }
    });
    return logs;
  }

  /** Receipts of transactions, null where one is in no block. */
  async receipts(txIds: readonly string[]): Promise<readonly (wire.Receipt | null)[]> {
    const calls = txIds.map((txId) => call('eth_getTransactionReceipt', txId));
    const receipts = await this.#askAll(calls, wire.receiptOrNull);
    receipts.forEach((receipt, index) => {
      if (receipt === null) return;
      const isConsistent =
        receipt.transactionHash === txIds[index] &&
        receipt.logs.every((log) => log.transactionHash === txIds[index] && log.blockHash === receipt.blockHash);
      if (!isConsistent) throw this.fault(`the receipt of ${txIds[index]} is about another transaction`);
    });
    return receipts;
  }

  /** Receipts as `receipts` gives them, each of a block of the chain that ends at `head`. */
  async canonicalReceipts(txIds: readonly string[], head: Head): Promise<readonly (wire.Receipt | null)[]> {
    const receipts = await this.receipts(txIds);
    const placed = receipts.filter((receipt) => receipt !== null);
    const later = placed.find(({ blockNumber }) => blockNumber > head.number);
    if (later !== undefined) throw this.fault(`block ${later.blockNumber} of a receipt is after the newest block`);
    // The newest block is read again: counted from one that was replaced meanwhile, confirmations mean nothing.
    const hashes = await this.hashes([...placed.map(({ blockNumber }) => blockNumber), head.number]);
    if (hashes.get(head.number) !== head.hash) throw this.fault(`block ${head.number} changed while it was read`);
    const stray = placed.find(({ blockNumber, blockHash }) => hashes.get(blockNumber) !== blockHash);
    if (stray !== undefined) throw this.fault(`block ${stray.blockNumber} of a receipt is not on the chain`);
    return receipts;
  }

  /** Whether the node knows a transaction that waits, or has it in a block; null: it does not know it. */
  async placeOf(txId: string): Promise<'pool' | 'block' | null> {
    const known = await this.#ask(call('eth_getTransactionByHash', txId), wire.knownOrNull);
    if (known === null) return null;
    if (known.hash !== txId) throw this.fault('another transaction came than was asked for');
    return known.blockHash === null ? 'pool' : 'block';
  }

  /** A transaction that the node knows, in a block or waiting; null: it knows none. */
  async transaction(txId: string): Promise<wire.BlockTransaction | null> {
    const known = await this.#ask(call('eth_getTransactionByHash', txId), wire.transactionOrNull);
    if (known !== null && known.hash !== txId) throw this.fault('another transaction came than was asked for');
    return known;
  }

  /** Transactions that each address has sent, by the state of `tag`. */
  async counts(addresses: readonly string[], tag: StateTag): Promise<readonly number[]> {
    return this.#askAll(
      addresses.map((address) => call('eth_getTransactionCount', address, tagText(tag))),
      wire.count,
    );
  }

  /** Native balance of each address. */
  async balances(addresses: readonly string[], tag: StateTag): Promise<readonly bigint[]> {
    return this.#askAll(
      addresses.map((address) => call('eth_getBalance', address, tagText(tag))),
      wire.quantity,
    );
  }

  /** What each owner has of a token. */
  async tokenBalances(contract: string, owners: readonly string[], tag: StateTag): Promise<readonly bigint[]> {
    return this.#askAll(
      owners.map((owner) => call('eth_call', { to: contract, data: balanceData(owner) }, tagText(tag))),
      wire.word,
    );
  }

  /** What one owner has of each token; null where the contract does not tell. */
  async balancesOf(owner: string, contracts: readonly string[], tag: StateTag): Promise<readonly (bigint | null)[]> {
    if (contracts.length === 0) return [];
    const data = balanceData(owner);
    const answers = await this.#rpc(contracts.map((to) => call('eth_call', { to, data }, tagText(tag))));
    return answers.map((answer) => ('refusal' in answer ? null : (wire.word.safeParse(answer.result).data ?? null)));
  }

  /** What the node thinks a miner wants per gas, beside the base fee. */
  async priorityFeePerGas(): Promise<bigint> {
    return this.#ask(call('eth_maxPriorityFeePerGas'), wire.quantity);
  }

  /** Gas that a transaction would use, or the node's refusal where it would fail. */
  async estimateGas(
    transaction: { readonly from: string; readonly to: string; readonly value: bigint; readonly data: string },
    tag: StateTag,
  ): Promise<bigint | RpcRefusal> {
    const { from, to, value, data } = transaction;
    const asked = { from, to, value: toQuantity(value), data };
    const [answer] = await this.#rpc([call('eth_estimateGas', asked, tagText(tag))]);
    return 'refusal' in answer! ? answer.refusal : this.#read('eth_estimateGas', wire.quantity, answer!);
  }

  /** Sends a signed transaction. Null: the node took it; else why not, which may be that it has it already. */
  async send({ raw, txId }: { readonly raw: string; readonly txId: string }): Promise<RpcRefusal | null> {
    const [answer] = await this.#rpc([call('eth_sendRawTransaction', raw)]);
    if ('refusal' in answer!) return answer.refusal;
    const sent = this.#read('eth_sendRawTransaction', wire.hash, answer!);
    if (sent !== txId) throw this.fault('the node named a sent transaction by another hash');
    return null;
  }

  /** The error to throw where the node cannot be relied on; `text` says why. */
  fault(text: string): NetworkUnavailable {
    return new NetworkUnavailable(`${this.#network}: ${text}`);
  }

  async #ask<T>(question: RpcCall, schema: z.ZodType<T>): Promise<T> {
    const [answer] = await this.#askAll([question], schema);
    return answer!;
  }

  async #askAll<T>(calls: readonly RpcCall[], schema: z.ZodType<T>): Promise<readonly T[]> {
    if (calls.length === 0) return [];
    const answers = await this.#rpc(calls);
    return answers.map((answer, index) => this.#read(calls[index]!.method, schema, answer));
  }

  #read<T>(method: string, schema: z.ZodType<T>, answer: RpcAnswer): T {
    if ('refusal' in answer) throw this.fault(`${method} was refused: ${answer.refusal.message}`);
    const parsed = schema.safeParse(answer.result);
    if (parsed.success) return parsed.data;
    throw this.fault(`${method} was answered with something else`);
  }

  #present<T>(blocks: readonly (T | null)[]): readonly T[] {
    return blocks.map((block) => {
      if (block === null) throw this.fault('a block below the newest is missing');
      return block;
    });
  }
}

const call = (method: string, ...params: readonly unknown[]): RpcCall => ({ method, params });
const toQuantity = (value: number | bigint): string => '0x' + value.toString(16);
const tagText = (tag: StateTag): string => (typeof tag === 'number' ? toQuantity(tag) : tag);
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
