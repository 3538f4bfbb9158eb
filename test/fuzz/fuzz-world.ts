import { house } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import type { ContractListing } from '#model/contract.ts';
import { orderKinds } from '#model/order.ts';
import { referCodeOf } from '#model/refer-code.ts';
import { type SymbolListing, settableStatuses, tradeSideTypes } from '#model/symbol.ts';
import type { Uid } from '#model/units.ts';
import { as } from '#model/units.ts';
import { Chance, lotsOf, most, whole } from './chance.ts';
import { anyContract, contractHome } from './contract-world.ts';

/** Assets of every run. */
export const asset = { base: 0, quote: 1, token: 2, other: 3 } as const;
/**
 * Ids of the accounts that trade. The third and the fourth are sub-accounts of the first, which may be a broker; the
 * others were mostly invited: each by the one that was opened before, among those that are no sub-accounts.
 */
export const users = [4, 5, 6, 7, 8, 9] as const;
/** Who invited each of them, `null` where nobody could. */
const inviters = [null, 4, null, null, 5, 8] as const;

/** How much money there is. */
type Wealth = 'scarce' | 'plenty' | 'beyondDoubles' | 'upToTheCap';

/** What a run is played on: decided once by its seed, changed by its commands afterwards. */
export interface FuzzWorld {
  readonly chance: Chance;
  readonly wealth: Wealth;
  readonly scales: readonly number[];
  readonly caps: readonly bigint[];
  readonly listings: readonly SymbolListing[];
  /** They are listed after all pairs. */
  readonly contracts: readonly ContractListing[];
  /** Price around which each symbol is traded, in ticks, by id; those of contracts move with their index. */
  readonly homes: number[];
}

const wealths = lotsOf<Wealth>([
  [3, 'scarce'],
  [4, 'plenty'],
  [2, 'beyondDoubles'],
  [1, 'upToTheCap'],
]);
const capChoices = lotsOf([
  [12, 2n ** 62n - 1n],
  [1, 2n ** 53n],
  [1, 1000n],
]);
const scaleChoices = [0, 0, 1, 2, 4, 6, 8, 8, 11, 12, 12];
const feeChoices = [0, 0, 1, 500, 1000, 250_000, 500_000, 999_999, 1_000_000];
const collarChoices = [0, 1, 50_000, 50_000, 500_000, 999_999, 1_000_000];
const pairs = [
  ['AU', asset.base, asset.quote],
  ['TU', asset.token, asset.quote],
  ['CU', asset.other, asset.quote],
  ['CA', asset.other, asset.base],
] as const;

/** The world of a seed. */
export function createWorld(seed: number): FuzzWorld {
  const chance = new Chance(seed);
  const wealth = chance.draw(wealths);
  const scales = Object.values(asset).map(() => chance.pick(scaleChoices));
  const caps = scales.map(() => chance.draw(capChoices));
  const listed = chance.in(0.3) ? pairs.slice(0, 1) : pairs.slice(0, 2 + chance.below(3));
  const listings = listed.map(([name, base, quote]) => listPair(chance, scales, { name, base, quote }));
  const homes = listings.map((listing) => homeOf(chance, scales, listing));
  const bounded = listings.map((listing, at) => ({
    ...listing,
    ...anyBounds(chance, unitOf(scales, listing) * homes[at]!),
  }));
  const contracts = Array.from({ length: 1 + chance.below(3) }, (_, at) =>
    anyContract(chance, { name: `C${at}_UUU`, base: asset.base, settle: asset.quote, scale: scales[asset.quote]! }),
  );
  const piece = unitOf(scales, listings[0]!) * homes[0]!;
  for (const contract of contracts) homes.push(contractHome(chance, contract, { scale: scales[asset.quote]!, piece }));
  return { chance, wealth, scales, caps, listings: bounded, contracts, homes };
}

