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
