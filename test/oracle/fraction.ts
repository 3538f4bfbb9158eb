/** An exact fraction; `under` is above zero. Never reduced: the model's numbers may grow as they like. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

const million = 1_000_000n;

export const whole = (over: bigint): Fraction => ({ over, under: 1n });

/** A rate in parts per million as a fraction. */
export const ofPpm = (ppm: number): Fraction => ({ over: BigInt(ppm), under: million });

export const times = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.over,
  under: one.under * other.under,
});

/** One divided by the other, which is above zero. */
export const dividedBy = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.under,
  under: one.under * other.over,
});

/** The least whole number that is not below a fraction of zero or more. */
export const roundedUp = ({ over, under }: Fraction): bigint => (over + under - 1n) / under;

/** The greatest whole number that is not above a fraction of zero or more. */
export const roundedDown = ({ over, under }: Fraction): bigint => over / under;

/** Whether one is at most the other. */
export const isAtMost = (one: Fraction, other: Fraction): boolean => one.over * other.under <= other.over * one.under;
