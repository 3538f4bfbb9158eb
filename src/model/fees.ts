import { million } from '#base/whole-numbers.ts';
import { integer, record, type ValueOf } from '#model/codec/field-codec.ts';
import type { AssetId } from '#model/units.ts';

/**
 * The platform token in which fees can be paid at a discount (token deduction), and the asset that both are valued in.
 */
export const feeToken = record({
  token: integer<AssetId>(),
  valuedIn: integer<AssetId>(),
  discountPpm: integer(),
});

/** The platform token. */
export type FeeToken = ValueOf<typeof feeToken>;

/** Decimals of the price of the platform token as it is told. */
export const tokenPriceDecimals = 18;

/**
 * Below it a product is exact, and its quotient by a million is further from the next whole number than it is rounded.
 */
const exactProductMax = 2 ** 51;

/** `amount × ppm / 10^6` rounded up, exact for any safe integer and up to 10^6 ppm. DEC-ORD-15. */
export function shareUp(amount: number, ppm: number): number {
  if (amount * ppm < exactProductMax) return Math.ceil((amount * ppm) / million);
  const high = Math.floor(amount / million);
  return high * ppm + Math.ceil(((amount - high * million) * ppm) / million);
}

/** `amount × ppm / 10^6` rounded down, exact while the result is a safe integer. */
export function shareDown(amount: number, ppm: number): number {
  if (amount * ppm < exactProductMax) return Math.floor((amount * ppm) / million);
  const high = Math.floor(amount / million);
  return high * ppm + Math.floor(((amount - high * million) * ppm) / million);
}
