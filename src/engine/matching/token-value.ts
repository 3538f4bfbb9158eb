import type { AssetId } from '#domain/units.ts';
import { itself, lastUnitValue, type UnitValue } from '#engine/matching/unit-value.ts';
import type { EngineState } from '#engine/state.ts';

/**
 * Value of a unit of an asset in the platform token at the last prices, through the asset that both are valued in;
 * `null` if a price is missing. The platform token must be configured.
 */
export function tokenValue(state: EngineState, asset: AssetId): UnitValue | null {
  const { token, valuedIn } = state.feeToken!;
  if (asset === token) return itself;
  const value = asset === valuedIn ? itself : lastUnitValue(state.bookByAssets.get(`${asset}/${valuedIn}`));
  const ofToken = token === valuedIn ? itself : lastUnitValue(state.bookByAssets.get(`${token}/${valuedIn}`));
  return value === null || ofToken === null ? null : dividedBy(value, ofToken);
}

/** What a unit of the first is worth in units of the second; both are values in the same asset. */
export const dividedBy = (value: UnitValue, by: UnitValue): UnitValue => ({
  numerator: value.numerator * by.denominator,
  denominator: value.denominator * by.numerator,
});
