import type { Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { SymbolListing } from '#model/symbol.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { listingOf } from '../permissive-listing.ts';
import { firstUser } from './opening.ts';

/** Assets of the poor exchange; each of them may be the platform token. */
export const scarceAsset = { quote: 0, token: 1, base: 2 } as const;
export const scarceUsers = 4;
/** Prices lie from 1 to here. */
export const scarcePriceMax = 6;
/** Rates from none to all of it, in parts per million. */
export const scarceRates = [0, 1, 1000, 2000, 100_000, 333_333, 500_000, 900_000, 1_000_000] as const;

const pick = <Value>(prng: Prng, values: readonly Value[]): Value => values[prng.below(values.length)] as Value;

/** A pair whose lots and ticks are a whole number of smallest units, one or a few hundred. */
function listed(prng: Prng, scales: readonly number[], name: string, base: number, quote: number): SymbolListing {
  const quantityDecimals = prng.below(Math.min(scales[base] as number, scales[quote] as number) + 1);
  return listingOf({
    name,
    base: as(base),
    quote: as(quote),
    quantityDecimals,
    priceDecimals: prng.below((scales[quote] as number) - quantityDecimals + 1),
    makerFeePpm: pick(prng, scarceRates),
    takerFeePpm: pick(prng, scarceRates),
    maxNotional: as(Number.MAX_SAFE_INTEGER),
    maxNotionalMarket: as(Number.MAX_SAFE_INTEGER),
    collarPpm: pick(prng, [0, 50_000, 200_000, 500_000, 1_000_000]),
  });
}

/** Which asset pays fees; mostly the one that is named for it. */
export function scarceFeeToken(prng: Prng): Command {
  const { token, base, quote } = scarceAsset;
  return {
    kind: 'configureFeeToken',
    token: as(pick(prng, [token, token, token, token, base, quote])),
    valuedIn: as(quote),
    discountPpm: pick(prng, [0, 1, 200_000, 200_000, 500_000, 999_999]),
  };
}

/** What rules take an asset to be worth: trades of a few milliseconds give no price. */
export function scarceReference(prng: Prng, asset: number): Command {
  return {
    kind: 'setReferencePrice',
    asset: as(asset),
    digits: as(BigInt(pick(prng, [1, 2, 3, 6, 2 ** 26]))),
    decimals: prng.below(3),
    validMs: 400 * 86_400_000,
    reason: 'stream',
  };
}

/** Pairs of a poor exchange: the token as base and as quote, and one pair without it. */
export function scarceSymbols(prng: Prng, scales: readonly number[]): SymbolListing[] {
  const { token, base, quote } = scarceAsset;
  return [
    listed(prng, scales, 'BASEUSDT', base, quote),
    listed(prng, scales, 'TKNUSDT', token, quote),
    listed(prng, scales, 'BASETKN', base, token),
  ];
}

/** A broker, its sub-account, one whom the broker invited, and one whom that one invited. */
const opened = (index: number): Command => {
  const common = { uid: as<never>((10_000_000 + index) as never), name: `user${index}`, kycLevel: 1, simulated: false };
  if (index < 2) {
    const master = index === 1 ? as<AccountId>(firstUser) : null;
    return { kind: 'openAccount', ...common, class: index === 0 ? 'broker' : 'user', master };
  }
  const inviteCode = referCodeOf(as(firstUser + (index === 2 ? 0 : 2)));
  return { kind: 'registerAccount', ...common, class: 'user', email: null, mobile: null, inviteCode };
};

/**
 * An exchange of four accounts, the second a sub-account of the first; a self-trade prevention group of these two and
 * one of the third alone. Nobody owns anything yet.
 */
export function scarceOpening(prng: Prng, scales: readonly number[], symbols: readonly SymbolListing[]): Command[] {
  const users = Array.from({ length: scarceUsers }, (_, index) => index);
  const master = as<Extract<Command, { kind: 'createStpGroup' }>['master']>(firstUser);
  return [
    ...scales.map((scale, index): Command => {
      const code = ['USDT', 'TKN', 'BASE'][index] as string;
      return {
        kind: 'configureAsset',
        asset: { code, fullName: code, scale, cap: as(2n ** 61n), coinId: String(index).repeat(32) },
      };
    }),
    ...symbols.map((symbol): Command => ({ kind: 'configureSymbol', symbol })),
    scarceFeeToken(prng),
    ...Object.values(scarceAsset).map((id) => scarceReference(prng, id)),
    ...users.map(opened),
    { kind: 'createStpGroup', master, name: 'family' },
    { kind: 'addToStpGroup', master, group: 1, members: [master, as(firstUser + 1)] },
    { kind: 'createStpGroup', master: as(firstUser + 2), name: 'alone' },
    ...users.map(
      (index): Command => ({
        kind: 'setFeeDeduction',
        account: as(firstUser + index),
        enabled: prng.next() < 0.7,
      }),
    ),
  ];
}
