import type { BalanceView } from '#model/account.ts';
import type { AssetId, Seq } from '#model/units.ts';

interface Change {
  readonly seq: Seq;
  readonly asset: AssetId;
  readonly free: bigint;
  readonly held: bigint;
}

/** Free and held amounts, in the asset's smallest unit. */
export interface FreeAndHeld {
  readonly free: bigint;
  readonly held: bigint;
}

/**
 * One account's balances, folded from its postings. Changes are buffered before the initial image is requested, so that
 * none is lost: buffered changes after the image's entry are added to it, earlier ones are part of it already.
 */
export class AccountBalances {
  private readonly balances = new Map<AssetId, { free: bigint; held: bigint }>();
  /** Changes that wait for the image; `null` once it is loaded. */
  private early: Change[] | null = [];

  /** Applies a change. Answers the new balance, or `null` while the image is not loaded. */
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

  /** Loads the balances after entry `seq`, which must not be ahead of the changes applied so far. */
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
