import type { DepositView } from '#domain/wallet.ts';

/** Deposits that can still change. */
export class Deposits {
  /** By number. */
  readonly live = new Map<number, DepositView>();
  /** The last number that was given. */
  lastDeposit = 0;

  get(deposit: number): DepositView | null {
    return this.live.get(deposit) ?? null;
  }

  /** By number. */
  all(): readonly DepositView[] {
    return [...this.live.values()].sort((first, second) => first.deposit - second.deposit);
  }

  put(deposit: DepositView): void {
    this.live.set(deposit.deposit, deposit);
    this.lastDeposit = Math.max(this.lastDeposit, deposit.deposit);
  }
}
