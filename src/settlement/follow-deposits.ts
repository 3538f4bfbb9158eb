import type { NetworkCustody, ChainPayment } from '#custody/custody.ts';
import type { AssetRules } from '#domain/asset.ts';
import type { AssetNetwork, DepositView } from '#domain/wallet.ts';
import { toLedger } from '#settlement/chain-amounts.ts';
import { settle, type SettlementParts } from '#settlement/network-settlement.ts';

/** A position is recorded at least this often while the chain moves, so that a restart need not read far back. */
const recordEveryMs = 60_000;
/** Deposits that wait for people, and those that were credited within the last hour, are looked up this often. */
const turnMs = 30_000;
const freshMs = 3_600_000;
/** All others that were credited within the last days. */
const creditedEveryMs = 900_000;
/** How often in a row a payment must be missing to count as gone; a node that lags may forget one for a moment. */
const missesOfWaiting = 2;
const missesOfCredited = 4;
/** Amounts of the ledger are below 2^62. */
const amountsBelow = 1n << 62n;
/** Payments that are asked for at once. */
const askedTogether = 500;

/** Reports the payments of one network, and what becomes of them. DEC-WAL-14, DEC-WAL-17. */
export class DepositFollower {
  private readonly parts: SettlementParts;
  private readonly custody: NetworkCustody;
  /** Where the next observation starts; `null`: where the journal says. */
  private since: string | null = null;
  private recordedAt = Number.NEGATIVE_INFINITY;
  private turnAt = Number.NEGATIVE_INFINITY;
  private creditedAt = Number.NEGATIVE_INFINITY;
  /** By deposit: how often in a row it was missing. */
  private readonly misses = new Map<number, number>();
  private readonly unlisted = new Set<string>();

  constructor(parts: SettlementParts) {
    this.parts = parts;
    this.custody = parts.custody;
  }

  /** Looks at the chain once. */
  async run(networks: readonly AssetNetwork[], assets: readonly AssetRules[]): Promise<void> {
    await this.observe(networks, assets);
    await this.count(networks);
  }

  private async observe(networks: readonly AssetNetwork[], assets: readonly AssetRules[]): Promise<void> {
    const { queries, monotonic } = this.parts;
    const { network } = this.custody;
    const before = await queries.wallet.chain(network);
    if (before === null) return;
    const since = this.since ?? before.position;
    const { addressCount } = before;
    const { position, payments } = await this.custody.observe({ since, addressCount });
    // An address that was given meanwhile may have been paid in the blocks that were just read.
    if ((await queries.wallet.chain(network))?.addressCount !== addressCount) return;
    for (const payment of payments) await this.report(payment, networks, assets);
    this.since = position;
    const isDue = monotonic.now() - this.recordedAt >= recordEveryMs;
    if (position === before.position || (payments.length === 0 && !isDue)) return;
    await settle(this.parts, { kind: 'recordChainPosition', network, position, sweepPosition: null });
    this.recordedAt = monotonic.now();
  }

  private async report(
    payment: ChainPayment,
    networks: readonly AssetNetwork[],
    assets: readonly AssetRules[],
  ): Promise<void> {
    const { network } = this.custody;
    const listed = networks.find((each) => each.contract === payment.contract);
    if (listed === undefined) {
      this.tellUnlisted(payment);
      return;
    }
    const amount = toLedger(payment.amount, listed.scale, assets[listed.asset]!.scale);
    if (amount === 0n) return;
    if (amount >= amountsBelow) {
      this.parts.onTrouble(`a deposit on ${network}`, new Error(`${payment.txId} is beyond what the ledger counts`));
      return;
    }
    const { txId, output, address, memo, confirmations } = payment;
    const seen = { network, txId, output, asset: listed.asset, address, memo, amount, confirmations };
    const refusal = await settle(this.parts, { kind: 'reportDeposit', ...seen });
    if (refusal !== null)
      this.parts.onTrouble(`a deposit on ${network}`, new Error(`${txId} was not taken: ${refusal}`));
  }

