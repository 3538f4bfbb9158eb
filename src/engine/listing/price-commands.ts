import { isWhole } from '#base/whole-numbers.ts';
import { engineLimits } from '#model/limits.ts';
import { referencePriceDecimalsMax } from '#model/reference-price.ts';
import { isReason } from '#model/text-length.ts';
import { as } from '#model/units.ts';
import { refreshTokenPrice } from '#engine/money/sample-prices.ts';
import type { ProtectedFunction } from '#engine/protections/protected-command.ts';

/** Sets the price of an asset for the rules; that of the reference asset is always 1. DEC-OPR-130. */
export const setReferencePrice: ProtectedFunction<'setReferencePrice'> = {
  refusal: (state, { asset, digits, decimals, validMs, reason }) => {
    const isValid =
      digits > 0n &&
      digits < 1n << 62n &&
      isWhole(decimals, 0, referencePriceDecimalsMax) &&
      isWhole(validMs, 1, engineLimits.referencePriceMs) &&
      isReason(reason) &&
      state.walletRules.value?.valuedIn !== asset;
    if (!state.assets.has(asset)) return 'unknownAsset';
    return isValid ? null : 'invalidConfiguration';
  },
  apply: (state, { asset, digits, decimals, validMs, reason }) => {
    const { at } = state;
    const { actor } = state.running;
    const price = { asset, digits, decimals, validUntil: as<typeof at>(at + validMs), reason, actor, setAt: at };
    state.referencePrices.put(price);
    refreshTokenPrice(state);
    state.emit.fact({ kind: 'referencePriceSet', price });
  },
};

/** Takes a price away: from now on that of the market counts. DEC-OPR-130. */
export const removeReferencePrice: ProtectedFunction<'removeReferencePrice'> = {
  refusal: (state, { asset, reason }) => {
    if (state.referencePrices.find(asset) === null) return 'unknownReferencePrice';
    return isReason(reason) ? null : 'invalidConfiguration';
  },
  apply: (state, { asset, reason }) => {
    state.referencePrices.delete(asset);
    refreshTokenPrice(state);
    state.emit.fact({ kind: 'referencePriceRemoved', asset, reason });
  },
};
