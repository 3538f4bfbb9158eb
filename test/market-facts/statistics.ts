/*
 * Statistics of lists of numbers, by their textbook definitions with moments over `n`. Each is `NaN` where it has no
 * meaning: too few numbers, or numbers that do not differ.
 */

type Numbers = readonly number[];

/** Arithmetic mean. */
export function mean(numbers: Numbers): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum / numbers.length;
}

/** Mean of `(x - mean)^power`. */
function centralMoment(numbers: Numbers, power: number): number {
  const middle = mean(numbers);
  let sum = 0;
  for (const number of numbers) sum += (number - middle) ** power;
  return sum / numbers.length;
}

/** Standard deviation, of the whole list rather than of a sample. */
export const deviation = (numbers: Numbers): number => Math.sqrt(centralMoment(numbers, 2));

/** Standard deviation over mean. */
export const variationOf = (numbers: Numbers): number => deviation(numbers) / mean(numbers);

/** Variance over mean: 1 for counts of events that come independently, more where they come in bursts. */
export const dispersionOf = (counts: Numbers): number => centralMoment(counts, 2) / mean(counts);

/** Fourth standardised moment less that of a normal distribution. */
export const excessKurtosis = (numbers: Numbers): number =>
  centralMoment(numbers, 4) / centralMoment(numbers, 2) ** 2 - 3;

/** The largest of a list, also of one that is too long for arguments; `-Infinity` of an empty one. */
export const largest = (numbers: Numbers): number =>
  numbers.reduce((most, number) => Math.max(most, number), -Infinity);

/** The smallest of a list; `Infinity` of an empty one. */
export const smallest = (numbers: Numbers): number =>
  numbers.reduce((least, number) => Math.min(least, number), Infinity);

/** Linear (Pearson) correlation of two lists of equal length, -1 to 1. */
export function correlation(first: Numbers, second: Numbers): number {
  if (first.length !== second.length) throw new RangeError(`${first.length} numbers beside ${second.length}`);
  const [firstMean, secondMean] = [mean(first), mean(second)];
  let sum = 0;
  for (let at = 0; at < first.length; at += 1) sum += (first[at]! - firstMean) * (second[at]! - secondMean);
  return sum / first.length / (deviation(first) * deviation(second));
}

/** Covariance of the list with itself `lag` places later, over its variance. */
export function autocorrelation(numbers: Numbers, lag: number): number {
  const middle = mean(numbers);
  let sum = 0;
  for (let at = lag; at < numbers.length; at += 1) sum += (numbers[at]! - middle) * (numbers[at - lag]! - middle);
  return sum / numbers.length / centralMoment(numbers, 2);
}

/** The value below which this fraction (0 to 1) of the list lies, interpolated between two neighbours. */
export function quantile(numbers: Numbers, fraction: number): number {
  const sorted = Float64Array.from(numbers).sort();
  const place = fraction * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/**
 * Hill's estimate of the tail index from the largest `fraction` of positive numbers: the exponent with which the
 * probability of a larger number falls. The smaller, the heavier the tail; below 2 the variance is infinite. It is the
 * mean of the estimates from half to twice as many numbers (Resnick and Stărică, 1997): where many numbers are round, a
 * single one jumps from one round number to the next.
 */
export function tailIndex(numbers: Numbers, fraction: number): number {
  const sorted = Float64Array.from(numbers).sort().reverse();
  const count = Math.floor(sorted.length * fraction);
  const [first, last] = [Math.ceil(count / 2), Math.min(2 * count, sorted.length - 1)];
  if (count < 2) return Number.NaN;
  let logarithms = 0;
  let sum = 0;
  for (let at = 1; at <= last; at += 1) {
    logarithms += Math.log(sorted[at - 1]!);
    if (at >= first) sum += logarithms / at - Math.log(sorted[at]!);
  }
  return sum > 0 ? (last - first + 1) / sum : Number.NaN;
}
