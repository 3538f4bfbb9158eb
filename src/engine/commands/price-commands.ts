import { engineLimits } from '#domain/limits.ts';
import { referencePriceDecimalsMost } from '#domain/reference-price.ts';
import { as } from '#domain/units.ts';
import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';
import { refreshTokenPrice } from '#engine/prices/sample-prices.ts';

const isWhole = (value: number, from: number, to: number): boolean =>
  Number.isSafeInteger(value) && value >= from && value <= to;
const isReason = (reason: string): boolean => reason.length > 0 && reason.length <= engineLimits.reasonLength;

/** Sets the price of an asset for the rules; that of the reference asset is always 1. DEC-OPR-130. */
const setReferencePrice: CommandFunction<'setReferencePrice'> = (state, command) => {
  const { asset, digits, decimals, validMs, reason } = command;
  const isValid =
    digits > 0n &&
    digits < 1n << 62n &&
    isWhole(decimals, 0, referencePriceDecimalsMost) &&
    isWhole(validMs, 1, engineLimits.referencePriceMs) &&
    isReason(reason) &&
    state.walletRules?.valuedIn !== asset;
  if (state.assets[asset] === undefined) refuse(state, 'unknownAsset');
  else if (!isValid) refuse(state, 'invalidConfiguration');
  else {
    const { at, actor } = state;
    const price = { asset, digits, decimals, validUntil: as<typeof at>(at + validMs), reason, actor, setAt: at };
    state.referencePrices.put(price);
    refreshTokenPrice(state);
    state.emit.fact({ kind: 'referencePriceSet', price });
  }
};

/** Takes a price away: from now on that of the market counts. DEC-OPR-130. */
const removeReferencePrice: CommandFunction<'removeReferencePrice'> = (state, { asset, reason }) => {
  if (state.referencePrices.find(asset) === null) refuse(state, 'unknownReferencePrice');
  else if (!isReason(reason)) refuse(state, 'invalidConfiguration');
  else {
    state.referencePrices.delete(asset);
    refreshTokenPrice(state);
    state.emit.fact({ kind: 'referencePriceRemoved', asset, reason });
  }
};

/** Commands about the prices that rules use. */
export const priceCommands = { setReferencePrice, removeReferencePrice };
