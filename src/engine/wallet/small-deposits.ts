import type { AccountId, AssetId } from '#domain/units.ts';
import type { DepositView } from '#domain/wallet.ts';

/** Whose small deposits are added up. */
export type SmallOwner = Pick<DepositView, 'account' | 'asset' | 'network'>;

interface Together {
  sum: bigint;
  readonly deposits: Set<number>;
}

/** Numbers and sums of the deposits below the minimum, by account, asset and network. DEC-WAL-15. */
export class SmallDeposits {
  private readonly byOwner = new Map<string, Together>();

  /** What an owner's small deposits are together. */
  sum(owner: SmallOwner): bigint {
    return this.byOwner.get(keyOf(owner))?.sum ?? 0n;
  }

  /** Numbers of an owner's small deposits, ascending. */
  numbers(owner: SmallOwner): number[] {
    return [...(this.byOwner.get(keyOf(owner))?.deposits ?? [])].sort((first, second) => first - second);
  }

  add(deposit: DepositView): void {
    const key = keyOf(deposit);
    const together = this.byOwner.get(key) ?? { sum: 0n, deposits: new Set() };
    together.sum += deposit.amount;
    together.deposits.add(deposit.deposit);
    this.byOwner.set(key, together);
  }

  remove(deposit: DepositView): void {
    const key = keyOf(deposit);
    const together = this.byOwner.get(key);
    if (together === undefined || !together.deposits.delete(deposit.deposit)) return;
    together.sum -= deposit.amount;
    if (together.deposits.size === 0) this.byOwner.delete(key);
  }

  /** Every owner with what stands here of it, in any order. */
  all(): { readonly sum: bigint; readonly deposits: ReadonlySet<number> }[] {
    // any order: an audit looks at each by itself
    return [...this.byOwner.values()];
  }
}

const keyOf = ({ account, asset, network }: { account: AccountId; asset: AssetId; network: string }): string =>
  `${account}/${asset}/${network}`;
