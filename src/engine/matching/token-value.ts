import type { AssetId } from '#domain/units.ts';
import type { EngineState } from '#engine/state.ts';

/** Value of one unit of an asset in units of the platform token, as an exact fraction. */
export interface TokenValue {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * Value of a unit of an asset in the platform token at the last prices, through the asset that both are valued in;
 * `null` if a price is missing. The platform token must be configured.
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
