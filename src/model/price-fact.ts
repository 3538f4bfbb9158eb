import type { ReferencePrice } from '#model/reference-price.ts';
import type { AssetId } from '#model/units.ts';

/** What happened to the prices that rules use. */
export type PriceFact =
  | { readonly kind: 'referencePriceSet'; readonly price: ReferencePrice }
  | { readonly kind: 'referencePriceRemoved'; readonly asset: AssetId; readonly reason: string };
