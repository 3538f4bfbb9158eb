/**
 * Custody of an EVM chain (Ethereum, BSC and the like) over JSON-RPC: the native coin and ERC-20 tokens.
 *
 * Everything it knows is on the chain or in what the caller journaled: positions, signed transactions, the count of
 * addresses. It may be stopped at any moment and another instance goes on. `node.ts` asks the node and believes no
 * answer before it was checked; `follow.ts` and `deposits.ts` find deposits; `signing.ts`, `fate.ts` and
 * `replacement.ts` pay withdrawals, and `sent-payments.ts` finds what else the wallet has sent; `sweep.ts` collects
 * deposits and `recorded-sweeps.ts` reports it. `settings.ts` says what an operator decides. Start with
 * `createEvmCustody`.
 */
import { BoundedCache } from '#base/bounded-cache.ts';
import type { Clock } from '#base/clock.ts';
import type {
  NetworkCustody,
  Observation,
  ObservationRequest,
  OutgoingPayment,
  PaymentName,
  PaymentPlace,
  PaymentRef,
  SentPaymentsRequest,
  SignedTransaction,
} from '#custody/custody.ts';
import { DepositAddresses } from '#custody/evm/deposit-addresses.ts';
import { depositsIn, isPaid, tokenTerms } from '#custody/evm/deposits.ts';
import { fateOf } from '#custody/evm/fate.ts';
import { newBlocks } from '#custody/evm/follow.ts';
import { holdingsOf } from '#custody/evm/holdings.ts';
import { networkStatus } from '#custody/evm/network-status.ts';
import { openKeys } from '#custody/evm/keys.ts';
import type { EvmKeys } from '#custody/evm/keys.ts';
import { readAddress } from '#custody/evm/keys.ts';
import { EvmNode } from '#custody/evm/node.ts';
import { positionText } from '#custody/evm/position.ts';
import { noPosition, recordedSweeps } from '#custody/evm/recorded-sweeps.ts';
import { Replacements } from '#custody/evm/replacement.ts';
import { createRpc } from '#custody/evm/rpc.ts';
import { SentPaymentFinder } from '#custody/evm/sent-payments.ts';
import type { SentTransaction } from '#custody/evm/sent-transaction.ts';
import { readPayment, readSentTransaction } from '#custody/evm/sent-transaction.ts';
import type { EvmSettings } from '#custody/evm/settings.ts';
import { settingsFault } from '#custody/evm/settings.ts';
import { SignedPayments } from '#custody/evm/signed-payments.ts';
import type { SigningTools } from '#custody/evm/signing.ts';
import { signPayment } from '#custody/evm/signing.ts';
import { Sweeper } from '#custody/evm/sweep.ts';

/** What custody of an EVM chain is made of. */
export interface EvmCustodyOptions {
  readonly settings: EvmSettings;
  /** Monotonic; for when deposits were swept last. */
  readonly clock: Clock;
  /** Gets what an operator should see, in a sentence. */
  readonly notice: (message: string) => void;
}

/** Custody of the EVM chain that the settings describe. Throws `TypeError` with the reason for unusable settings. */
export function createEvmCustody({ settings, clock, notice }: EvmCustodyOptions): NetworkCustody {
  const { network, chainId, rpcUrl: url, requestTimeoutMs: timeoutMs } = settings;
  const fault = settingsFault(settings);
  if (fault !== null) throw new TypeError(`${network}: ${fault}`);
  const keys = openKeys(settings.keys);
  const contracts = settings.tokens.map(({ contract }) => readAddress(contract).toLowerCase());
  const node = new EvmNode({ network, chainId, rpc: createRpc({ network, url, timeoutMs }) });
  return new EvmCustody({ node, keys, settings, clock, signed: new SignedPayments(), contracts, notice });
}

/** Refused transactions that are remembered, so that each is told of once. */
const refusalsKept = 1000;

interface EvmParts extends SigningTools {
  readonly contracts: readonly string[];
  readonly clock: Clock;
  readonly notice: (message: string) => void;
}

class EvmCustody implements NetworkCustody {
  readonly network: string;
  readonly isPaying: boolean;
  /** An account has 2^31 of them. */
  readonly addressCountMax = null;
  readonly isReading = true;
  readonly #parts: EvmParts;
  readonly #keys: EvmKeys;
  readonly #node: EvmNode;
  readonly #deposits: DepositAddresses;
  readonly #replacements: Replacements;
  readonly #sweeper: Sweeper | null;
  readonly #sent: SentPaymentFinder | null;
  /** When the last round of sweeping ended; null: there was none yet. */
  #sweptAt: number | null = null;
  /** By transaction: why the node did not take it, as the operator was told. */
  readonly #refused = new BoundedCache<string, string>({ entriesKept: refusalsKept });

