import type { AssetId, Balance } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { EngineState } from '#engine/state.ts';

/** The greatest amount that a record may carry. */
const valueMost = (1n << 62n) - 1n;

/**
 * Worth of an amount in what the wallet is valued in, at the last price of the direct symbol, rounded down; at most
 * 2^62 - 1. `null`: the asset has no price there. The wallet must be configured. DEC-WAL-27.
 */
export function valueOf(state: EngineState, asset: AssetId, amount: bigint): Balance | null {
  const { valuedIn } = state.walletRules!;
  if (asset === valuedIn) return as<Balance>(amount);
  const book = state.bookByAssets.get(`${asset}/${valuedIn}`);
  if (book === undefined || book.lastPrice === 0) return null;
  const value = (amount * BigInt(book.lastPrice) * BigInt(book.quotePerTickLot)) / BigInt(book.basePerLot);
  return as<Balance>(value < valueMost ? value : valueMost);
}
