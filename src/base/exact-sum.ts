/** Sums are kept as `high × 2^30 + low`: exact far beyond 2^53 without a `bigint` for every addition. */
export const sumBase = 2 ** 30;
const bigSumBase = BigInt(sumBase);

/** The exact value of a sum stored as two columns. */
export function joinSum(high: number, low: number): bigint {
  return BigInt(high) * bigSumBase + BigInt(low);
}

/** Splits a sum that is not negative into its two columns; `low` is below `sumBase`. */
export function splitSum(value: bigint): { readonly high: number; readonly low: number } {
  return { high: Number(value / bigSumBase), low: Number(value % bigSumBase) };
}

/** A running total of safe integers that stays exact up to 2^83 and never goes below zero. */
export class ExactSum {
  high = 0;
  /** Always in [0, `sumBase`). */
  low = 0;

  /** Adds a safe integer that is not negative. */
  add(amount: number): void {
    const high = Math.floor(amount / sumBase);
    this.addParts(high, amount - high * sumBase);
  }

  /** Adds `high × sumBase + low`; `low` may be any safe integer that is not negative. */
  addParts(high: number, low: number): void {
    const sum = this.low + low;
    const carry = Math.floor(sum / sumBase);
    this.low = sum - carry * sumBase;
    this.high += high + carry;
  }

  /** Adds a sum that is not negative. */
  addBig(value: bigint): void {
    const { high, low } = splitSum(value);
    this.addParts(high, low);
  }

  /** Subtracts a sum that was added before. */
  subtract(value: bigint): void {
    const { high, low } = splitSum(value);
    const borrow = this.low < low ? 1 : 0;
    this.low += borrow * sumBase - low;
    this.high -= high + borrow;
  }

  clear(): void {
    this.high = 0;
    this.low = 0;
  }

  value(): bigint {
    return joinSum(this.high, this.low);
  }
}
