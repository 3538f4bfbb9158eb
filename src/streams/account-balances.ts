import type { BalanceView } from '#domain/account.ts';
import type { AssetId, Seq } from '#domain/units.ts';

interface Change {
  readonly seq: Seq;
  readonly asset: AssetId;
  readonly free: bigint;
  readonly held: bigint;
  readonly tell: (freeAfter: bigint, heldAfter: bigint) => void;
}

/**
 * One account's balances, folded from its postings. Changes that come before the starting image is there wait for it;
 * those that the image includes already are told with the balances they led to, counted back from the image.
 */
export class AccountBalances {
  private readonly balances = new Map<AssetId, { free: bigint; held: bigint }>();
  private waiting: Change[] | null = [];

  change(seq: Seq, asset: AssetId, free: bigint, held: bigint, tell: (freeAfter: bigint, heldAfter: bigint) => void): void {
    if (this.waiting !== null) {
      this.waiting.push({ seq, asset, free, held, tell });
      return;
    }
    const balance = this.of(asset);
    balance.free += free;
    balance.held += held;
    tell(balance.free, balance.held);
  }

  /** Takes the balances as they were after entry `seq`, and tells what waited. */
  start(seq: Seq, image: readonly BalanceView[]): void {
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const { asset, free, held } of image) this.balances.set(asset, { free, held });
    for (const change of waiting) {
      if (change.seq > seq) continue;
      const balance = this.of(change.asset);
      balance.free -= change.free;
      balance.held -= change.held;
    }
    for (const change of waiting) this.change(change.seq, change.asset, change.free, change.held, change.tell);
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
