import type { Amount } from '#domain/units.ts';
import type { WithdrawalView } from '#domain/wallet.ts';
import { noHold } from '#engine/ledger/hold-table.ts';

/** Withdrawals that can still change, and those of the last day. */
export class Withdrawals {
  /** By number. */
  readonly live = new Map<number, WithdrawalView>();
  /** The last number that was given. */
  lastWithdrawal = 0;
  private readonly holds = new Map<number, number>();

  get(withdrawal: number): WithdrawalView | null {
    return this.live.get(withdrawal) ?? null;
  }

  /** By number. */
  all(): readonly WithdrawalView[] {
    return [...this.live.values()].sort((first, second) => first.withdrawal - second.withdrawal);
  }

  put(withdrawal: WithdrawalView): void {
    this.live.set(withdrawal.withdrawal, withdrawal);
    this.lastWithdrawal = Math.max(this.lastWithdrawal, withdrawal.withdrawal);
  }

  /** Hold of a withdrawal; `noHold` if it has none. */
  holdOf(withdrawal: Amount): number {
    return this.holds.get(Number(withdrawal)) ?? noHold;
  }

  setHold(withdrawal: number, hold: number): void {
    if (hold === noHold) this.holds.delete(withdrawal);
    else this.holds.set(withdrawal, hold);
  }
}
