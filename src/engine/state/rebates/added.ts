import { toAmount, type Amount } from '#model/units.ts';

/** The exact sum of two amounts, a number while it is a safe integer. */
export function added(first: Amount, second: Amount): Amount {
  if (typeof first === 'number' && typeof second === 'number') {
    const sum = first + second;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return toAmount(BigInt(first) + BigInt(second));
}
