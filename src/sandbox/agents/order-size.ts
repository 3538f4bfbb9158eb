import type { Prng } from '#base/prng.ts';
import type { Side } from '#domain/order.ts';

/*
 * Worth of takers' orders: lognormal, and now and then many times as much, with a Pareto tail. People type round
 * numbers.
 */

/** Standard deviation of the logarithm of an order's worth. */
const logDeviation = 1.15;
/** How many orders are of the tail, its exponent, and the greatest multiple. */
const tail = { chance: 0.03, exponent: 1.3, most: 40 } as const;
/** Mean and mean square of the multiple of the tail, cut at its greatest value. */
const tailMean = 1 + (1 - tail.most ** (1 - tail.exponent)) / (tail.exponent - 1);
const tailSquare = 1 + (2 * (tail.most ** (2 - tail.exponent) - 1)) / (2 - tail.exponent);

/** Mean worth of an order, as a multiple of the median of the lognormal part. */
export const meanOrderSize = Math.exp(logDeviation ** 2 / 2) * (1 + tail.chance * (tailMean - 1));
const relativeVariance =
  (Math.exp(2 * logDeviation ** 2) * (1 + tail.chance * (tailSquare - 1))) / meanOrderSize ** 2 - 1;

/** Worth of this many orders together, as a multiple of the median of one. */
export function drawOrderSize(orders: number, prng: Prng): number {
  if (orders === 1) {
    const size = Math.exp(logDeviation * prng.gaussian());
    if (prng.next() >= tail.chance) return size;
    return size * Math.min(tail.most, (1 - prng.next()) ** (-1 / tail.exponent));
  }
  const deviation = Math.sqrt(Math.log(1 + relativeVariance / Math.max(1, orders)));
  return meanOrderSize * orders * Math.exp(deviation * prng.gaussian() - (deviation * deviation) / 2);
}

/** Rounds two in five numbers: to 1, 2 or 5 times a power of ten, or to half its leading digit. */
export function roundAsPeopleDo(lots: number, prng: Prng): number {
  const choice = prng.next();
  if (choice > 0.4 || lots < 2) return lots;
  const unit = 10 ** Math.floor(Math.log10(lots));
  const digits = lots / unit;
  if (choice > 0.26) return Math.max(1, Math.round((Math.round(digits * 2) / 2) * unit));
  const round = [1, 2, 5, 10].find((each) => digits < each * 1.5) ?? 10;
  return Math.max(1, round * unit);
}

/** Half of the prices as multiples of ten ticks, away from the other side, if they have at least five digits. */
export function roundSomePrices(price: number, side: Side, prng: Prng): number {
  if (prng.next() >= 0.5 || price <= 10_000) return price;
  return side === 'buy' ? price - (price % 10) : Math.ceil(price / 10) * 10;
}
