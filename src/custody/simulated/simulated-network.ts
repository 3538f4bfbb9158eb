import { canonicalAddress, checkAddress } from '#custody/addresses/addresses.ts';
import type { Network } from '#custody/addresses/networks.ts';
import type {
  BlockPlace,
  ChainAddress,
  ChainPayment,
  Fate,
  FundsPurpose,
  Holding,
  LackingFunds,
  NetworkCustody,
  NetworkStatus,
  Observation,
  ObservationRequest,
  OutgoingPayment,
  PaymentName,
  PaymentPlace,
  PaymentRef,
  PaymentTerms,
  SentPayment,
  SentPayments,
  SentPaymentsRequest,
  SignedContent,
  SignedTransaction,
  Signing,
  Sweep,
} from '#custody/custody.ts';
import { NetworkUnavailable } from '#custody/custody.ts';
import type { DepositAddresses } from '#custody/simulated/deposit-addresses.ts';
import { depositAddresses } from '#custody/simulated/deposit-addresses.ts';
import { foldOf } from '#custody/simulated/fold.ts';
import { balanceOf } from '#custody/simulated/network-chain.ts';
import type { NetworkChain, SimulatedTransaction } from '#custody/simulated/network-chain.ts';
import type { SimulatedWorld } from '#custody/simulated/simulated-world.ts';
import { transactionFormats } from '#custody/simulated/transaction-format.ts';
import { contentOf, signedTransaction, type TransactionContent } from '#custody/simulated/transaction-text.ts';

/** Transactions that a network keeps at most; above it takes no more until older ones are forgotten. */
export const transactionsMax = 100_000;
/** Blocks that a reorganisation replaces at most. DEC-WAL-41. */
const reorganisedMax = 100;
/** Blocks that a transaction waits for before it is worth replacing. */
const replaceAfterBlocks = 10;
/** How much more than its network takes on a quiet day a transaction costs at most. */
const feeCapTimes = 100n;

/**
 * Custody of one simulated network. Its wallet signs with a hash, owes what it pays beyond the deposits, and is not
 * held up by nonces that are left out.
 */
export class SimulatedNetwork implements NetworkCustody {
  readonly isPaying = true;
  readonly addressCountMax = null;
  readonly isReading = true;
  readonly network: Network;
  private readonly world: SimulatedWorld;
  private readonly addresses: DepositAddresses;

  constructor(network: Network, world: SimulatedWorld) {
    this.network = network;
    this.world = world;
    this.addresses = depositAddresses(network, world.seed);
  }

  async depositAddress(index: number): Promise<ChainAddress | null> {
    return this.addresses.at(index);
  }

  /** Without a position: everything since the network's beginning. */
  async observe({ since, addressCount }: ObservationRequest): Promise<Observation> {
    await this.addresses.prepare(addressCount);
    return this.world.turn(async ({ at, record }) => {
      const { chain, network } = this;
      const common = since === null ? -1 : chain.blocks.lastCommonHeight(since);
      // A block that was seen before a crash exists, whatever the clock says now.
      if (common > chain.blocks.heightAt(at)) await record({ kind: 'seen', at, network, height: common });
      const height = chain.blocks.heightAt(at);
      const payments = [...chain.all()]
        .filter(({ minedHeight }) => minedHeight > common && minedHeight <= height)
        .filter(({ address }) => this.addresses.isOurs(address, addressCount))
        .map((transaction) => this.paymentOf(transaction, height));
      const fold = foldOf(chain, { at, seenHeight: common, isOurs: (address) => this.isOurs(address, addressCount) });
      if (fold !== null) await record({ kind: 'fold', at, network, ...fold });
      const fork = since === null || chain.blocks.isOnChain(since) ? null : common;
      return { position: chain.blocks.positionAt(height), height, fork, payments };
    });
  }

  /** Of a transaction that is forgotten at least as many as those that were forgotten with it have. */
  placesOf(payments: readonly PaymentRef[]): Promise<readonly (PaymentPlace | 'gone')[]> {
    return this.read((height) =>
      payments.map(({ txId, output }) => {
        const found = output === 0 ? this.chain.transaction(txId) : null;
        if (found !== null && found.minedHeight <= height)
          return { ...this.placeAt(found.minedHeight, height), terms: termsOf(found) };
        const isFolded = output === 0 && found === null && this.chain.isFolded(txId);
        return isFolded ? { ...this.placeAt(this.chain.lastFoldedHeight, height), terms: null } : 'gone';
      }),
    );
  }

