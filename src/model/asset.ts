import type { AssetId, Balance } from '#model/units.ts';

/** An asset as the ledger knows it. Scales of a listed asset never change. */
export interface AssetRules {
  readonly id: AssetId;
  /** Ticker, 2 to 12 of `[A-Z0-9]`. */
  readonly code: string;
  readonly fullName: string;
  /** Decimals of the smallest unit, 0 to 12. DEC-ORD-01. */
  readonly scale: number;
  /** The most that may exist on this exchange, in smallest units; below 2^62. */
  readonly cap: Balance;
  /** 32 lower-case hex characters that pushes carry as `coinId`. */
  readonly coinId: string;
}
/** What is asked for when an asset is listed or changed; the engine gives the id. */
export type AssetListing = Omit<AssetRules, 'id'>;
