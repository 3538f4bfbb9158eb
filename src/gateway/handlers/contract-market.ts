import type { Candle, CandleInterval } from '#domain/candle.ts';
import type { Side } from '#domain/order.ts';
import type { BookVersion, PriceTicks, SymbolId, TimestampMs } from '#domain/units.ts';
import type { CandleRange } from '#projections/candle-plan.ts';

/** Prices that are charted although nothing trades at them. */
export type MarkKind = 'index' | 'fair';

/** A level of a contract's book. */
export interface ContractLevel {
  readonly price: PriceTicks;
  /** 0 where the level is gone. */
  readonly lots: number;
  /** How many orders rest at it. */
  readonly orders: number;
}

/** Levels of a contract's book; of a change, the changed ones only. Best first. */
export interface ContractBook {
  readonly version: BookVersion;
  readonly asks: readonly ContractLevel[];
  readonly bids: readonly ContractLevel[];
}

/** A public trade of a contract. */
export interface ContractDeal {
  readonly price: PriceTicks;
  readonly lots: number;
  readonly takerSide: Side;
  /** 1 both sides opened, 2 neither, 3 else. DEC-FUT-11. */
  readonly openFlag: 1 | 2 | 3;
  readonly isSelfTrade: boolean;
  readonly at: TimestampMs;
}

/** Days back from today at whose start, in UTC, the ticker compares prices. DEC-FUT-04. */
export const changeDays = [0, 7, 30, 90, 180, 365] as const;

/**
 * Market data that contracts have beyond that of symbols, see `MarketData`. Callers look contracts up first.
 */
export interface ContractMarket {
  /** At most `limit` levels a side, and the time of the book's last change. */
  depth(contract: SymbolId, limit: number): ContractBook & { readonly at: TimestampMs };
  /** The last versions of the book, each with the levels that it changed, newest first. DEC-FUT-10. */
  changes(contract: SymbolId, limit: number): readonly ContractBook[];
  /** The newest trades, newest first; `limit` up to 100. */
  deals(contract: SymbolId, limit: number): readonly ContractDeal[];
  /**
   * Last price before the start of each of `changeDays`, in their order; `null` for a day before the first trade.
   */
  dayOpens(contract: SymbolId, now: TimestampMs): readonly (PriceTicks | null)[];
  /**
   * As `MarketData.candles`, of index or fair prices: prices in steps of 10^-markDecimals, `lots` and `quoteAmount` 0.
   * `limit` up to 2,001.
   */
  markCandles(
    contract: SymbolId,
    kind: MarkKind,
    interval: CandleInterval,
    range: CandleRange,
    now: TimestampMs,
  ): Promise<readonly Candle[]>;
  /** Names of the sources of a contract's index. */
  indexSources(contract: SymbolId): readonly string[];
}
