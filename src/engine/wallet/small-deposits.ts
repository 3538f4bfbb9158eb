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

  /** Adds what differs from the deposits that are small. */
  audit(deposits: readonly DepositView[], faults: string[]): void {
    const found = new SmallDeposits();
    for (const deposit of deposits) if (deposit.status === 'small') found.add(deposit);
    // any order: the keys are sorted before they are looked at
    const keys = new Set([...found.byOwner.keys(), ...this.byOwner.keys()]);
    for (const key of [...keys].sort()) {
      const wanted = found.byOwner.get(key);
      const kept = this.byOwner.get(key);
      if (wanted?.sum !== kept?.sum || wanted?.deposits.size !== kept?.deposits.size)
        faults.push(`small deposits of ${key} are ${wanted?.sum} together, not ${kept?.sum}`);
    }
  }
}

const keyOf = ({ account, asset, network }: { account: AccountId; asset: AssetId; network: string }): string =>
  `${account}/${asset}/${network}`;
