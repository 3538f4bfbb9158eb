import type { Command } from '#model/command.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { SymbolListing } from '#model/symbol.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { WalletRules } from '#model/wallet.ts';
import { listingOf } from '../permissive-listing.ts';

/** Assets of the small exchange that the oracle tests run on. */
export const asset = { btc: 0, usdt: 1, token: 2, eth: 3 } as const;
/** First user account; the house has the ones before. */
export const firstUser = 4;
export const userCount = 10;
/** The master of the last two accounts, which was invited. */
export const master = as<AccountId>(firstUser + 1);
/** A code that `master` made. */
const campaignCode = 'spring-1';

const registered = (index: number, inviteCode: string | null): Command => ({
  kind: 'registerAccount',
  uid: as(10_000_000 + index),
  name: `user${index}`,
  class: 'user',
  kycLevel: 1,
  simulated: false,
  email: null,
  mobile: null,
  inviteCode,
});
const opened = (index: number, changes: { class?: 'broker'; master?: AccountId } = {}): Command => ({
  kind: 'openAccount',
  uid: as(10_000_000 + index),
  name: `user${index}`,
  class: changes.class ?? 'user',
  kycLevel: 1,
  simulated: false,
  master: changes.master ?? null,
});
const subAccount = (of: number, name: string): Command => ({
  kind: 'openSubAccount',
  master: as(of),
  name,
  note: '',
  passwordHash: null,
  atMost: 9,
});
const codeOf = (index: number): string => referCodeOf(as(firstUser + index));

/**
 * Who trades: somebody whom nobody invited; three that were invited one by the other; a broker, invited by the last of
 * these, with two sub-accounts; one more whom nobody invited; and two sub-accounts of the second, opened in either way.
 */
const people: readonly Command[] = [
  opened(0),
  registered(1, codeOf(0)),
  { kind: 'createInviteCode', owner: master, code: campaignCode, campaign: 'spring' },
  registered(2, campaignCode),
  registered(3, codeOf(2)),
  { ...registered(4, codeOf(3)), class: 'broker' } as Command,
  subAccount(firstUser + 4, 'customer1'),
  subAccount(firstUser + 4, 'customer2'),
  opened(7),
  opened(8, { master }),
  subAccount(master, 'ownchild1'),
];

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

/** Everything is valued in USDT. */
const walletRules: WalletRules = {
  valuedIn: as(asset.usdt),
  largeDeposit: as(2n ** 60n),
  dailyCaps: [1n, 2n, 3n, 4n].map((cap) => as(cap)),
  riskHoldAbove: null,
  fourEyesAbove: null,
  adjustFourEyesAbove: null,
  newAddressDelayMs: 0,
  waitMs: 0,
  transferable: [],
  dustBelow: as(1n),
  dustCallMax: as(1n),
  dustFeePpm: 0,
};

/** Commands that activate the newest rules, list the pairs, open the accounts and fund them. */
export function openingCommands(funds: { readonly base: bigint; readonly quote: bigint }): Command[] {
  const users = Array.from({ length: userCount }, (_, index) => index);
  return [
    ...assets,
    ...openingSymbols.map((symbol): Command => ({ kind: 'configureSymbol', symbol })),
    { kind: 'configureFeeToken', token: as(asset.token), valuedIn: as(asset.usdt), discountPpm: 200_000 },
    ...people,
    { kind: 'configureWallet', rules: walletRules },
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
