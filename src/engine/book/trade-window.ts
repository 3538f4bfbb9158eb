import type { ByteReader, ByteWriter } from '#base/bytes.ts';

const minuteMs = 60_000;
/** Minutes of the window, the running one included. DEC-WAL-141. */
const windowMinutes = 15;
/** Trades must stand in as many minutes of the window: what one moment can make is no volume-weighted price. */
const minutesNeeded = 3;

/** What was traded within the window. */
export interface TradedVolume {
  readonly quote: bigint;
  readonly lots: bigint;
}

interface TradedMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  quote: bigint;
  lots: bigint;
}

/**
 * What was traded on a symbol in each of the last 15 minutes. A fill adds to two numbers; they are put away when the
 * minute is over, or before they leave the safe integers.
 */
export class TradeWindow {
  /** Minutes with trades, earliest first, at most 15 of them. */
  private readonly minutes: TradedMinute[] = [];
  private endsAt = 0;
  private runningQuote = 0;
  private runningLots = 0;

  /** Adds a fill. There are never more lots than quote units, so only these can become too many. */
  add(at: number, lots: number, quoteAmount: number): void {
    if (at >= this.endsAt || this.runningQuote + quoteAmount > Number.MAX_SAFE_INTEGER) this.putAway(at);
    this.runningQuote += quoteAmount;
    this.runningLots += lots;
  }

  /** What was traded in the window that ends at `at`; `null` unless there were trades in three of its minutes. */
  volume(at: number): TradedVolume | null {
    const kept = this.keptAt(at);
    if (kept.length < minutesNeeded) return null;
    return {
      quote: kept.reduce((sum, { quote }) => sum + quote, 0n),
      lots: kept.reduce((sum, { lots }) => sum + lots, 0n),
    };
  }

  /** Writes the window that ends at `at`: bytes depend on what was traded in it alone. */
  write(writer: ByteWriter, at: number): void {
    const kept = this.keptAt(at);
    writer.varint(kept.length);
    for (const { minute, quote, lots } of kept) {
      writer.varint(minute);
      writer.text(String(quote));
      writer.text(String(lots));
    }
  }

  /** Reads what `write` wrote into an empty window. */
  read(reader: ByteReader): void {
    for (let left = reader.varint(); left > 0; left -= 1)
      this.minutes.push({ minute: reader.varint(), quote: BigInt(reader.text()), lots: BigInt(reader.text()) });
  }

  private keptAt(at: number): readonly TradedMinute[] {
    this.putAway(at);
    const from = Math.floor(at / minuteMs) - windowMinutes;
    return this.minutes.filter(({ minute }) => minute > from);
  }

  /** Adds the running sums to their minute, and begins that of `at`. */
  private putAway(at: number): void {
    const { minutes } = this;
    if (this.runningLots > 0) {
      const minute = this.endsAt / minuteMs - 1;
      if (minutes.at(-1)?.minute !== minute) minutes.push({ minute, quote: 0n, lots: 0n });
      if (minutes.length > windowMinutes) minutes.shift();
      const running = minutes.at(-1)!;
      running.quote += BigInt(this.runningQuote);
      running.lots += BigInt(this.runningLots);
      this.runningQuote = 0;
      this.runningLots = 0;
    }
    this.endsAt = (Math.floor(at / minuteMs) + 1) * minuteMs;
  }
}
