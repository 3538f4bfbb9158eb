const ppmPerPercent = 10_000;

/**
 * Parts per million of a percentage as people write it: `-25`, `+0.5 %`.
 * @throws Error telling what it must be
 */
export function ppmOf(text: string): number {
  const entered = text.replace(/%\s*$/, '').replace('−', '-').trim();
  if (!/^[-+]?\d{1,6}(\.\d{1,4})?$/.test(entered)) throw new Error('It must be a percentage such as -25 or 0.5.');
  return Math.round(Number(entered) * ppmPerPercent);
}

/**
 * Parts per million of a multiple of the usual: `10` is 10,000,000.
 * @throws Error telling what it must be
 */
export function multipleOf(text: string): number {
  const entered = text.replace(/×\s*$/, '').trim();
  if (!/^\d{1,4}(\.\d{1,6})?$/.test(entered)) throw new Error('It must be a multiple of the usual such as 0.1 or 10.');
  return Math.round(Number(entered) * 1_000_000);
}

/** A multiple of the usual, of parts per million: `0.05 ×`. */
export const multipleText = (ppm: number): string => `${ppm / 1_000_000} ×`;
