import type { AssetId } from '#model/units.ts';
import { dividedBy, itself, lastUnitValue, lowerOf, type UnitValue } from '#engine/state/prices/unit-value.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Value of a unit of an asset in the platform token, through the asset that both are valued in: the asset at its last
 * price, the token at the lower of its last and its guarded price. `null` if one of them is missing. The platform token
 * must be configured. DEC-ORD-16, DEC-WAL-146.
 */
export function tokenValue(state: EngineState, asset: AssetId): UnitValue | null {
  const { token, valuedIn } = state.feeToken.value!;
  if (asset === token) return itself;
  const value = lastValueIn(state, asset, valuedIn);
  const ofToken = lastValueIn(state, token, valuedIn);
  const guarded = state.priceTrail.token;
  return value === null || ofToken === null || guarded === null ? null : dividedBy(value, lowerOf(ofToken, guarded));
}

const lastValueIn = (state: EngineState, asset: AssetId, valuedIn: AssetId): UnitValue | null =>
  asset === valuedIn ? itself : lastUnitValue(state.symbols.ofAssets(asset, valuedIn));
