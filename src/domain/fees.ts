const million = 1_000_000;

/** `amount × ppm / 10^6` rounded up, exact for any safe integer and up to 10^6 ppm. decisions.md section 3, Fees. */
export function shareUp(amount: number, ppm: number): number {
  const high = Math.floor(amount / million);
  return high * ppm + Math.ceil(((amount - high * million) * ppm) / million);
}

/** `amount × ppm / 10^6` rounded down, exact while the result is a safe integer. */
export function shareDown(amount: number, ppm: number): number {
  const high = Math.floor(amount / million);
  return high * ppm + Math.floor(((amount - high * million) * ppm) / million);
}
