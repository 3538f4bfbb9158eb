import type { AssetId } from '#domain/units.ts';
import type { EngineState } from '#engine/state.ts';

/** How many units of the platform token one unit of another asset is worth, as an exact fraction. */
export interface TokenValue {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * What a unit of an asset is worth in the token at the last prices, by way of the asset that both are valued in; `null`
 * while a price is missing. There is a token.
 */
export function tokenValue(state: EngineState, asset: AssetId): TokenValue | null {
  const { token, valuedIn } = state.feeToken!;
  if (asset === token) return { numerator: 1n, denominator: 1n };
  let numerator = 1n;
  let denominator = 1n;
  if (asset !== valuedIn) {
    const priced = state.bookByAssets.get(`${asset}/${valuedIn}`);
    if (priced === undefined || priced.lastPrice === 0) return null;
    numerator *= BigInt(priced.lastPrice) * BigInt(priced.quotePerTickLot);
    denominator *= BigInt(priced.basePerLot);
  }
  if (token !== valuedIn) {
    const priced = state.bookByAssets.get(`${token}/${valuedIn}`);
    if (priced === undefined || priced.lastPrice === 0) return null;
    numerator *= BigInt(priced.basePerLot);
    denominator *= BigInt(priced.lastPrice) * BigInt(priced.quotePerTickLot);
  }
  return { numerator, denominator };
}