  private tellUnlisted({ contract, txId }: ChainPayment): void {
    const coin = contract ?? 'the native coin';
    if (this.unlisted.has(coin)) return;
    this.unlisted.add(coin);
    const { network } = this.custody;
    this.parts.onTrouble(`a deposit on ${network}`, new Error(`${txId} pays ${coin}, which is not listed there`));
  }

  /** Asks for the confirmations of deposits: of pending ones always, of all others when it is their turn. */
  private async count(networks: readonly AssetNetwork[]): Promise<void> {
    const { queries, monotonic } = this.parts;
    const isTurn = monotonic.now() - this.turnAt >= turnMs;
    const followed = await queries.wallet.followedDeposits(this.custody.network);
    const waiting = followed.filter(({ status }) => isTurn || status === 'pending');
    const asked = isTurn ? [...waiting, ...(await this.credited())] : waiting;
    if (isTurn) this.turnAt = monotonic.now();
    for (let from = 0; from < asked.length; from += askedTogether)
      await this.countSome(asked.slice(from, from + askedTogether), networks);
  }

  /** Credited deposits whose turn it is: only a deep reorganisation changes them. */
  private async credited(): Promise<readonly DepositView[]> {
    const { queries, clock, monotonic } = this.parts;
    const isWhole = monotonic.now() - this.creditedAt >= creditedEveryMs;
    if (isWhole) this.creditedAt = monotonic.now();
    const credited = await queries.wallet.creditedDeposits(this.custody.network);
    return credited.filter(({ updatedAt }) => isWhole || clock.now() - updatedAt < freshMs);
  }

  private async countSome(deposits: readonly DepositView[], networks: readonly AssetNetwork[]): Promise<void> {
    const confirmations = await this.custody.confirmationsOf(deposits);
    for (const [index, deposit] of deposits.entries()) {
      const counted = confirmations[index] ?? null;
      if (counted === null) continue;
      if (counted === 0) await this.missed(deposit);
      else {
        this.misses.delete(deposit.deposit);
        const listed = networks.find(({ asset }) => asset === deposit.asset);
        if (deposit.status === 'pending' && isNews(deposit, counted, listed)) await this.recount(deposit, counted);
      }
    }
  }

  private async missed(deposit: DepositView): Promise<void> {
    const misses = (this.misses.get(deposit.deposit) ?? 0) + 1;
    this.misses.set(deposit.deposit, misses);
    if (misses < (deposit.status === 'success' ? missesOfCredited : missesOfWaiting)) return;
    this.misses.delete(deposit.deposit);
    const { network, txId, output } = deposit;
    await settle(this.parts, { kind: 'removeDeposit', network, txId, output });
    const what = `a reorganisation of ${network} took deposit ${deposit.deposit} (${txId})`;
    if (deposit.status === 'success')
      this.parts.onTrouble(what, new Error('it had been credited: the account is frozen, see the chain losses'));
  }

  private async recount(deposit: DepositView, confirmations: number): Promise<void> {
    const { network, txId, output, asset, address, memo, amount } = deposit;
    const seen = { network, txId, output, asset, address, memo, amount, confirmations };
    await settle(this.parts, { kind: 'reportDeposit', ...seen });
  }
}

/**
 * Whether a count changes anything: beyond what is needed it does not, unless the deposit can be credited now. The same
 * count is news once it is enough, because an operator asks for fewer or switched deposits on. DEC-WAL-13.
 */
function isNews({ confirmations }: DepositView, counted: number, listed: AssetNetwork | undefined): boolean {
  if (listed === undefined) return false;
  const { minConfirm, depositEnabled } = listed;
  if (confirmations === counted) return counted >= minConfirm && depositEnabled;
  return Math.min(confirmations, counted) < minConfirm || depositEnabled;
}
