import { type ValueOf, amount, integer, nullable, record, text, time } from '#model/codec/field-codec.ts';
import type { AssetId } from '#model/units.ts';

/** A price of an asset that an operator set, for the rules of the exchange. DEC-OPR-130. */
export const referencePrice = record({
  asset: integer<AssetId>(),
  /** Price of a whole coin in whole coins of the reference asset: `digits` / 10^`decimals`. */
  digits: amount(),
  decimals: integer(),
  /** From this moment on it no longer counts. */
  validUntil: time(),
  reason: text(),
  /** The operator who set it; `null`: the exchange itself. */
  actor: nullable(text()),
  setAt: time(),
});
export type ReferencePrice = ValueOf<typeof referencePrice>;

/** Decimals that a reference price may have. */
export const referencePriceDecimalsMax = 18;

/** What happened to the prices that rules use. */
export type PriceFact =
  | { readonly kind: 'referencePriceSet'; readonly price: ReferencePrice }
  | { readonly kind: 'referencePriceRemoved'; readonly asset: AssetId; readonly reason: string };

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
