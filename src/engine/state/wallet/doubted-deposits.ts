import type { AccountId } from '#model/units.ts';

/**
 * Deposits that stood above a fork and were not judged since: nobody knows whether their chain still has them. Their
 * accounts move nothing out. DEC-WAL-102.
 */
export class DoubtedDeposits {
  private readonly accountOf = new Map<number, AccountId>();
  private readonly countOf = new Map<AccountId, number>();

  get count(): number {
    return this.accountOf.size;
  }

  has(deposit: number): boolean {
    return this.accountOf.has(deposit);
  }

  /** Whether an account has a deposit in doubt. */
  concern(account: AccountId): boolean {
    return this.countOf.has(account);
  }

  /** Numbers of the deposits, ascending. */
  numbers(): number[] {
    return [...this.accountOf.keys()].sort((first, second) => first - second);
  }

  add(deposit: number, account: AccountId): void {
    if (this.accountOf.has(deposit)) return;
    this.accountOf.set(deposit, account);
    this.countOf.set(account, (this.countOf.get(account) ?? 0) + 1);
  }

  /** The deposit was judged, or is gone. */
  delete(deposit: number): void {
    const account = this.accountOf.get(deposit);
    if (account === undefined) return;
    this.accountOf.delete(deposit);
    const left = this.countOf.get(account)! - 1;
    if (left === 0) this.countOf.delete(account);
    else this.countOf.set(account, left);
  }
}