/** Units of the quote asset for one lot at one tick. */
export const unitOf = (scales: readonly number[], listing: SymbolListing): number =>
  10 ** (scales[listing.quote]! - listing.priceDecimals - listing.quantityDecimals);

/** Units of the base asset in one lot. */
export const lotOf = (scales: readonly number[], listing: SymbolListing): number =>
  10 ** (scales[listing.base]! - listing.quantityDecimals);

function listPair(
  chance: Chance,
  scales: readonly number[],
  pair: { readonly name: string; readonly base: number; readonly quote: number },
): SymbolListing {
  const quantityDecimals = chance.pick([0, Math.min(scales[pair.base]!, scales[pair.quote]!)]);
  const left = scales[pair.quote]! - quantityDecimals;
  const priceDecimals = chance.pick([0, left, left, Math.floor(left / 2)]);
  return {
    name: pair.name,
    base: as(pair.base),
    quote: as(pair.quote),
    priceDecimals,
    quantityDecimals,
    ...openRules,
    ...anyFees(chance),
    ...anyBounds(chance, 1),
    fullName: '',
    contractAddress: '',
    specialTreatment: false,
  };
}

/** Prices that leave room for some lots, small ones and large ones alike. */
function homeOf(chance: Chance, scales: readonly number[], listing: SymbolListing): number {
  const room = Math.max(1, most / unitOf(scales, listing));
  return Math.max(
    1,
    whole(Math.min(room, chance.pick([1, 3, 20, 5000, 5000, 1_000_003, 2 ** 31, room / 64, room / 3]))),
  );
}

const openRules = {
  status: 'online',
  openAt: null,
  tradeSideType: 'all',
  orderKinds,
  apiTradingAllowed: true,
} as const;

const anyFees = (chance: Chance) => ({
  makerFeePpm: chance.pick(feeChoices),
  takerFeePpm: chance.pick(feeChoices),
});

/** `piece`: what a lot costs about, in units of the quote asset. */
const anyBounds = (chance: Chance, piece: number) => ({
  minLots: as<SymbolListing['minLots']>(chance.pick([1, 1, 1, 2, 10])),
  minNotional: as<SymbolListing['minNotional']>(whole(chance.pick([1, 1, 1, 1, piece * 2]))),
  minNotionalMarket: as<SymbolListing['minNotionalMarket']>(whole(chance.pick([1, 1, 1, 1, piece * 2]))),
  maxNotional: as<SymbolListing['maxNotional']>(whole(chance.pick([most, most, most, 2 ** 52, piece * 30]))),
  maxNotionalMarket: as<SymbolListing['maxNotionalMarket']>(whole(chance.pick([most, most, most, piece * 30]))),
  bidMultiplierUpPpm: chance.pick([null, null, null, 1_200_000, 1_000_000, 1_000_000_000]),
  askMultiplierDownPpm: chance.pick([null, null, null, 800_000, 1_000_000, 0]),
  collarPpm: chance.pick(collarChoices),
});

/** The same pair under other rules; mostly open again, now and then under rules that are refused. */
export function relisted(world: FuzzWorld, at: number): SymbolListing {
  const { chance } = world;
  const listing = world.listings[at] as SymbolListing;
  const closed = chance.in(0.25) && {
    status: chance.pick(settableStatuses),
    // Never due: what opens by itself would make orders of the next entry be answered otherwise than foretold.
    openAt: chance.pick([null, null, as<NonNullable<SymbolListing['openAt']>>(2 ** 52)]),
    tradeSideType: chance.pick(tradeSideTypes),
    orderKinds: orderKinds.filter(() => chance.in(0.6)),
    apiTradingAllowed: chance.in(0.5),
  };
  const refused = chance.in(0.05) && {
    takerFeePpm: chance.pick([-1, 1_000_001, chance.corner()]),
    priceDecimals: chance.below(14),
  };
  const bounds = anyBounds(chance, unitOf(world.scales, listing) * (world.homes[at] ?? 1));
  return { ...listing, ...openRules, ...anyFees(chance), ...bounds, ...(closed || {}), ...(refused || {}) };
}

