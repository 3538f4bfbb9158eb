/** Of a rate in parts per million, the whole. */
export const million = 1_000_000;
/** The same for exact amounts. */
export const bigMillion = 1_000_000n;

/** Whether a number is whole, exact, and within inclusive bounds. */
export const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most;
/** Whether a number is a rate: whole parts per million, from none to all. */
export const isPpm = (value: number): boolean => isWhole(value, 0, million);

/** The lesser of two. */
export const lesserOf = (one: bigint, other: bigint): bigint => (one < other ? one : other);
/** A number without its sign. */
export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
/** Sum of all, 0 of none. */
export const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

/** The whole number nearest to a fraction, halves away from zero. `under` is above zero. */
export function dividedNearest(over: bigint, under: bigint): bigint {
  const twice = 2n * over;
  // bigint division cuts towards zero
  return over < 0n ? (twice - under) / (2n * under) : (twice + under) / (2n * under);
}

/** The least whole number that is not below a fraction of either sign. `under` is above zero. */
export function dividedUp(over: bigint, under: bigint): bigint {
  const cut = over / under;
  return over > 0n && cut * under !== over ? cut + 1n : cut;
}

/** The nearest of `least` to `most` to a value. */
export function clamped(value: bigint, least: bigint, most: bigint): bigint {
  if (value < least) return least;
  return value > most ? most : value;
}
