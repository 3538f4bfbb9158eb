import { amount, flag, integer, omit, record, text, type ValueOf } from '#model/codec/field-codec.ts';
import type { AssetId } from '#model/units.ts';

/** An asset as the ledger knows it. Scales of a listed asset never change. */
export const assetRules = record({
  id: integer<AssetId>(),
  /** Ticker, 2 to 12 of `[A-Z0-9]`. */
  code: text(),
  fullName: text(),
  /** Decimals of the smallest unit, 0 to 12. DEC-ORD-01. */
  scale: integer(),
  /** The most that may exist on this exchange, in smallest units; below 2^62. */
  cap: amount(),
  /** 32 lower-case hex characters that pushes carry as `coinId`. */
  coinId: text(),
  /** Nobody has any, and nothing moves it; what is past keeps its name and scale. DEC-OPR-172. */
  isDelisted: flag,
});
export type AssetRules = ValueOf<typeof assetRules>;
/** What is asked for when an asset is listed or changed; the engine gives the id. */
export const assetListing = record(omit(assetRules, 'id', 'isDelisted'));
export type AssetListing = ValueOf<typeof assetListing>;
