import { minuteMs } from '#base/calendar.ts';
import type { Trade } from '#model/events.ts';
import type { SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Bar } from '#history/tables/history-tables.ts';
import { LiveBar } from '#history/collectors/live-bar.ts';

/** Minutes that changed since the batch began. */
export interface MinuteChanges {
  /** Closed minutes. */
  readonly rows: { readonly bars: Bar[] };
  /** Symbols whose current minute changed. */
  readonly growing: Set<SymbolId>;
}

/** The current minute of every symbol. */
export class MinuteBook {
  readonly #bars: LiveBar[] = [];

  /** Continues a stored minute. */
  resume(bar: Bar): void {
    const live = this.#of(bar.symbol);
    live.begin(bar.openTime);
    live.addBar(bar);
  }

  add(trade: Trade, at: TimestampMs, changes: MinuteChanges): void {
    const live = this.#of(trade.symbol);
    const openTime = as<TimestampMs>(Math.floor(at / minuteMs) * minuteMs);
    if (live.openTime !== openTime) {
      if (changes.growing.has(trade.symbol)) changes.rows.bars.push(live.toBar(trade.symbol));
      live.begin(openTime);
    }
    live.add(trade.price, trade.lots, trade.quoteAmount);
    changes.growing.add(trade.symbol);
  }

  /** The current bars of every changed minute. */
  take(changes: MinuteChanges): readonly Bar[] {
    return [...changes.rows.bars, ...[...changes.growing].map((symbol) => this.#of(symbol).toBar(symbol))];
  }

  #of(symbol: SymbolId): LiveBar {
    this.#bars[symbol] ??= new LiveBar();
    return this.#bars[symbol];
  }
}
