import type { Side } from '#model/order.ts';
import type { Lots, OrderNumber, PriceTicks, SymbolId, TimestampMs, TradeNumber } from '#model/units.ts';

/**
 * Public trades of one taking order at one price and time, merged. Its own id is `first`: a running number of merged
 * trades could not stay the same when old trades are let go, the first trade's number always does.
 */
export interface AggregatedTrade {
  readonly first: TradeNumber;
  readonly last: TradeNumber;
  readonly at: TimestampMs;
  readonly price: PriceTicks;
  readonly lots: bigint;
  readonly takerSide: Side;
}

/** What merging needs to know of a trade. */
export interface MergeableTrade {
  readonly symbol: SymbolId;
  readonly trade: TradeNumber;
  readonly at: TimestampMs;
  readonly price: PriceTicks;
  readonly lots: Lots;
  readonly takerSide: Side;
  readonly taker: OrderNumber;
}

interface OpenMerge {
  first: TradeNumber;
  last: TradeNumber;
  at: TimestampMs;
  price: PriceTicks;
  lots: bigint;
  takerSide: Side;
  taker: OrderNumber;
}

/** Merges trades of one symbol, fed in order; those of one taking order follow each other. SPEC-MKT-15, DEC-MKT-13. */
export class TradeMerger {
  readonly #done: (merged: AggregatedTrade) => void;
  #open: OpenMerge | null = null;

  /** `done` is called with each merged trade once it is complete. */
  constructor(done: (merged: AggregatedTrade) => void) {
    this.#done = done;
  }

  add(trade: MergeableTrade): void {
    const open = this.#open;
    if (open !== null && open.taker === trade.taker && open.price === trade.price && open.at === trade.at) {
      open.last = trade.trade;
      open.lots += BigInt(trade.lots);
      return;
    }
    this.finish();
    this.#open = {
      first: trade.trade,
      last: trade.trade,
      at: trade.at,
      price: trade.price,
      lots: BigInt(trade.lots),
      takerSide: trade.takerSide,
      taker: trade.taker,
    };
  }

  /** The current, still incomplete merged trade. */
  current(): AggregatedTrade | null {
    const open = this.#open;
    if (open === null) return null;
    return {
      first: open.first,
      last: open.last,
      at: open.at,
      price: open.price,
      lots: open.lots,
      takerSide: open.takerSide,
    };
  }

  /** Completes the current merged trade; the next trade starts a new one. */
  finish(): void {
    const merged = this.current();
    this.#open = null;
    if (merged !== null) this.#done(merged);
  }
}
