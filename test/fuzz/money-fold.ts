import type { EventSink } from '#model/events.ts';
import { noopSink } from '#model/event-record.ts';
import { InvariantBroken } from '#base/assert.ts';
import type { AccountId } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';

const accountStep = 4099;

/** What everybody owns as told by postings alone, and whether each command's postings sum to zero per asset. */
export class MoneyFold {
  readonly #free = new Map<number, bigint>();
  readonly #held = new Map<number, bigint>();
  /** Of the running command, per asset. */
  readonly #sums = new Map<number, bigint>();

  readonly sink: EventSink = {
    ...noopSink,
    posted: (account, asset, free, held) => this.#move(account, asset, BigInt(free), BigInt(held)),
  };

  #move(account: AccountId, asset: number, free: bigint, held: bigint): void {
    const key = account * accountStep + asset;
    this.#free.set(key, (this.#free.get(key) ?? 0n) + free);
    this.#held.set(key, (this.#held.get(key) ?? 0n) + held);
    this.#sums.set(asset, (this.#sums.get(asset) ?? 0n) + free + held);
  }

  /** Ends a command. @throws InvariantBroken where money was made or lost. */
  assertBalanced(): void {
    if (this.#sums.size === 0) return;
    for (const [asset, sum] of this.#sums) {
      if (sum !== 0n) throw new InvariantBroken(`postings sum to zero, of asset ${asset} to ${sum}`);
    }
    this.#sums.clear();
  }

  /** @throws InvariantBroken where an engine has other balances than its postings tell. */
  compare(state: EngineState): void {
    const { balances } = state.ledger;
    for (let row = 0; row < balances.count; row += 1) {
      const key = balances.accountOf(row) * accountStep + balances.assetOf(row);
      const isSame =
        balances.free.get(row) === (this.#free.get(key) ?? 0n) &&
        balances.held.get(row) === (this.#held.get(key) ?? 0n);
      if (!isSame) throw new InvariantBroken('balances are what the postings tell');
    }
  }
}
