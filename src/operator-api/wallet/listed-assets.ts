import type { AssetRules } from '#model/asset.ts';
import { type AssetId, as, type Balance } from '#model/units.ts';
import type { FundsLack } from '#custody/settlement/waiting-payments.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';
import { formatDecimal, parseDecimal } from '#base/decimal.ts';

/** Every asset that is or was listed, by code and by id. */
export interface ListedAssets {
  readonly all: readonly AssetRules[];
  /** An asset by its id. */
  at(asset: AssetId): AssetRules;
  /** An asset that a path names, to be looked at. @throws Problem `unknownAsset`. */
  ofPath(code: string): AssetRules;
  /** A listed asset that a member of the body names. @throws Problem naming the member. */
  ofBody(code: string, pointer: string): AssetRules;
  /** An asset that a parameter of the query names; `null`: there is none of that name. */
  find(code: string): AssetRules | null;
}

/** The assets that are listed now. */
export async function listedAssets(queries: ExchangeQueries): Promise<ListedAssets> {
  const { assets: all } = await queries.listing();
  const find = (code: string): AssetRules | null => all.find((asset) => asset.code === code) ?? null;
  return {
    all,
    find,
    at: (asset) => all[asset] as AssetRules,
    ofPath: (code) => {
      const asset = find(code);
      if (asset === null) throw new Problem('unknownAsset');
      return asset;
    },
    ofBody: (code, pointer) => {
      const asset = find(code);
      if (asset === null || asset.isDelisted) throw invalidBody(pointer, 'must be a listed asset');
      return asset;
    },
  };
}

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

/** What a hot wallet lacks, as answers tell it. */
export function fundsText({ asset, missing, purpose }: FundsLack, assets: ListedAssets) {
  if (asset === null) return { asset, missing: null, purpose };
  return { asset: assets.at(asset).code, missing: amountText(missing, assets.at(asset)), purpose };
}
