import type { AssetRules } from '#model/asset.ts';
import type { AssetId } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';

/** Every asset, by code and by id. */
export interface ListedAssets {
  readonly all: readonly AssetRules[];
  /** An asset that is listed, by its id. */
  at(asset: AssetId): AssetRules;
  /** An asset that a path names. @throws Problem `unknownAsset`. */
  ofPath(code: string): AssetRules;
  /** An asset that a member of the body names. @throws Problem naming the member. */
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
      if (asset === null) throw invalidBody(pointer, 'must be a listed asset');
      return asset;
    },
  };
}
