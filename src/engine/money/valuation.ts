import { powersOfTen } from '#base/decimal.ts';
import { type FeeToken, tokenPriceDecimals } from '#model/fees.ts';
import { assetPriceDecimals, type AssetPrice } from '#model/reference-price.ts';
import type { AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import {
  higherOf,
  itself,
  lastUnitValue,
  lowerOf,
  type UnitValue,
  dividedBy,
} from '#engine/state/prices/unit-value.ts';
import { guardedPrice } from '#engine/money/guarded-price.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Greatest value that is told; what is worth more counts as this. */
const valueMost = (1n << 62n) - 1n;

/**
 * What an amount is worth to rules that protect the exchange from what is large: holds, caps, four eyes, large
 * deposits. By the higher of the guarded price and its value an hour ago; in smallest units of what the wallet is
 * valued in, rounded down. `null`: there is no price that counts. DEC-WAL-142.
 */
export function higherValue(state: EngineState, asset: AssetId, amount: bigint): Balance | null {
  const value = higherUnitValue(state, asset);
  return value === null ? null : worthOf(amount, value);
}

/** What it is worth where the exchange buys it: by the lower of the two. DEC-WAL-142. */
export function lowerValue(state: EngineState, asset: AssetId, amount: bigint): Balance | null {
  const value = lowerUnitValue(state, asset);
  return value === null ? null : worthOf(amount, value);
}

/**
 * What it is worth at the last price, for what is only shown and noted: reports of rebates and of invited people. One
 * trade can make it, so no rule may use it.
 */
export function lastValue(state: EngineState, asset: AssetId, amount: bigint): Balance | null {
  if (state.walletRules.value === null) return null;
  const { valuedIn } = state.walletRules.value;
  const value = lastValueIn(state, asset, valuedIn);
  return value === null ? null : worthOf(amount, value);
}

/**
 * Value of a unit of an asset in the platform token, through the asset that both are valued in: the asset at its last
 * price, the token at the lower of its last and its guarded price. `null` if one of them is missing. The platform token
 * must be configured. DEC-ORD-16, DEC-WAL-146.
 */
export function tokenValue(state: EngineState, asset: AssetId): UnitValue | null {
  const { token, valuedIn } = state.feeToken.value!;
  if (asset === token) return itself;
  const value = lastValueIn(state, asset, valuedIn);
  const ofToken = tokenUnitValue(state);
  return value === null || ofToken === null ? null : dividedBy(value, ofToken);
}

/**
 * Value of a unit of the platform token where it pays fees: the lower of its last and its guarded price; `null` if one
 * is missing. The platform token must be configured. DEC-WAL-146.
 */
function tokenUnitValue(state: EngineState): UnitValue | null {
  const { token, valuedIn } = state.feeToken.value!;
  const last = lastValueIn(state, token, valuedIn);
  const guarded = state.priceTrail.token;
  return last === null || guarded === null ? null : lowerOf(last, guarded);
}

/**
 * The platform token with what a whole coin of it is worth where it pays fees: in whole coins of what it is valued in,
 * with 18 decimals, cut; `null`: it has no price. `null` itself: there is no platform token. DEC-WAL-146.
 */
export function feeTokenOf(state: EngineState): (FeeToken & { readonly price: bigint | null }) | null {
  if (state.feeToken.value === null) return null;
  const { token, valuedIn } = state.feeToken.value;
  const value = tokenUnitValue(state);
  if (value === null) return { ...state.feeToken.value, price: null };
  const tokenUnits = 10n ** BigInt(state.assets.at(token).scale + tokenPriceDecimals);
  const valued = 10n ** BigInt(state.assets.at(valuedIn).scale);
  return { ...state.feeToken.value, price: (value.numerator * tokenUnits) / (value.denominator * valued) };
}

const lastValueIn = (state: EngineState, asset: AssetId, valuedIn: AssetId): UnitValue | null =>
  asset === valuedIn ? itself : lastUnitValue(state.symbols.ofAssets(asset, valuedIn));

/** Value of a unit by the higher of the guarded price and its value an hour ago. DEC-WAL-142. */
export function higherUnitValue(state: EngineState, asset: AssetId): UnitValue | null {
  const prices = pricesOf(state, asset);
  if (prices === null) return null;
  return prices.hourAgo === null ? prices.now.high : higherOf(prices.now.high, prices.hourAgo.high);
}

/** Value of a unit by the lower of them. DEC-WAL-142. */
export function lowerUnitValue(state: EngineState, asset: AssetId): UnitValue | null {
  const prices = pricesOf(state, asset);
  if (prices === null) return null;
  return prices.hourAgo === null ? prices.now.low : lowerOf(prices.now.low, prices.hourAgo.low);
}

/** The guarded price of an asset, and what it was an hour ago if that is known. */
function pricesOf(state: EngineState, asset: AssetId) {
  const rules = state.walletRules.value;
  if (rules === null) return null;
  const now = guardedPrice(state, asset, rules.valuedIn);
  return now === null ? null : { now, hourAgo: state.priceTrail.hourAgo(asset, state.at) };
}

/** Rounded down. */
function worthOf(amount: bigint, { numerator, denominator }: UnitValue): Balance {
  const value = (amount * numerator) / denominator;
  return as<Balance>(value < valueMost ? value : valueMost);
}

/** What the rules take every asset to be worth now, by asset. */
export function assetPrices(state: EngineState): readonly AssetPrice[] {
  return state.assets.all().map(({ id: asset }) => ({
    asset,
    higher: wholeCoinPrice(state, asset, higherUnitValue(state, asset)),
    lower: wholeCoinPrice(state, asset, lowerUnitValue(state, asset)),
    reference: state.referencePrices.find(asset),
  }));
}

function wholeCoinPrice({ assets, walletRules }: EngineState, asset: AssetId, value: UnitValue | null): bigint | null {
  const rules = walletRules.value;
  if (value === null || rules === null) return null;
  const coin = powersOfTen[assets.at(asset).scale] as bigint;
  const valued = powersOfTen[assets.at(rules.valuedIn).scale] as bigint;
  return (value.numerator * coin * (powersOfTen[assetPriceDecimals] as bigint)) / (value.denominator * valued);
}
