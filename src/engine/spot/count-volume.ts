import { feeTierDayOf } from '#model/fee-tier.ts';
import type { Book } from '#engine/book/book.ts';
import type { TradeView } from '#engine/state/spot/trade-view.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Counts a trade of a pair for the fee tiers of both sides, if there are tiers: for a master once, whichever of its
 * accounts traded with each other; a trade of an account with itself never. DEC-OPR-212.
 */
export function countVolume(state: EngineState, book: Book, trade: TradeView): void {
  const { feeTiers, tradeVolumes, accounts, at } = state;
  if (!feeTiers.isOn || trade.takerAccount === trade.makerAccount) return;
  const volume = volumeOf(state, book, trade);
  if (volume === 0n) return;
  const day = feeTierDayOf(at);
  const taker = accounts.master(trade.takerAccount);
  const maker = accounts.master(trade.makerAccount);
  tradeVolumes.add(taker, day, volume);
  if (maker !== taker) tradeVolumes.add(maker, day, volume);
}

/** What was traded, in the reference asset: by the price of the trade, or by the guarded price of what was paid. */
function volumeOf({ feeTiers, priceTrail, at }: EngineState, book: Book, { quoteAmount, lots }: TradeView): bigint {
  const { valuedIn } = feeTiers.table!;
  const { base, quote } = book.rules;
  if (quote === valuedIn) return BigInt(quoteAmount);
  if (base === valuedIn) return BigInt(lots * book.basePerLot);
  const value = priceTrail.newest(quote, at)?.low ?? null;
  return value === null ? 0n : (BigInt(quoteAmount) * value.numerator) / value.denominator;
}
