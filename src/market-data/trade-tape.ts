import { type AggregatedTrade, TradeMerger } from '#model/aggregated-trade.ts';
import type { TradeRow } from '#history/tables/history-tables.ts';
import { Ring } from '#market-data/ring.ts';

/** trades and aggTrades answer at most 1,000: SPEC-MKT-12, SPEC-MKT-13. */
export const tapeLimit = 1000;

/** The newest public trades of one symbol, single and merged. */
export class TradeTape {
  readonly #trades = new Ring<TradeRow>(tapeLimit);
  readonly #merged = new Ring<AggregatedTrade>(tapeLimit);
  readonly #merger = new TradeMerger((merged) => this.#merged.push(merged));
  /** Whether there are trades older than the merged ring. */
  #startsLate = false;

  /** Restores from the newest trades of history, oldest first, at most `tapeLimit` of each kind. */
  restore(trades: readonly TradeRow[], merged: readonly AggregatedTrade[]): void {
    for (const trade of trades) this.#trades.push(trade);
    for (const trade of merged) this.#merged.push(trade);
    this.#startsLate = true;
  }

  /** Adds a trade. */
  add(trade: TradeRow): void {
    this.#trades.push(trade);
    this.#merger.add(trade);
  }

  last(): TradeRow | undefined {
    return this.#trades.newest();
  }

  /** Newest first, at most `limit`. */
  newest(limit: number): TradeRow[] {
    return this.#trades.slice(this.#trades.length - limit, this.#trades.length).reverse();
  }

  /** The newest `limit` merged trades, oldest first. */
  newestMerged(limit: number): AggregatedTrade[] {
    const merged = this.#allMerged();
    return merged.slice(Math.max(0, merged.length - limit));
  }

  /** The first `limit` merged trades of a time window; `null` if the window begins before the tape. */
  mergedWithin(from: number, to: number, limit: number): AggregatedTrade[] | null {
    const merged = this.#allMerged();
    const oldest = merged[0];
    const whole = !this.#startsLate && !this.#merged.dropped;
    // Trades at the time of the oldest one may have been evicted before it.
    if (!whole && (oldest === undefined || from <= oldest.at)) return null;
    return merged.filter((trade) => trade.at >= from && trade.at <= to).slice(0, limit);
  }

  #allMerged(): AggregatedTrade[] {
    const merged = this.#merged.slice(0, this.#merged.length);
    const growing = this.#merger.current();
    if (growing !== null) merged.push(growing);
    return merged;
  }
}
