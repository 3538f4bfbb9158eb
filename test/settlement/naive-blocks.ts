import type { AccountId } from '#model/units.ts';

/** A payment as a block has it. */
export interface BlockPayment {
  readonly txId: string;
  readonly account: AccountId;
  readonly amount: bigint;
}

/** Blocks of one chain, each with the payments in it, and those that wait for the next one. Nothing else. */
export class NaiveBlocks {
  pool: BlockPayment[] = [];
  private blocks: BlockPayment[][] = [];

  mine(count: number): void {
    for (let block = 0; block < count; block += 1) {
      this.blocks.push(this.pool);
      this.pool = [];
    }
  }

  /** The newest blocks are replaced by as many empty ones; what they had is gone, or waits for the next. */
  reorganise(depth: number, drop: boolean): void {
    const kept = Math.max(0, this.blocks.length - depth);
    const replaced = this.blocks.slice(kept);
    this.blocks = [...this.blocks.slice(0, kept), ...replaced.map(() => [])];
    if (!drop) this.pool = [...replaced.flat(), ...this.pool];
  }

  has(txId: string): boolean {
    return this.blocks.flat().some((payment) => payment.txId === txId);
  }

  /** What the chain has for an account. */
  paidTo(account: AccountId): bigint {
    const own = this.blocks.flat().filter((payment) => payment.account === account);
    return own.reduce((sum, { amount }) => sum + amount, 0n);
  }
}
