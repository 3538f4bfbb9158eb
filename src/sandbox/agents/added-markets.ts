import type { AssetRules } from '#model/asset.ts';
import type { AccountId, AssetId, SymbolId } from '#model/units.ts';
import type { ExchangeQueries, Listing } from '#sequencer/queries/exchange-queries.ts';
import { type AssetProfile, assetProfiles, type MarketProfile, marketProfile } from '#sandbox/agents/market-profile.ts';
import { calmLeverage, type Participant } from '#sandbox/agents/participants.ts';

/** How agents take assets and markets, the ones that were added to the sandbox included. */
export interface MarketProfiles {
  readonly assets: readonly AssetProfile[];
  /** `undefined` for a market that agents do not trade. */
  of(market: MarketToTrade): MarketProfile | undefined;
}

/** A pair or a contract that agents may trade. */
export interface MarketToTrade {
  readonly kind: 'pair' | 'contract';
  readonly id: SymbolId;
  readonly name: string;
  /** Tickers. */
  readonly base: string;
  readonly quote: string;
}

/** An asset that was added is as wild as a smaller coin. */
const added = { dailyVolatility: 0.04, marketCorrelation: 0.7, halfLifeDays: 10 } as const;
const addedPair = {
  halfSpreadBps: 2,
  spacingBps: 2.5,
  levelUsd: 2_400,
  requoteMs: 500,
  tradesPerSecond: 0.12,
  tradeUsd: 340,
  trendFollowed: false,
  crowdBps: null,
} as const satisfies Omit<MarketProfile, 'name'>;
const addedContract = {
  ...addedPair,
  spacingBps: 4,
  levelUsd: 4_000,
  requoteMs: 800,
  tradesPerSecond: 0.07,
  tradeUsd: 400,
  crowdBps: 10,
} as const satisfies Omit<MarketProfile, 'name'>;

/**
 * Profiles of all that agents trade. What was added is known by facts of the journal alone, so that a restart knows it
 * too: makers own coins that the sandbox did not begin with, and have a leverage in contracts that it did not begin
 * with. Such a coin is taken to be worth its reference price, in force or not, else the last price of a pair with an
 * asset that is known. DEC-KIT-54, DEC-KIT-55.
 */
export async function marketProfiles(
  queries: ExchangeQueries,
  listing: Listing,
  participants: readonly Participant[],
): Promise<MarketProfiles> {
  const makers = participants.filter(({ role }) => role === 'maker');
  const assets: AssetProfile[] = [...assetProfiles];
  for (const asset of await addedAssets(queries, listing, makers)) {
    const initialUsd = await worthOf(queries, listing, asset, assets);
    if (initialUsd !== null) assets.push({ ...added, code: asset.code, initialUsd });
  }
  const known = new Set(assets.map(({ code }) => code));
  const own = new Set(assetProfiles.map(({ code }) => code));
  const led = await leveragedContracts(queries, listing, makers);
  const isAdded = ({ kind, id, base, quote }: MarketToTrade): boolean =>
    known.has(base) && known.has(quote) && (kind === 'contract' ? led.has(id) : !own.has(base));
  return {
    assets,
    of: (market) => {
      const profile = marketProfile(market.name);
      if (profile !== undefined || !isAdded(market)) return profile;
      return { ...(market.kind === 'pair' ? addedPair : addedContract), name: market.name };
    },
  };
}

/** Assets that a maker owns, and that have no profile. */
async function addedAssets(
  queries: ExchangeQueries,
  { assets }: Listing,
  makers: readonly Pick<Participant, 'account'>[],
): Promise<readonly AssetRules[]> {
  const owned = new Set<AssetId>();
  for (const { account } of makers)
    for (const { asset, free, held } of await queries.balances(account)) if (free + held > 0n) owned.add(asset);
  const isOwn = (code: string): boolean => assetProfiles.some((profile) => profile.code === code);
  return assets.filter(({ id, code, isDelisted }) => owned.has(id) && !isDelisted && !isOwn(code));
}

/** In US dollars; `null`: nobody has an idea of it. */
async function worthOf(
  queries: ExchangeQueries,
  { symbols }: Listing,
  { id }: AssetRules,
  known: readonly AssetProfile[],
): Promise<number | null> {
  const reference = (await queries.wallet.prices())[id]?.reference ?? null;
  if (reference !== null) return Number(reference.digits) / 10 ** reference.decimals;
  const { assets } = await queries.listing();
  for (const pair of symbols.filter(({ base }) => base === id)) {
    const quote = known.find(({ code }) => code === assets[pair.quote]!.code);
    const last = await queries.lastPrice(pair.id);
    if (quote !== undefined && last !== null) return (last / 10 ** pair.priceDecimals) * quote.initialUsd;
  }
  return null;
}

/** Contracts in which a maker has the leverage of those who do not gamble. */
async function leveragedContracts(
  queries: ExchangeQueries,
  { contracts = [] }: Listing,
  makers: readonly { readonly account: AccountId }[],
): Promise<ReadonlySet<SymbolId>> {
  const found = new Set<SymbolId>();
  for (const { account } of makers)
    for (const { id } of contracts) if ((await queries.contracts.leverage(account, id)) === calmLeverage) found.add(id);
  return found;
}