/** How much somebody gets who is given an asset. */
export function anyCredit(world: FuzzWorld, id: number): bigint {
  const { chance, wealth } = world;
  const listing = world.listings.find(({ base, quote }) => base === id || quote === id);
  const lot = listing === undefined ? 1 : lotOf(world.scales, listing);
  const unit = listing === undefined ? 1 : unitOf(world.scales, listing) * (world.homes[0] ?? 1);
  const piece = listing?.base === id ? lot : unit;
  switch (wealth) {
    case 'scarce':
      return BigInt(chance.pick([0, 1, 2, 3, 4, 5, chance.near(piece), chance.near(piece * 2)]));
    case 'plenty':
      return BigInt(whole(piece * (1 + chance.below(1000)) + chance.below(3)));
    case 'beyondDoubles':
      return BigInt(most) + BigInt(chance.below(5) - 2) + BigInt(chance.below(3)) * 2n ** 53n;
    case 'upToTheCap':
      return world.caps[id]! / BigInt(chance.pick([1, 2, 4, 5]));
  }
}

/** Commands that list what there is, open the accounts and give them money. */
export function openingOf(world: FuzzWorld): Command[] {
  const { chance } = world;
  const assets = world.scales.map(
    (scale, id): Command => ({
      kind: 'configureAsset',
      asset: {
        code: ['AAA', 'UUU', 'TTT', 'CCC'][id] as string,
        fullName: 'asset',
        scale,
        cap: as(world.caps[id] as bigint),
        coinId: String(id).repeat(32),
      },
    }),
  );
  return [
    ...assets,
    ...world.listings.map((symbol): Command => ({ kind: 'configureSymbol', symbol })),
    ...(chance.in(0.8) ? [anyFeeToken(chance)] : []),
    ...users.map((_, index) => openingOfUser(chance, index)),
    ...users.flatMap((id) =>
      world.scales.map(
        (_, coin): Command => ({
          kind: 'creditFunds',
          account: as(id),
          asset: as(coin),
          amount: as(anyCredit(world, coin)),
        }),
      ),
    ),
    ...users.map((id): Command => ({ kind: 'setFeeDeduction', account: as(id), enabled: chance.in(0.5) })),
    ...world.contracts.map((contract): Command => ({ kind: 'configureContract', contract })),
  ];
}

function openingOfUser(chance: Chance, index: number): Command {
  const common = { uid: as<Uid>(10_000_000 + index), name: `user${index}`, kycLevel: 1 };
  const inviter = inviters[index] ?? null;
  if (inviter !== null) {
    const inviteCode = chance.in(0.9) ? referCodeOf(as(inviter)) : null;
    const contact = { email: null, mobile: null };
    return { kind: 'registerAccount', ...common, class: 'user', simulated: false, ...contact, inviteCode };
  }
  return {
    kind: 'openAccount',
    ...common,
    class: index === 0 && chance.in(0.4) ? 'broker' : 'user',
    simulated: index === 3 && chance.in(0.3),
    master: index === 0 ? null : as(users[0]),
  };
}

/** Mostly the token that has a price; now and then one that is the quote asset, or is valued in what has no price. */
export function anyFeeToken(chance: Chance): Command {
  return {
    kind: 'configureFeeToken',
    token: as(chance.pick([asset.token, asset.token, asset.token, asset.quote, asset.base, 4])),
    valuedIn: as(chance.pick([asset.quote, asset.quote, asset.quote, asset.base])),
    discountPpm: chance.pick([200_000, 200_000, 0, 1, 999_999, 1_000_000, 1_000_001]),
  };
}

/** An account that trades; now and then one of the house, or none at all. */
export const anyAccount = (chance: Chance): number =>
  chance.in(0.004)
    ? chance.pick([house.outside, house.fees, 3, 99, 2 ** 31, 2 ** 32 + 4, most])
    : (users[chance.below(users.length)] as number);
