import type { Prng } from '#base/prng.ts';
import { demoPrng } from '#sandbox/demo-identity.ts';
import {
  type Columns,
  pricesOf,
  type RecordedTrade,
  type Recording,
  type TradeCursor,
} from '#sandbox/replays/recording.ts';

/** What is known of each candle; `takerBuy`: the part of the volume of which the taker bought. */
export type CandleColumns = Columns<
  'openTime' | 'open' | 'high' | 'low' | 'close' | 'volume' | 'closeTime' | 'count' | 'takerBuy'
>;

/** Trades that are made of a candle: one in so much time, within these bounds. */
const tradesOfCandle = { everyMs: 5_000, least: 8, most: 240 } as const;

/**
 * Trades as candles allow them: from open by way of low and high to close, of a rising candle the low first, of a
 * falling one the high. Sizes are drawn; their sum is the volume, and takers buy their part of it. DEC-KIT-64.
 */
export function candleRecording(columns: CandleColumns): Recording {
  const { openTime, open, high, low, closeTime } = columns;
  const firstAt = openTime[0]!;
  const play = (seed: string): TradeCursor => {
    const prng = demoPrng(seed, 'candles');
    let taken = 0;
    let due: readonly RecordedTrade[] = [];
    let next = 0;
    return {
      take: (upToMs) => {
        while (next === due.length) {
          const at = openTime[taken];
          if (at === undefined || at - firstAt > upToMs) return null;
          const isOver = columns.closeTime[taken]! - firstAt <= upToMs;
          due = isOver ? inBrief(columns, taken) : tradesIn(columns, taken, prng);
          next = 0;
          taken += 1;
        }
        const trade = due[next]!;
        if (trade.atMs > upToMs) return null;
        next += 1;
        return trade;
      },
      get taken() {
        return taken;
      },
    };
  };
  return {
    format: 'candles',
    entries: openTime.length,
    firstAt,
    lengthMs: closeTime.at(-1)! - firstAt,
    prices: pricesOf(open[0]!, high, low),
    play,
  };
}

/** Where the price turns, at thirds of a candle. */
function turnsOf({ open, high, low, close }: CandleColumns, index: number): readonly [number, number, number, number] {
  const [from, top, bottom, to] = [open[index]!, high[index]!, low[index]!, close[index]!];
  return to >= from ? [from, bottom, top, to] : [from, top, bottom, to];
}

/** The price at a part of a candle, from 0 to 1. */
function priceAt(turns: readonly [number, number, number, number], part: number): number {
  const place = part * 3;
  const before = Math.min(2, Math.floor(place));
  const [from, to] = [turns[before]!, turns[before + 1]!];
  return from + (to - from) * (place - before);
}

/** A candle that lies within one step: what was bought and what was sold, at its end. */
function inBrief({ openTime, closeTime, close, volume, takerBuy }: CandleColumns, index: number) {
  const atMs = closeTime[index]! - openTime[0]!;
  const bought = takerBuy[index]!;
  const sides = [
    { isBuy: true, quantity: bought },
    { isBuy: false, quantity: volume[index]! - bought },
  ];
  return sides.map((side): RecordedTrade => ({ atMs, price: close[index]!, ...side }));
}

function tradesIn(columns: CandleColumns, index: number, prng: Prng): readonly RecordedTrade[] {
  const { openTime, closeTime, volume, count, takerBuy } = columns;
  const [opened, whole] = [openTime[index]!, volume[index]!];
  const lengthMs = closeTime[index]! - opened;
  const wanted = Math.min(count[index]!, Math.ceil(lengthMs / tradesOfCandle.everyMs));
  const steps = Math.max(tradesOfCandle.least, Math.min(tradesOfCandle.most, wanted));
  // In threes, so that the price is told where it turns.
  const parts = Math.ceil(steps / 3) * 3;
  const weights = Array.from({ length: parts + 1 }, () => -Math.log(1 - prng.next()));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const turns = turnsOf(columns, index);
  let [bought, traded] = [0, 0];
  return weights.map((weight, at): RecordedTrade => {
    const quantity = whole === 0 ? 0 : (whole * weight) / sum;
    traded += quantity;
    const isBuy = whole > 0 && bought + quantity / 2 < (takerBuy[index]! / whole) * traded;
    if (isBuy) bought += quantity;
    const part = at / parts;
    return { atMs: opened - openTime[0]! + lengthMs * part, price: priceAt(turns, part), quantity, isBuy };
  });
}
