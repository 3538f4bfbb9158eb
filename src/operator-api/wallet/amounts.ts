import { formatDecimal, parseDecimal } from '#base/decimal.ts';
import type { AssetRules } from '#model/asset.ts';
import { as, type Balance } from '#model/units.ts';
import { invalidBody } from '#operator-api/requests/problems.ts';

/** Balances are below this. */
const balanceLimit = 1n << 62n;

/**
 * Reads an amount in whole coins at the scale of its asset. DEC-OPR-08.
 * @throws Problem naming the member of the body: malformed, more decimals than the asset has, or too large.
 */
export function readAmount(
  text: string,
  { code, scale }: Pick<AssetRules, 'code' | 'scale'>,
  pointer: string,
): Balance {
  const value = parseDecimal(text, scale);
  if (value === 'tooManyDecimals') throw invalidBody(pointer, `must have at most ${scale} decimals, as ${code} has`);
  if (value === 'malformed') throw invalidBody(pointer, 'must be decimal text such as "12.5"');
  if (value >= balanceLimit) throw invalidBody(pointer, 'must be smaller: no balance can be that large');
  return as<Balance>(value);
}

/** As `readAmount`, and above zero. */
export function readPositiveAmount(text: string, asset: Pick<AssetRules, 'code' | 'scale'>, pointer: string): Balance {
  const value = readAmount(text, asset, pointer);
  if (value === 0n) throw invalidBody(pointer, 'must be above zero');
  return value;
}

/** As `readPositiveAmount`, for prices and sizes: safe integers. */
export function readPositiveSafe(text: string, unit: Pick<AssetRules, 'code' | 'scale'>, pointer: string): number {
  const value = readPositiveAmount(text, unit, pointer);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw invalidBody(pointer, 'must be smaller');
  return Number(value);
}

/** An amount in whole coins; it may be negative. */
export const amountText = (value: bigint, { scale }: Pick<AssetRules, 'scale'>): string => formatDecimal(value, scale);
