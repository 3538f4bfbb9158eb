import { assert } from '#base/assert.ts';
import type { PriceTicks, SymbolId, TimestampMs } from '#model/units.ts';
import type { HistoryStore } from '#history/history-store.ts';

const dayMs = 86_400_000;

/** Days before today at whose start a change is counted from. */
export const changeDays = [0, 7, 30, 90, 180, 365] as const;

/** By how much the price changed since the start of an earlier UTC day. DEC-FUT-34. */
export interface DayChange {
  readonly days: (typeof changeDays)[number];
  /** Last price before that day; `null`: there is none, and nothing is told to have changed. */
  readonly from: PriceTicks | null;
}

/** Prices before the UTC days that changes are counted from, read from history once a day and contract. */
export class DayChanges {
  readonly #history: HistoryStore;
  /** Resolves when history contains everything so far. */
  readonly #awaitEntries: () => Promise<void>;
  readonly #known: { readonly day: number; readonly changes: Promise<readonly DayChange[]> }[] = [];

  constructor(history: HistoryStore, awaitEntries: () => Promise<void>) {
    this.#history = history;
    this.#awaitEntries = awaitEntries;
  }

  /** In the order of `changeDays`. @throws HistoryUnavailable */
  of(contract: SymbolId, now: TimestampMs): Promise<readonly DayChange[]> {
    const day = Math.floor(now / dayMs);
    const known = this.#known[contract];
    if (known?.day === day) return known.changes;
    const changes = this.#read(contract, day);
    this.#known[contract] = { day, changes };
    // The next question asks again.
    changes.catch(() => delete this.#known[contract]);
    return changes;
  }

  async #read(contract: SymbolId, today: number): Promise<readonly DayChange[]> {
    await this.#awaitEntries();
    return Promise.all(
      changeDays.map(async (days) => {
        const bar = await this.#history.barBefore(contract, ((today - days) * dayMs) as TimestampMs);
        assert(bar === null || bar.openTime < today * dayMs, 'a base price is of an earlier day');
        return { days, from: bar?.close ?? null };
      }),
    );
  }
}

/**
 * A change up to the last price: in ticks, and as a ratio in units of 0.0001, cut towards zero. Both are 0 without a
 * price to count from. DEC-FUT-15.
 */
export function changeTo(
  last: PriceTicks | null,
  { from }: DayChange,
): { readonly ticks: number; readonly bps: number } {
  if (last === null || from === null) return { ticks: 0, bps: 0 };
  const ticks = last - from;
  return { ticks, bps: Number((BigInt(ticks) * 10_000n) / BigInt(from)) };
}
