import { engineLimits } from '#model/limits.ts';
import type { AssetNetwork, DepositView } from '#model/wallet.ts';
import type { NetworkCustody, PaymentPlace } from '#custody/custody.ts';
import { settle, type SettlementParts } from '#custody/settlement/network-settlement.ts';

/** Deposits that wait for people, and small ones, are asked for this often. */
const turnMs = 30_000;
/** Payments that are asked for at once: what is said of the last must not be old when it is used. */
const askedTogether = 50;

/** What custody said of a deposit, when so many forks had been recorded. */
interface Answer {
  readonly deposit: DepositView;
  readonly place: PaymentPlace | 'gone' | null;
  readonly forks: number;
}

/** Asks custody for the deposits of one network that are known, and tells the engine what it says. */
export class DepositCounter {
  private readonly parts: SettlementParts;
  private readonly custody: NetworkCustody;
  private turnAt = Number.NEGATIVE_INFINITY;
  /** By account and asset: the small deposits that could not be credited together. */
  private readonly triedTogether = new Map<string, string>();

  constructor(parts: SettlementParts) {
    this.parts = parts;
    this.custody = parts.custody;
  }

  /** Judges the deposits that a reorganisation left in doubt: each is in a block, or gone. DEC-WAL-102. */
  async judge(): Promise<void> {
    const doubted = await this.parts.queries.wallet.doubtedDeposits(this.custody.network);
    await this.askAll(doubted, ({ deposit, place, forks }) =>
      place === 'gone' ? this.remove(deposit, forks) : this.report(deposit, place, forks),
    );
  }

  /** Asks for the confirmations of deposits: of pending ones always, of all others when it is their turn. */
  async count(networks: readonly AssetNetwork[]): Promise<void> {
    const { queries, monotonic } = this.parts;
    const isTurn = monotonic.now() - this.turnAt >= turnMs;
    if (isTurn) this.turnAt = monotonic.now();
    const followed = await queries.wallet.followedDeposits(this.custody.network);
    const asked = followed.filter(({ status }) => isTurn || status === 'pending');
    await this.askAll(asked, async ({ deposit, place, forks }) => {
      const listed = networks.find(({ asset }) => asset === deposit.asset);
      if (place === 'gone') await this.doubt(deposit);
      else if (place !== null && isNews(deposit, place, listed)) await this.report(deposit, place, forks);
    });
    if (isTurn) this.triedTogether.clear();
    const small = await queries.wallet.followedDeposits(this.custody.network);
    await this.creditSmall(
      small.filter(({ status }) => status === 'small'),
      networks,
    );
  }

  /** Asks in groups; within one the engine hears of every answer at once. */
  private async askAll(deposits: readonly DepositView[], tell: (answer: Answer) => Promise<void>): Promise<void> {
    const { queries } = this.parts;
    for (let from = 0; from < deposits.length; from += askedTogether) {
      const group = deposits.slice(from, from + askedTogether);
      const forks = (await queries.wallet.chain(this.custody.network))?.forks ?? 0;
      const places = await this.custody.placesOf(group);
      await Promise.all(group.map((deposit, index) => tell({ deposit, place: places[index] ?? null, forks })));
    }
  }

  /** A payment is missing, and nobody told of a fork: that is a doubt, which the next poll judges. */
  private async doubt({ block }: DepositView): Promise<void> {
    const { network } = this.custody;
    await settle(this.parts, { kind: 'recordFork', network, height: (block?.height ?? 0) - 1 });
  }

  private async remove(deposit: DepositView, forks: number): Promise<void> {
    const { network, txId, output } = deposit;
    const refusal = await settle(this.parts, { kind: 'removeDeposit', network, txId, output, forks });
    if (refusal !== null) return;
    const what = `a reorganisation of ${network} took deposit ${deposit.deposit} (${txId})`;
    if (deposit.status === 'success')
      this.parts.onTrouble(what, new Error('it had been credited: the account is frozen, see the chain losses'));
    else if (deposit.status === 'refunded' || deposit.status === 'refunding')
      this.parts.onTrouble(what, new Error('it was paid back, or was to be: see the deposit, and the chain losses'));
  }

  private async report(deposit: DepositView, place: PaymentPlace | null, forks: number): Promise<void> {
    if (place === null) return;
    const { network, txId, output, asset, address, memo, amount } = deposit;
    const sight = { forks, block: place.block, confirmations: place.confirmations };
    const terms = { network, txId, output, asset, address, memo, amount };
    await settle(this.parts, { kind: 'reportDeposit', ...terms, sight });
  }

  /** Small deposits are credited together: custody is asked for all of them first. DEC-WAL-15, DEC-WAL-101. */
  private async creditSmall(small: readonly DepositView[], networks: readonly AssetNetwork[]): Promise<void> {
    const groups = new Map<string, DepositView[]>();
    for (const deposit of small) {
      const key = `${deposit.account}/${deposit.asset}`;
      groups.set(key, [...(groups.get(key) ?? []), deposit]);
    }
    for (const [key, all] of groups) {
      const group = all.slice(0, engineLimits.smallDepositsPerCredit);
      const numbers = group.map(({ deposit }) => deposit);
      const listed = networks.find(({ asset }) => asset === group[0]!.asset);
      const sum = group.reduce((total, { amount }) => total + amount, 0n);
      if (listed === undefined || !listed.depositEnabled || sum < listed.depositMin) continue;
      if (this.triedTogether.get(key) === numbers.join()) continue;
      this.triedTogether.set(key, numbers.join());
      await this.creditTogether(group);
    }
  }

  private async creditTogether(group: readonly DepositView[]): Promise<void> {
    const { network } = this.custody;
    const forks = (await this.parts.queries.wallet.chain(network))?.forks ?? 0;
    const heights: number[] = [];
    for (let from = 0; from < group.length; from += askedTogether) {
      const asked = group.slice(from, from + askedTogether);
      const places = await this.custody.placesOf(asked);
      for (const [index, place] of places.entries()) {
        const deposit = asked[index]!;
        if (place === 'gone') return this.doubt(deposit);
        if (place === null) return;
        if (place.block.hash !== deposit.block?.hash) return this.report(deposit, place, forks);
        heights.push(place.block.height + place.confirmations - 1);
      }
    }
    const deposits = group.map(({ deposit }) => deposit);
    const height = heights.reduce((least, each) => Math.min(least, each));
    await settle(this.parts, { kind: 'creditSmallDeposits', network, forks, height, deposits });
  }
}

/**
 * Whether what custody says changes anything: beyond what is needed a count does not, unless a pending deposit can be
 * credited now. A count may be news without a block: an operator asks for fewer or switched deposits on. What waits for
 * an operator goes on counting, flagged deposits too. DEC-WAL-13, DEC-WAL-103.
 */
function isNews(
  { status, confirmations, block }: DepositView,
  place: PaymentPlace,
  listed: AssetNetwork | undefined,
): boolean {
  if (listed === undefined) return false;
  if (block?.hash !== place.block.hash) return true;
  const { minConfirm, depositEnabled } = listed;
  const counted = place.confirmations;
  const isCounting = Math.min(confirmations, counted) < minConfirm;
  if (status !== 'pending') return confirmations !== counted && isCounting;
  if (confirmations === counted) return counted >= minConfirm && depositEnabled;
  return isCounting || depositEnabled;
}
