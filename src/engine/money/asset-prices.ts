import { powersOfTen } from '#base/decimal.ts';
import { assetPriceDecimals, type AssetPrice } from '#model/reference-price.ts';
import type { AssetId } from '#model/units.ts';
import type { UnitValue } from '#engine/state/prices/unit-value.ts';
import type { EngineState } from '#engine/state/state.ts';
import { higherUnitValue, lowerUnitValue } from '#engine/money/valuation.ts';

/** What the rules take every asset to be worth now, by asset. */
export function assetPrices(state: EngineState): readonly AssetPrice[] {
  return state.assets.map(({ id: asset }) => ({
    asset,
    higher: wholeCoinPrice(state, asset, higherUnitValue(state, asset)),
    lower: wholeCoinPrice(state, asset, lowerUnitValue(state, asset)),
    reference: state.referencePrices.find(asset),
  }));
}

function wholeCoinPrice({ assets, walletRules }: EngineState, asset: AssetId, value: UnitValue | null): bigint | null {
  if (value === null || walletRules === null) return null;
  const coin = powersOfTen[assets[asset]!.scale] as bigint;
  const valued = powersOfTen[assets[walletRules.valuedIn]!.scale] as bigint;
  return (value.numerator * coin * (powersOfTen[assetPriceDecimals] as bigint)) / (value.denominator * valued);
}
