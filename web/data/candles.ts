import { type AnswerOf, channels, type MembersOf } from '#client/client.ts';
import { exchangeNow, publicClient } from '#web/data/clients.ts';
import { hear } from '#web/data/streams/streams.ts';

/** A candle to be drawn: open time in seconds since 1970 UTC, prices and volume for the eye. */
export interface Bar {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Lengths of candles by their names here, with the words of REST, of the streams, and of the futures side. */
export const intervals = {
  '1m': { rest: '1m', stream: 'Min1', seconds: 60 },
  '5m': { rest: '5m', stream: 'Min5', seconds: 300 },
  '15m': { rest: '15m', stream: 'Min15', seconds: 900 },
  '30m': { rest: '30m', stream: 'Min30', seconds: 1800 },
  '1h': { rest: '60m', stream: 'Min60', seconds: 3600 },
  '4h': { rest: '4h', stream: 'Hour4', seconds: 14_400 },
  '1D': { rest: '1d', stream: 'Day1', seconds: 86_400 },
  '1W': { rest: '1W', stream: 'Week1', seconds: 604_800 },
  '1M': { rest: '1M', stream: 'Month1', seconds: 2_592_000 },
} as const;
export type Interval = keyof typeof intervals;

/** Where the candles of a market come from. */
export interface CandleSource {
  /** Candles that opened before a time in seconds, oldest first; without one the newest. Empty: there are none. */
  read(interval: Interval, before: number | null): Promise<readonly Bar[]>;
  /**
   * Hears the newest candle whenever it changes, until the answered function is called. `onReady`: candles are heard
   * from now on, for the first time or again.
   */
  follow(interval: Interval, onBar: (bar: Bar) => void, onReady: () => void): () => void;
}

/** Candles of a pair that are read at first, and each time further back. */
const barsAtFirst = 300;
const barsFurtherBack = 1000;

type Row = AnswerOf<'candles'>[number];

const barOfRow = ([openTime, open, high, low, close, volume]: Row): Bar => ({
  time: openTime / 1000,
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
  volume: Number(volume),
});

/** Candles of a pair: history by REST, the current one by the stream. */
export function pairCandles(symbol: string): CandleSource {
  return {
    read: async (interval, before) => {
      const { rest } = intervals[interval];
      const range = before === null ? {} : { endTime: before * 1000 - 1 };
      const rows = await publicClient.candles({
        symbol,
        interval: rest,
        limit: before === null ? barsAtFirst : barsFurtherBack,
        ...range,
      });
      return rows.map(barOfRow);
    },
    follow: (interval, onBar, onReady) =>
      hear(
        channels.kline({ symbol, interval: intervals[interval].stream }),
        ({ windowStart, openingPrice, highestPrice, lowestPrice, closingPrice, volume }) =>
          onBar({
            time: windowStart,
            open: Number(openingPrice),
            high: Number(highestPrice),
            low: Number(lowestPrice),
            close: Number(closingPrice),
            volume: Number(volume),
          }),
        onReady,
      ),
  };
}

type FuturesCandles = AnswerOf<'futuresCandles'>;

const barsOf = ({ time, open, close, high, low, vol }: FuturesCandles): readonly Bar[] =>
  time.map((at, index) => ({
    time: at,
    open: open[index] ?? 0,
    high: high[index] ?? 0,
    low: low[index] ?? 0,
    close: close[index] ?? 0,
    volume: vol[index] ?? 0,
  }));

const followMs = 2000;

/** Which price of a contract candles are of. */
export type ContractPrice = 'last' | 'index' | 'fair';

/** Candles of a contract, by REST: the newest is asked for every two seconds while somebody looks. */
export function contractCandles(symbol: string, price: ContractPrice): CandleSource {
  const ask = (members: MembersOf<'futuresCandles'>): Promise<FuturesCandles> => {
    if (price === 'last') return publicClient.futuresCandles(members);
    return price === 'index' ? publicClient.futuresIndexCandles(members) : publicClient.futuresFairCandles(members);
  };
  const read = async (interval: Interval, range: { readonly start?: number; readonly end?: number }) =>
    barsOf(await ask({ symbol, interval: intervals[interval].stream, ...range }));
  const readNewest = async (interval: Interval): Promise<readonly Bar[]> => {
    const now = Math.floor((await exchangeNow()) / 1000);
    const bars = await read(interval, { start: Math.max(0, now - barsAtFirst * intervals[interval].seconds) });
    // A contract that nobody traded of late has only older ones.
    return bars.length > 0 ? bars : read(interval, {});
  };
  return {
    read: (interval, before) => (before === null ? readNewest(interval) : read(interval, { end: before - 1 })),
    follow: (interval, onBar) => {
      const { seconds } = intervals[interval];
      const timer = setInterval(() => {
        if (document.hidden) return;
        exchangeNow()
          .then((now) => read(interval, { start: Math.max(0, Math.floor(now / 1000) - 2 * seconds) }))
          .then(
            (bars) => bars.forEach(onBar),
            () => {
              // The next reading brings it.
            },
          );
      }, followMs);
      return () => clearInterval(timer);
    },
  };
}
