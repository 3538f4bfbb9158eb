import { canonicalAddress, checkAddress, networkWithCode, normalTransactionId } from '#custody/addresses/addresses.ts';
import type { NetworkCustody, ChainPayment } from '#custody/custody.ts';
import type { AssetRules } from '#model/asset.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AssetNetwork, DepositSight, DepositView } from '#model/wallet.ts';
import { toLedger } from '#custody/settlement/chain-amounts.ts';
import { DepositCounter } from '#custody/settlement/count-deposits.ts';
import { settle, type SettlementParts } from '#custody/settlement/network-settlement.ts';

/** A position is recorded at least this often while the chain moves, so that a restart need not read far back. */
const recordEveryMs = 60_000;
/** Amounts of the ledger are below 2^62. */
const amountsBelow = 1n << 62n;

/** Reports the payments of one network, and what becomes of them. DEC-WAL-14, DEC-WAL-17. */
export class DepositFollower {
  private readonly parts: SettlementParts;
  private readonly custody: NetworkCustody;
  private readonly counter: DepositCounter;
  /** Where the next observation starts; `null`: where the journal says. */
  private since: string | null = null;
  private recordedAt = Number.NEGATIVE_INFINITY;
  private readonly unlisted = new Set<string>();
  private followedTo: number | null = null;

  constructor(parts: SettlementParts) {
    this.parts = parts;
    this.custody = parts.custody;
    this.counter = new DepositCounter(parts);
  }

  /** Number of the newest block whose payments were reported; `null`: of none since the start. */
  get height(): number | null {
    return this.followedTo;
  }

  /**
   * Polls the chain once: what is new, what a reorganisation left in doubt, and what waits for confirmations. The
   * doubts come before everything that may credit.
   */
  async run(networks: readonly AssetNetwork[], assets: readonly AssetRules[]): Promise<void> {
    await this.counter.judge();
    await this.observe(networks, assets);
    await this.counter.judge();
    await this.counter.count(networks);
  }

  private async observe(networks: readonly AssetNetwork[], assets: readonly AssetRules[]): Promise<void> {
    const { queries, monotonic } = this.parts;
    const { network } = this.custody;
    const before = await queries.wallet.chain(network);
    if (before === null) return;
    const since = this.since ?? before.position;
    const { addressCount } = before;
    const seen = await this.custody.observe({ since, addressCount });
    const { position, height } = seen;
    const fork = await this.forkAfter(seen.fork);
    if (fork !== null) await settle(this.parts, { kind: 'recordFork', network, height: fork });
    const after = await queries.wallet.chain(network);
    // An address that was given meanwhile may have been paid in the blocks that were just read.
    if (after?.addressCount !== addressCount) return;
    // What another worker noticed meanwhile may be younger than this answer.
    const forks = before.forks + (fork === null ? 0 : 1);
    for (const payment of seen.payments) {
      if ((await this.report(payment, forks, networks, assets)) === 'notYet') return;
    }
    this.since = position;
    this.followedTo = height;
    const isDue = monotonic.now() - this.recordedAt >= recordEveryMs || fork !== null;
    if (position === before.position || (seen.payments.length === 0 && !isDue)) return;
    await settle(this.parts, { kind: 'recordChainPosition', network, position, height, sweepPosition: null });
    this.recordedAt = monotonic.now();
  }

  /**
   * The fork to record. A position that was recorded some time before the process ended says nothing about later
   * blocks: at its first poll a process doubts the deposits above it. DEC-WAL-102.
   */
  private async forkAfter(fork: number | null): Promise<number | null> {
    const { queries } = this.parts;
    const { network } = this.custody;
    if (this.since !== null) return fork;
    const recorded = (await queries.wallet.chain(network))?.height ?? -1;
    const isAbove = ({ block }: DepositView): boolean => block !== null && block.height > recorded;
    if (!(await queries.wallet.liveDeposits(network)).some(isAbove)) return fork;
    return Math.min(recorded, fork ?? recorded);
  }

  private async report(
    seen: ChainPayment,
    forks: number,
    networks: readonly AssetNetwork[],
    assets: readonly AssetRules[],
  ): Promise<RejectReason | null> {
    const { network } = this.custody;
    const payment = normalPayment(network, seen);
    if (payment === null) {
      this.parts.onTrouble(`a deposit on ${network}`, new Error(`${seen.txId} to ${seen.address} names nothing there`));
      return null;
    }
    const listed = networks.find((each) => each.contract === payment.contract);
    if (listed === undefined) {
      this.tellUnlisted(payment);
      return null;
    }
    const amount = toLedger(payment.amount, listed.scale, assets[listed.asset]!.scale);
    if (amount === 0n) return null;
    if (amount >= amountsBelow) {
      this.parts.onTrouble(`a deposit on ${network}`, new Error(`${payment.txId} is beyond what the ledger counts`));
      return null;
    }
    const { txId, output, address, memo } = payment;
    const sight = await this.freshSight(payment, forks, listed);
    if (sight === null) return 'notYet';
    const terms = { network, txId, output, asset: listed.asset, address, memo, amount };
    const refusal = await settle(this.parts, { kind: 'reportDeposit', ...terms, sight });
    if (refusal !== null && refusal !== 'notYet')
      this.parts.onTrouble(`a deposit on ${network}`, new Error(`${txId} was not taken: ${refusal}`));
    return refusal;
  }

  /** What would be credited at once is asked for once more: many blocks may have been read before. DEC-WAL-101. */
  private async freshSight(
    { txId, output, block, confirmations }: ChainPayment,
    forks: number,
    { minConfirm }: AssetNetwork,
  ): Promise<DepositSight | null> {
    if (confirmations < minConfirm) return { forks, block, confirmations };
    const [place] = await this.custody.placesOf([{ txId, output }]);
    if (place === 'gone' || place === null || place === undefined) return null;
    return { forks, block: place.block, confirmations: place.confirmations };
  }

  private tellUnlisted({ contract, txId }: ChainPayment): void {
    const coin = contract ?? 'the native coin';
    if (this.unlisted.has(coin)) return;
    this.unlisted.add(coin);
    const { network } = this.custody;
    this.parts.onTrouble(`a deposit on ${network}`, new Error(`${txId} pays ${coin}, which is not listed there`));
  }
}

/**
 * A payment as its network writes it, whatever custody wrote: the ledger's key of a payment is made of these texts.
 * `null` where the id or the address is none of the network. Networks whose texts are unknown keep theirs. DEC-WAL-100.
 */
function normalPayment(code: string, payment: ChainPayment): ChainPayment | null {
  const network = networkWithCode(code);
  if (network === null) return payment;
  const txId = normalTransactionId(network, payment.txId);
  const address = canonicalAddress(network, payment.address);
  if (txId === null || address === null) return null;
  // Depositors forget memos, and send some that nobody has: those are held back by the engine.
  const isMemo = payment.memo !== null && checkAddress(network, address, payment.memo) === null;
  return { ...payment, txId, address, memo: isMemo ? payment.memo : null };
}
