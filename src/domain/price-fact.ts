import type { ReferencePrice } from '#domain/reference-price.ts';
import type { AssetId } from '#domain/units.ts';

/** What happened to the prices that rules use. */
export type PriceFact =
  | { readonly kind: 'referencePriceSet'; readonly price: ReferencePrice }
  | { readonly kind: 'referencePriceRemoved'; readonly asset: AssetId; readonly reason: string };
