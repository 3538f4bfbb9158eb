import type { AssetId, Balance } from '#model/units.ts';

/** Commands about the prices that rules use. */
export type PriceCommand =
  /**
   * An operator's price of an asset for the rules of the exchange: `digits` / 10^`decimals` whole coins of the
   * reference asset for a whole coin, for `validMs`. Replaces the one before. DEC-OPR-130.
   */
  | {
      readonly kind: 'setReferencePrice';
      readonly asset: AssetId;
      readonly digits: Balance;
      readonly decimals: number;
      readonly validMs: number;
      readonly reason: string;
    }
  | { readonly kind: 'removeReferencePrice'; readonly asset: AssetId; readonly reason: string };
