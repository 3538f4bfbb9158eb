import type { AssetId, Balance } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { EngineState } from '#engine/state.ts';

/** Greatest value that is told; what is worth more counts as this. */
const valueMost = (1n << 62n) - 1n;

/**
 * What an amount is worth at the last price of its pair with the asset that the wallet is valued in, in smallest units
 * of that one, rounded down; `null` without a price or before the wallet is configured.
 */
export function valueIn(state: EngineState, asset: AssetId, amount: bigint): Balance | null {
  if (state.walletRules === null) return null;
  const { valuedIn } = state.walletRules;
  if (asset === valuedIn) return as<Balance>(amount);
  const book = state.bookByAssets.get(`${asset}/${valuedIn}`);
  if (book === undefined || book.lastPrice === 0) return null;
  const value = (amount * BigInt(book.lastPrice) * BigInt(book.quotePerTickLot)) / BigInt(book.basePerLot);
  return as<Balance>(value < valueMost ? value : valueMost);
}
