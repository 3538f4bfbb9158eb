import type { Command } from '#domain/command.ts';
import { newestRules } from '#domain/rules.ts';
import type { SymbolListing } from '#domain/symbol.ts';
import { as } from '#domain/units.ts';
import { listingOf } from '../permissive-listing.ts';

/** Assets of the small exchange that the oracle tests run on. */
export const asset = { btc: 0, usdt: 1, token: 2, eth: 3 } as const;
/** First user account; the house has the ones before. */
export const firstUser = 4;
export const userCount = 8;

/** Pairs in the order of their ids: two against USDT with the token among them, one cross pair. */
export const openingSymbols: readonly SymbolListing[] = [
  listingOf({ name: 'BTCUSDT', base: as(asset.btc), quote: as(asset.usdt) }),
  listingOf({
    name: 'TKNUSDT',
    base: as(asset.token),
    quote: as(asset.usdt),
    priceDecimals: 3,
    quantityDecimals: 2,
    makerFeePpm: 0,
    takerFeePpm: 500,
    minLots: as(3),
  }),
  listingOf({
    name: 'ETHBTC',
    base: as(asset.eth),
    quote: as(asset.btc),
    priceDecimals: 5,
    quantityDecimals: 3,
    makerFeePpm: 777,
    takerFeePpm: 1333,
  }),
  listingOf({ name: 'ETHUSDT', base: as(asset.eth), quote: as(asset.usdt), priceDecimals: 2, quantityDecimals: 3 }),
];

const assets: Command[] = [
  { code: 'BTC', scale: 8 },
  { code: 'USDT', scale: 6 },
  { code: 'TKN', scale: 4 },
  { code: 'ETH', scale: 9 },
].map(({ code, scale }, index) => ({
  kind: 'configureAsset',
  asset: { code, fullName: code, scale, cap: as(2n ** 61n), coinId: String(index).repeat(32) },
}));

/**
 * Commands that activate the newest rules, list the pairs, open the accounts (the last two are sub-accounts of the
 * first) and fund them.
 */
export function openingCommands(funds: { readonly base: bigint; readonly quote: bigint }): Command[] {
  const users = Array.from({ length: userCount }, (_, index) => index);
  return [
    { kind: 'activateRules', version: newestRules },
    ...assets,
    ...openingSymbols.map((symbol): Command => ({ kind: 'configureSymbol', symbol })),
    { kind: 'configureFeeToken', token: as(asset.token), valuedIn: as(asset.usdt), discountPpm: 200_000 },
    ...users.map(
      (index): Command => ({
        kind: 'openAccount',
        uid: as(10_000_000 + index),
        name: `user${index}`,
        class: 'user',
        kycLevel: 1,
        simulated: false,
        master: index >= userCount - 2 ? as(firstUser) : null,
      }),
    ),
    ...users.flatMap((index) =>
      Object.values(asset).map(
        (id): Command => ({
          kind: 'creditFunds',
          account: as(firstUser + index),
          asset: as(id),
          amount: as(id === asset.usdt ? funds.quote : funds.base),
        }),
      ),
    ),
  ];
}
