import type { Trade } from '#model/events.ts';
import type { Lots, PriceTicks, SymbolId, TimestampMs } from '#model/units.ts';
import type { TradeRow } from '#history/tables/history-tables.ts';
import { CandleTail } from '#market-data/candles/candle-tail.ts';
import { DepthBook } from '#market-data/depth-book.ts';
import { RollingDay } from '#market-data/rolling-day.ts';
import { TradeTape } from '#market-data/trade-tape.ts';

/** Market data of one symbol; see `market-data.ts`. */
export class SymbolMarket {
  readonly symbol: SymbolId;
  readonly depth = new DepthBook();
  readonly tape = new TradeTape();
  readonly day = new RollingDay();
  readonly candles: CandleTail;
  lastPrice: PriceTicks | null = null;
  /**
   * Lots of the last trade; `null` before the first trade, and after a restart if history no longer keeps that trade.
   */
  lastLots: Lots | null = null;
  lastTradeAt = 0;

  constructor(symbol: SymbolId) {
    this.symbol = symbol;
    this.candles = new CandleTail(symbol);
  }

  trade(at: TimestampMs, trade: Trade): void {
    const row: TradeRow = {
      symbol: trade.symbol,
      trade: trade.trade,
      at,
      price: trade.price,
      lots: trade.lots,
      quoteAmount: trade.quoteAmount,
      takerSide: trade.takerSide,
      taker: trade.taker,
    };
    this.tape.add(row);
    this.day.add(at, row.price, row.lots, row.quoteAmount);
    this.candles.add(at, row.price, row.lots, row.quoteAmount);
    this.lastPrice = row.price;
    this.lastLots = row.lots;
    this.lastTradeAt = at;
  }
}
