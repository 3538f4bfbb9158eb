import type { Prng } from '#base/prng.ts';
import type { Side } from '#model/order.ts';
import { poisson } from '#sandbox/agents/arrivals.ts';

/*
 * Worth of takers' orders: lognormal, and now and then many times as much, with a Pareto tail. People type round
 * numbers.
 */

/** Standard deviation of the logarithm of an order's worth. */
const logDeviation = 1.15;
/** How many orders are of the tail, its exponent, and the greatest multiple. */
const tail = { chance: 0.03, exponent: 1.3, most: 40 } as const;
/** Mean of the multiple of the tail, cut at its greatest value. */
const tailMean = 1 + (1 - tail.most ** (1 - tail.exponent)) / (tail.exponent - 1);
const bodyMean = Math.exp(logDeviation ** 2 / 2);
const bodyRelativeVariance = Math.exp(logDeviation ** 2) - 1;

/** Mean worth of an order, as a multiple of the median of the lognormal part. */
export const meanOrderSize = bodyMean * (1 + tail.chance * (tailMean - 1));

const drawTailMultiple = (prng: Prng): number => Math.min(tail.most, (1 - prng.next()) ** (-1 / tail.exponent));
const drawBody = (prng: Prng): number => Math.exp(logDeviation * prng.gaussian());

/** Worth of this many orders together, as a multiple of the median of one. */
export function drawOrderSize(orders: number, prng: Prng): number {
  if (orders === 1) return drawBody(prng) * (prng.next() < tail.chance ? drawTailMultiple(prng) : 1);
  const deviation = Math.sqrt(Math.log(1 + bodyRelativeVariance / Math.max(1, orders)));
  let worth = bodyMean * orders * Math.exp(deviation * prng.gaussian() - (deviation * deviation) / 2);
  for (let large = poisson(orders * tail.chance, prng); large > 0; large -= 1)
    worth += drawBody(prng) * (drawTailMultiple(prng) - 1);
  return worth;
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
