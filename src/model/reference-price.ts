import type { AssetId, Balance, TimestampMs } from '#model/units.ts';

/** A price of an asset that an operator set, for the rules of the exchange. DEC-OPR-130. */
export interface ReferencePrice {
  readonly asset: AssetId;
  /** Price of a whole coin in whole coins of the reference asset: `digits` / 10^`decimals`. */
  readonly digits: Balance;
  readonly decimals: number;
  /** From this moment on it no longer counts. */
  readonly validUntil: TimestampMs;
  readonly reason: string;
  /** The operator who set it; `null`: the exchange itself. */
  readonly actor: string | null;
  readonly setAt: TimestampMs;
}

/** Decimals that a reference price may have. */
export const referencePriceDecimalsMost = 18;
