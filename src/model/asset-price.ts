import type { ReferencePrice } from '#model/reference-price.ts';
import type { AssetId } from '#model/units.ts';

/** Decimals of the prices in `AssetPrice`. */
export const assetPriceDecimals = 12;

/** What the rules of the exchange take an asset to be worth now. */
export interface AssetPrice {
  readonly asset: AssetId;
  /**
   * Price of a whole coin in whole coins of the reference asset, times 10^12, rounded down: `higher` for holds, caps
   * and four eyes, `lower` for dust. `null`: there is none.
   */
  readonly higher: bigint | null;
  readonly lower: bigint | null;
  /** What an operator set, also if it no longer counts. */
  readonly reference: ReferencePrice | null;
}
