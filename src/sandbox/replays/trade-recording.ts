import { type Columns, pricesOf, type Recording, type TradeCursor } from '#sandbox/replays/recording.ts';

/** What is known of each trade; `isBuyerMaker` is 1 where the seller took. */
export type TradeColumns = Columns<'time' | 'price' | 'quantity' | 'isBuyerMaker'>;

/** Trades as they were. DEC-KIT-64. */
export function tradeRecording({ time, price, quantity, isBuyerMaker }: TradeColumns): Recording {
  const firstAt = time[0]!;
  const play = (): TradeCursor => {
    let taken = 0;
    return {
      take: (upToMs) => {
        const at = time[taken];
        if (at === undefined || at - firstAt > upToMs) return null;
        const index = taken;
        taken += 1;
        return {
          atMs: at - firstAt,
          price: price[index]!,
          quantity: quantity[index]!,
          isBuy: isBuyerMaker[index] === 0,
        };
      },
      get taken() {
        return taken;
      },
    };
  };
  return {
    format: 'trades',
    entries: time.length,
    firstAt,
    lengthMs: Math.max(1, time.at(-1)! - firstAt),
    prices: pricesOf(price[0]!, price),
    play,
  };
}