  sign(payment: OutgoingPayment, nonceFrom: number): Promise<Signing> {
    return this.read(() => {
      const { reference, amount } = payment;
      const fault = this.faultOf(payment);
      if (fault !== null) return { kind: 'refused', until: 'never', reason: fault };
      const contract = payment.contract === null ? null : canonicalContract(this.network, payment.contract);
      const { hasNonces, fee } = transactionFormats[this.network];
      const lacks =
        this.shortfallOf(contract, amount, 'amount') ??
        (contract === null ? null : this.shortfallOf(null, fee.token, 'networkFee'));
      if (lacks !== null) return { kind: 'refused', until: 'later', reason: 'the wallet has too little', lacks };
      const content = {
        reference,
        address: canonicalAddress(this.network, payment.address) ?? payment.address,
        memo: payment.memo === '' ? null : payment.memo,
        contract,
        amount: String(amount),
        nonce: hasNonces ? Math.max(nonceFrom, this.chain.leastFreeNonce) : null,
        fee: String(contract === null ? fee.native : fee.token),
      };
      return { kind: 'signed', transaction: signedTransaction(this.network, this.world.seed, content) };
    });
  }

  async readSigned(signed: SignedTransaction): Promise<SignedContent | { readonly fault: string }> {
    const content = contentOf(this.network, this.world.seed, signed);
    if (content === null || content.nonce !== signed.nonce)
      return { fault: 'is not the transaction that its id and nonce name' };
    const { address, memo, contract, amount, fee } = content;
    const feeFault = BigInt(fee) > this.feeCap(contract) ? 'its network fee is above the cap' : null;
    return { address, memo, contract, amount: BigInt(amount), feeFault };
  }

  send(signed: SignedTransaction): Promise<void> {
    return this.world.turn(async ({ at, record }) => {
      const { chain, network } = this;
      const content = contentOf(network, this.world.seed, signed);
      if (content === null) throw new Error('a transaction that was not signed here cannot be sent');
      if (chain.transaction(signed.txId) !== null || !this.isAccepted(chain.blocks.heightAt(at), content)) return;
      if (chain.transactionCount >= transactionsMax) throw new NetworkUnavailable('The simulated mempool is full.');
      const { address, memo, contract, amount, nonce, fee } = content;
      await record({ kind: 'send', at, network, txId: signed.txId, address, memo, contract, amount, nonce, fee });
    });
  }

  fateOf(signed: SignedTransaction): Promise<Fate> {
    return this.read((height) => {
      const found = this.chain.transaction(signed.txId);
      if (found !== null) {
        const confirmations = confirmationsAt(height, found);
        if (confirmations === 0) return { kind: 'waiting' };
        return included(found, confirmations);
      }
      const other = signed.nonce === null ? null : this.chain.withNonce(signed.nonce);
      const confirmations = other === null ? 0 : confirmationsAt(height, other);
      if (other === null || confirmations === 0) return { kind: 'unknown' };
      const content = contentOf(this.network, this.world.seed, signed);
      if (content !== null && isSamePayment(content, other)) return included(other, confirmations);
      return { kind: 'displaced', by: other.txId, confirmations };
    });
  }

  /** Half as much again for a transaction that waits for more than `replaceAfterBlocks` blocks. DEC-WAL-43. */
  replacementFor(_payment: OutgoingPayment, sent: SignedTransaction): Promise<SignedTransaction | null> {
    return this.read((height) => {
      const found = this.chain.transaction(sent.txId);
      const content = contentOf(this.network, this.world.seed, sent);
      if (found === null || content === null || content.nonce === null || found.minedHeight <= height) return null;
      if (height - found.sentHeight <= replaceAfterBlocks) return null;
      const fee = (BigInt(content.fee) * 3n + 1n) / 2n;
      if (fee > this.feeCap(content.contract)) return null;
      return signedTransaction(this.network, this.world.seed, { ...content, fee: String(fee) });
    });
  }

  sentPayments({ nonceFrom, since, confirmations }: SentPaymentsRequest): Promise<SentPayments> {
    return this.read((height) => {
      const { chain } = this;
      const sentFrom = since === null ? 0 : chain.blocks.lastCommonHeight(since) - reorganisedMax;
      const sent = [...chain.all()].filter(({ outgoing, sentHeight }) =>
        outgoing?.nonce == null ? outgoing !== null && sentHeight >= sentFrom : outgoing.nonce >= nonceFrom,
      );
      const isFinal = (each: SimulatedTransaction): boolean => confirmationsAt(height, each) >= confirmations;
      return { final: sent.filter(isFinal).map(nameOf), waiting: sent.filter((each) => !isFinal(each)).map(nameOf) };
    });
  }

  describePayment({ nonce, txId }: PaymentName): Promise<SentPayment | null> {
    return this.read(() => {
      const found = txId === null ? this.chain.withNonce(nonce!) : this.chain.transaction(txId);
      if (found?.outgoing == null || found.outgoing.nonce !== nonce) return null;
      const { contract, amount, address, memo, outgoing } = found;
      return { nonce, txId: found.txId, networkFee: outgoing!.fee, moved: { contract, amount, address, memo } };
    });
  }

  /** The wallet pays from all addresses, so nothing is swept. */
  async sweep(): Promise<void> {}

  async sweepsSince(
    position: string | null,
  ): Promise<{ readonly position: string; readonly sweeps: readonly Sweep[] }> {
    return { position: position ?? '0', sweeps: [] };
  }

