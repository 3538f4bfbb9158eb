import { amount, integer, nullable, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';
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
export const referencePriceDecimalsMost = 18;
