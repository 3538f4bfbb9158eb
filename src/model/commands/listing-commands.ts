import { command } from '#model/commands/command-declaration.ts';
import { feeTierTable } from '#model/fee-tier.ts';
import { amount, integer, nullable, text, time } from '#model/codec/field-codec.ts';
import { assetListing } from '#model/asset.ts';
import { symbolListing } from '#model/symbol.ts';
import type { AssetId, SymbolId } from '#model/units.ts';

/** Commands that list assets and pairs, and set what rules take an asset to be worth. */
export const listingCommands = {
  configureAsset: command(6, {
    asset: assetListing,
  }),
  configureSymbol: command(7, {
    symbol: symbolListing,
  }),
  /** Cancels open orders of pairs that are offline, as many as one entry may. DEC-OPR-161. */
  cancelOfflineOrders: command(99, {}),
  /** Takes a pair off the list for good; what it traded can still be read. DEC-OPR-169. */
  delistSymbol: command(102, {
    symbol: integer<SymbolId>(),
  }),
  /** Takes an asset off the list that nobody has, with its networks. DEC-OPR-172. */
  delistAsset: command(103, {
    asset: integer<AssetId>(),
  }),
  /** Which asset pays discounted commission, and the discount in parts per million. */
  configureFeeToken: command(8, {
    token: integer<AssetId>(),
    valuedIn: integer<AssetId>(),
    discountPpm: integer(),
  }),
  /** Commissions by volume or balance, from the next midnight on; `null`: none any more. DEC-OPR-210. */
  setFeeTiers: command(120, {
    table: nullable(feeTierTable),
  }),
  /** Gives the next `count` accounts their tiers of a day that has begun. DEC-OPR-213. */
  assignFeeTiers: command(121, {
    day: time(),
    count: integer(),
  }),
  /**
   * An operator's price of an asset for the rules of the exchange: `digits` / 10^`decimals` whole coins of the
   * reference asset for a whole coin, for `validMs`. Replaces the one before. DEC-OPR-130.
   */
  setReferencePrice: command(85, {
    asset: integer<AssetId>(),
    digits: amount(),
    decimals: integer(),
    validMs: integer(),
    reason: text(),
  }),
  removeReferencePrice: command(86, {
    asset: integer<AssetId>(),
    reason: text(),
  }),
};