  /** The wallet pays without end, so it has an amount only of coins that were limited. */
  status(contracts: readonly string[]): Promise<NetworkStatus> {
    return this.world.turn(({ at }) => {
      const { blocks, isUnlimited } = this.chain;
      const wallets = (isUnlimited ? [] : [null, ...contracts]).flatMap((contract) => {
        const coin = contract === null ? null : canonicalContract(this.network, contract);
        const amount = contract !== null && coin === null ? null : this.chain.walletLimit(coin);
        return amount === null ? [] : [{ wallet: 'hot' as const, contract, amount, floor: null }];
      });
      return { head: { height: blocks.heightAt(at), at: blocks.lastBlockAt(at) }, wallets };
    });
  }

  /** What was paid in less what was paid out and its network fees: below zero where more went out than came in. */
  async holdings(contracts: readonly string[], addressCount: number): Promise<readonly Holding[]> {
    await this.addresses.prepare(addressCount);
    return this.read((height) => {
      const mined = [...this.chain.all()].filter(({ minedHeight }) => minedHeight <= height);
      const balance = balanceOf(mined, (address) => this.isOurs(address, addressCount));
      return [null, ...contracts].map((contract) => {
        const coin = contract === null ? null : canonicalContract(this.network, contract);
        if (contract !== null && coin === null) return { contract, amount: 0n };
        return { contract, amount: (balance.get(coin) ?? 0n) + this.chain.foldedSum(coin) };
      });
    });
  }

  private paymentOf(transaction: SimulatedTransaction, height: number): ChainPayment {
    const { txId, minedHeight } = transaction;
    return { txId, output: 0, ...termsOf(transaction), ...this.placeAt(minedHeight, height) };
  }

  private placeAt(minedHeight: number, height: number): BlockPlace {
    const block = { height: minedHeight, hash: this.chain.blocks.hashOf(minedHeight) };
    return { block, confirmations: height - minedHeight + 1 };
  }

  private get chain(): NetworkChain {
    return this.world.chain(this.network);
  }

  /** What an operator lets the wallet pay less of than a payment takes. */
  private shortfallOf(contract: string | null, amount: bigint, purpose: FundsPurpose): LackingFunds | null {
    const limit = this.chain.walletLimit(contract);
    return limit === null || amount <= limit ? null : { contract, purpose, needed: amount, available: limit };
  }

  private feeCap(contract: string | null): bigint {
    const { fee } = transactionFormats[this.network];
    return feeCapTimes * (contract === null ? fee.native : fee.token);
  }

  private isOurs(address: string, addressCount: number): boolean {
    return this.addresses.isOurs(address, addressCount);
  }

  private read<T>(read: (height: number) => T): Promise<T> {
    return this.world.turn(({ at }) => read(this.chain.blocks.heightAt(at)));
  }

  private faultOf({ address, memo, contract, amount }: OutgoingPayment): string | null {
    const fault = checkAddress(this.network, address, memo);
    if (fault !== null) return `The ${fault.part} ${fault.reason}.`;
    if (contract !== null && canonicalContract(this.network, contract) === null)
      return `${this.network} has no such token.`;
    return amount > 0n ? null : 'Nothing is paid.';
  }

  /** Whether the network takes a transaction: of two with one nonce the one that pays more, until one is in a block. */
  private isAccepted(height: number, { nonce, fee }: { readonly nonce: number | null; readonly fee: string }): boolean {
    if (nonce === null) return true;
    if (this.chain.isNonceFolded(nonce)) return false;
    const other = this.chain.withNonce(nonce);
    if (other === null) return true;
    return confirmationsAt(height, other) === 0 && BigInt(fee) > (other.outgoing?.fee ?? 0n);
  }
}

/** The one way to write the contract of a token; `null` where the network has no such token. */
export const canonicalContract = (network: Network, text: string): string | null =>
  transactionFormats[network].hasTokens ? canonicalAddress(network, text) : null;

const nameOf = ({ txId, outgoing }: SimulatedTransaction): PaymentName => ({ nonce: outgoing?.nonce ?? null, txId });

const confirmationsAt = (height: number, { minedHeight }: SimulatedTransaction): number =>
  Math.max(0, height - minedHeight + 1);

const termsOf = ({ address, memo, contract, amount }: SimulatedTransaction): PaymentTerms => ({
  address,
  memo,
  contract,
  amount,
});

const included = ({ txId, outgoing }: SimulatedTransaction, confirmations: number): Fate => ({
  kind: 'included',
  txId,
  confirmations,
  networkFee: outgoing?.fee ?? 0n,
});

/** Whether a transaction in a block makes the payment that another one was signed for. */
const isSamePayment = (content: TransactionContent, mined: SimulatedTransaction): boolean =>
  content.address === mined.address &&
  content.memo === mined.memo &&
  content.contract === mined.contract &&
  content.amount === String(mined.amount);