  constructor(parts: EvmParts) {
    this.network = parts.settings.network;
    this.#parts = parts;
    this.#keys = parts.keys;
    this.#node = parts.node;
    this.#deposits = new DepositAddresses(parts.keys);
    this.#replacements = new Replacements(parts);
    const { spending } = parts.keys;
    this.isPaying = spending !== null;
    const wallet = spending?.hotWallet.address;
    this.#sent = wallet === undefined ? null : new SentPaymentFinder({ ...parts, wallet });
    this.#sweeper = spending === null ? null : new Sweeper({ ...parts, spending, deposits: this.#deposits });
  }

  async depositAddress(index: number) {
    const address = this.#keys.depositAddress(index);
    return address === null ? null : { address, memo: null };
  }

  async observe({ since, addressCount }: ObservationRequest): Promise<Observation> {
    const { settings, contracts, notice } = this.#parts;
    const { startBlock, blocksPerCall: blocksMax } = settings;
    await this.#deposits.derive(addressCount);
    const found = await newBlocks({ node: this.#node, startBlock, blocksMax, notice }, since);
    const ownership = { deposits: this.#deposits, addressCount, ownWallets: this.#keys.ownWallets, contracts };
    const payments = await depositsIn(this.#node, found, ownership);
    const { position, fork } = found;
    return { position: positionText(position), height: position.number, fork, payments };
  }

  async placesOf(payments: readonly PaymentRef[]): Promise<readonly (PaymentPlace | 'gone')[]> {
    const head = await this.#node.head();
    const receipts = await this.#node.canonicalReceipts(
      payments.map(({ txId }) => txId),
      head,
    );
    return payments.map(({ output }, index) => {
      const receipt = receipts[index];
      if (!receipt || !isPaid(receipt, output)) return 'gone';
      const { blockNumber: height, blockHash: hash } = receipt;
      return { block: { height, hash }, confirmations: head.number - height + 1, terms: tokenTerms(receipt, output) };
    });
  }

  sign(payment: OutgoingPayment, nonceFrom: number, paidLastHour: bigint) {
    return signPayment(this.#parts, payment, { nonceFrom, paidLastHour });
  }

  async readSigned(transaction: SignedTransaction) {
    const wallet = this.#keys.spending?.hotWallet.address.toLowerCase();
    if (wallet === undefined) return { fault: 'is on a network where nothing is signed' };
    return readPayment(transaction, { ...this.#parts.settings, wallet });
  }

  async send(transaction: SignedTransaction): Promise<void> {
    const refusal = await this.#node.send(transaction);
    if (refusal === null) return;
    // Nodes refuse what they have or had already, each in words of its own. Their records tell which it is. What a node
    // does not take, for its fee perhaps, is not lost: it stays unknown, is sent again, and replaced in the end.
    const fate = await this.fateOf(transaction);
    const { txId } = transaction;
    if (fate.kind !== 'unknown' || this.#refused.get(txId) === refusal.message) return;
    this.#refused.set(txId, refusal.message);
    this.#parts.notice(`The node does not take transaction ${txId}: ${refusal.message}.`);
  }

  async fateOf(transaction: SignedTransaction) {
    const sent = await this.#read(transaction);
    return fateOf(this.#node, await this.#node.head(), sent);
  }

  async replacementFor(payment: OutgoingPayment, transaction: SignedTransaction) {
    return this.#replacements.replacementFor(payment, await this.#read(transaction));
  }

  async sentPayments(request: SentPaymentsRequest) {
    return this.#sent === null ? { final: [], waiting: [] } : this.#sent.sent(request);
  }

  async describePayment(name: PaymentName, since: string | null) {
    return this.#sent === null ? null : this.#sent.describe(name, since);
  }

  async sweep(addressCount: number): Promise<void> {
    const { clock, settings } = this.#parts;
    const isDue = this.#sweptAt === null || clock.now() - this.#sweptAt >= settings.sweepEveryMs;
    if (this.#sweeper === null || !isDue) return;
    await this.#sweeper.sweep(addressCount);
    this.#sweptAt = clock.now();
  }

  async sweepsSince(position: string | null, addressCount: number) {
    const { spending } = this.#keys;
    if (spending === null) return { position: position ?? noPosition, sweeps: [] };
    return recordedSweeps({ ...this.#parts, spending, deposits: this.#deposits }, position, addressCount);
  }

  status(contracts: readonly string[]) {
    return networkStatus(this.#parts, this.#servedOf(contracts));
  }

  async holdings(contracts: readonly string[], addressCount: number) {
    await this.#deposits.derive(addressCount);
    const owners = [...this.#keys.ownWallets, ...this.#deposits.slice(0, addressCount)];
    return holdingsOf(this.#node, this.#servedOf(contracts), owners);
  }

  /** A contract that the settings do not name may be on another chain: asking it gives no amount. */
  #servedOf(contracts: readonly string[]): readonly string[] {
    const { contracts: served } = this.#parts;
    return contracts.filter((contract) => served.includes(contract.toLowerCase()));
  }

  async #read(transaction: SignedTransaction): Promise<SentTransaction> {
    const sent = await readSentTransaction(transaction);
    if (sent === null) throw this.#node.fault(`${transaction.txId} is no transaction of this adapter`);
    return sent;
  }
}
