import type { BalanceView } from '#domain/account.ts';
import type { AssetId, Seq } from '#domain/units.ts';

interface Change {
  readonly seq: Seq;
  readonly asset: AssetId;
  readonly free: bigint;
  readonly held: bigint;
}

/** What is available and what is set aside, in the asset's smallest unit. */
export interface FreeAndHeld {
  readonly free: bigint;
  readonly held: bigint;
}

/**
 * One account's balances, folded from its postings. They begin with an image that is asked for once changes are already
 * kept here, so that nothing falls between the two: changes after the image's entry are added to it, earlier ones are
 * in it already.
 */
export class AccountBalances {
  private readonly balances = new Map<AssetId, { free: bigint; held: bigint }>();
  /** `null` once the image is there. */
  private early: Change[] | null = [];

  /** Counts a change. Answers what it led to, or `null` while there is no image yet. */
  change(seq: Seq, asset: AssetId, free: bigint, held: bigint): FreeAndHeld | null {
    if (this.early !== null) {
      this.early.push({ seq, asset, free, held });
      return null;
    }
    const balance = this.of(asset);
    balance.free += free;
    balance.held += held;
    return balance;
  }

  /** Takes the balances as they were after entry `seq`, which must not be ahead of the events counted so far. */
  start(seq: Seq, image: readonly BalanceView[]): void {
    const early = this.early ?? [];
    this.early = null;
    for (const { asset, free, held } of image) this.balances.set(asset, { free, held });
    for (const change of early) {
      if (change.seq > seq) this.change(change.seq, change.asset, change.free, change.held);
    }
  }

  private of(asset: AssetId): { free: bigint; held: bigint } {
    let balance = this.balances.get(asset);
    if (balance === undefined) {
      balance = { free: 0n, held: 0n };
      this.balances.set(asset, balance);
    }
    return balance;
  }
}
