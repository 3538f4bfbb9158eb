import type { Command } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId } from '#model/units.ts';
import type { ExchangeQueries, Listing } from '#sequencer/queries/exchange-queries.ts';
import { demoPrng } from '#sandbox/demo-identity.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { nothing } from '#sandbox/agents/agent.ts';
import {
  contractPairsOf,
  contractPlans,
  type ContractParticipants,
  createContractParticipants,
} from '#sandbox/agents/contract-participants.ts';
import type { FairValues } from '#sandbox/agents/fair-values.ts';
import { createFairValues } from '#sandbox/agents/fair-values.ts';
import { pairHoldings } from '#sandbox/agents/holdings.ts';
import type { LadderZone } from '#sandbox/agents/ladder.ts';
import type { MakerPlan } from '#sandbox/agents/ladder-maker.ts';
import { createLadderMaker } from '#sandbox/agents/ladder-maker.ts';
import { assetProfiles, pairProfile } from '#sandbox/agents/market-profile.ts';
import { createMarketActivity } from '#sandbox/agents/market-activity.ts';
import type { MarketPair } from '#sandbox/agents/market-pair.ts';
import { mergePlacements } from '#sandbox/agents/merge-placements.ts';
import { createMarketPair, isOpen } from '#sandbox/agents/market-pair.ts';
import { createNoiseTaker } from '#sandbox/agents/noise-taker.ts';
import type { MarketNews, ParticipantFold } from '#sandbox/agents/participant-fold.ts';
import { createParticipantFold } from '#sandbox/agents/participant-fold.ts';
import type { Participant } from '#sandbox/agents/participants.ts';
import { demoAccountNamed, type ParticipantName } from '#sandbox/demo-accounts.ts';
import { createTrendFollower } from '#sandbox/agents/trend-follower.ts';

/** All agents of the simulated market, with the fair values and folded state they share. */
export interface MarketParticipants {
  readonly fold: ParticipantFold;
  readonly pairs: readonly MarketPair[];
  /** Moves the fair value of an asset to a multiple of it, evenly over a time. @throws RangeError without a profile. */
  move(code: string, factor: number, durationMs: number): void;
  /**
   * Moves what assets are worth on to this moment, before `act`; in history it gives commands of the way there, for the
   * moment before.
   */
  approach(moment: Moment): readonly Command[];
  /** Collects every agent's commands, makers before takers; in history some takers before both. */
  act(moment: Moment): readonly Command[];
}

type MakerName = Extract<ParticipantName, `maker-${string}`>;
interface MakerStyle {
  readonly name: MakerName;
  /** Cell width as a multiple of the pair's spacing, at least this many basis points. */
  readonly spacing: number;
  readonly spacingBpsMin: number;
  /** Distance from the best quote to the first level, in half spreads and basis points on top. */
  readonly gapHalfSpreads: number;
  readonly gapBps: number;
  readonly zones: readonly LadderZone[];
  readonly levels: number;
  readonly growthPerCell: number;
  /** Multiple of the pair's interval, at least this many milliseconds. */
  readonly interval: number;
  readonly intervalMsMin: number;
  readonly placeMax: number;
  /** Levels get smaller with this power of volatility. */
  readonly thinning: number;
  readonly tradesHistory: boolean;
}

/** Three makers quote each book, at increasing distance and interval, with more than 200 levels a side in total. */
const makerStyles: readonly MakerStyle[] = [
  {
    name: 'maker-inner',
    spacing: 1,
    spacingBpsMin: 0,
    gapHalfSpreads: 0.5,
    gapBps: 0,
    zones: [
      { cells: 16, stride: 1 },
      { cells: 48, stride: 4 },
      { cells: 192, stride: 16 },
    ],
    levels: 1,
    growthPerCell: 0.02,
    interval: 1,
    intervalMsMin: 100,
    placeMax: 8,
    thinning: 0.9,
    tradesHistory: true,
  },
  {
    name: 'maker-steady',
    spacing: 2,
    spacingBpsMin: 1.5,
    gapHalfSpreads: 3,
    gapBps: 2,
    zones: [
      { cells: 28, stride: 1 },
      { cells: 96, stride: 4 },
      { cells: 384, stride: 16 },
    ],
    levels: 1.5,
    growthPerCell: 0.03,
    interval: 4,
    intervalMsMin: 500,
    placeMax: 16,
    thinning: 0.6,
    tradesHistory: false,
  },
  {
    name: 'maker-deep',
    spacing: 4,
    spacingBpsMin: 5,
    gapHalfSpreads: 5,
    gapBps: 8,
    zones: [
      { cells: 32, stride: 1 },
      { cells: 128, stride: 4 },
      { cells: 512, stride: 16 },
    ],
    levels: 3,
    growthPerCell: 0.04,
    interval: 12,
    intervalMsMin: 1_200,
    placeMax: 24,
    thinning: 0.2,
    tradesHistory: false,
  },
];

/** A full inventory of a maker shifts its quotes by this many half spreads. */
const skewHalfSpreads = 2;
/** Makers quote at most this fraction away from the best quote. */
const reach = 0.45;
/** No pair is without a trade for longer. */
const silenceMsMost = 40_000;
/** How strongly a trade moves the fair value towards its price: with an outsider, and among participants. */
const pullByOutsider = 0.5;
const pullByParticipant = 0.04;
/** A trade worth this many innermost levels has half of the full pull. */
const pullHalfLevels = 10;

function planOf(style: MakerStyle, pair: MarketPair, salt: number): MakerPlan {
  const { profile } = pair;
  const ticksPerBps = pair.fairTicks() / 10_000;
  const spacingBps = Math.max(style.spacingBpsMin, profile.spacingBps * style.spacing);
  const gapBps = profile.halfSpreadBps * style.gapHalfSpreads + style.gapBps;
  return {
    shape: {
      hasBest: style.name === 'maker-inner',
      spacingTicks: Math.max(1, Math.round(spacingBps * ticksPerBps)),
      gapTicks: Math.ceil(gapBps * ticksPerBps),
      zones: style.zones,
      salt,
      reach,
    },
    levelUsd: profile.levelUsd * style.levels,
    growthPerCell: style.growthPerCell,
    intervalMs: Math.max(style.intervalMsMin, profile.requoteMs * style.interval),
    placeMax: style.placeMax,
    thinning: style.thinning,
    tradesHistory: style.tradesHistory,
    skewHalfSpreads,
  };
}

/** Pairs of the listing that have a profile, with the fair values of `values`. */
function pairsOf(listing: Listing, values: FairValues): readonly MarketPair[] {
  const assetOf = new Map(listing.assets.map((asset) => [asset.id, asset]));
  return listing.symbols.flatMap((rules) => {
    const profile = pairProfile(rules.name);
    const base = assetOf.get(rules.base);
    const quote = assetOf.get(rules.quote);
    if (profile === undefined || base === undefined || quote === undefined) return [];
    return [createMarketPair(rules, base, quote, profile, values)];
  });
}

/** Sets fair values to the last traded prices against USDT. */
async function anchorToMarket(
  pairs: readonly MarketPair[],
  values: FairValues,
  queries: ExchangeQueries,
): Promise<void> {
  for (const pair of pairs) {
    const last = await queries.lastPrice(pair.rules.id);
    if (pair.quote.code === 'USDT' && last !== null)
      values.anchor(pair.base.code, last / 10 ** pair.rules.priceDecimals);
  }
}

function agentsOf(
  pair: MarketPair,
  plans: readonly (readonly [MakerName, MakerPlan])[],
  fold: ParticipantFold,
  accountOf: (name: ParticipantName) => AccountId,
  seed: string,
): {
  readonly pair: MarketPair;
  readonly makers: readonly Agent[];
  readonly crowd: Agent;
  readonly followers: readonly Agent[];
  readonly early: Agent;
} {
  const fundedBase = (name: ParticipantName): number => Number(demoAccountNamed(name).funds.get(pair.base.code) ?? 0n);
  const chance = (role: string): ReturnType<typeof demoPrng> => demoPrng(seed, `${role}/${pair.rules.name}`);
  const trader = (name: ParticipantName) => {
    const account = accountOf(name);
    return { account, holdings: pairHoldings(pair, fold, { account, fundedBase: fundedBase(name) }) };
  };
  const makers = plans.map(([name, plan]) =>
    createLadderMaker(plan, { ...trader(name), pair, fold, prng: chance(name) }),
  );
  const crowd = createNoiseTaker({
    accounts: (['taker-1', 'taker-2'] as const).map(trader),
    pair,
    fold,
    prng: chance('taker'),
    flow: pair.profile,
    silenceMsMost,
  });
  const followers: Agent[] = [];
  const asset = assetProfiles.find((profile) => profile.code === pair.base.code);
  if (pair.profile.trendFollowed && asset !== undefined) {
    followers.push(
      createTrendFollower({
        account: accountOf('trend'),
        pair,
        fold,
        fundedBase: fundedBase('trend'),
        dailyVolatility: asset.dailyVolatility,
      }),
    );
  }
  return { pair, makers, crowd, followers, early: { act: (moment) => crowd.actEarly(moment) } };
}

/** Trades move fair values towards their price, larger trades more; agents of a paused pair stop trading. */
function newsFor(
  pairOf: ReadonlyMap<number, MarketPair>,
  contracts: () => ContractParticipants,
  values: FairValues,
  isLive: () => boolean,
): MarketNews {
  return {
    onTrade: (trade, withOutsider) => {
      const pair = pairOf.get(trade.symbol);
      if (pair === undefined) return;
      pair.lastTick = trade.price;
      // While history is made, events arrive late: their prices must not move current fair values.
      if (!isLive()) return;
      const weight = 1 / (1 + (pair.profile.levelUsd * pullHalfLevels) / pair.usdOfLots(trade.lots));
      const strength = withOutsider ? pullByOutsider : pullByParticipant;
      values.pull(pair.base.code, strength * weight * Math.log(trade.price / pair.fairTicks()));
    },
    onFact: (fact) => {
      contracts().onFact(fact, isLive());
      if (fact.kind !== 'symbolConfigured') return;
      const pair = pairOf.get(fact.symbol.id);
      if (pair !== undefined) pair.open = isOpen(fact.symbol);
    },
  };
}

/** Commands that cancel all orders of a maker: history quotes anew each step instead of waiting for the step before. */
function clearingOf(pairs: readonly MarketPair[], account: AccountId): readonly Command[] {
  const { symbolsPerCancelAll } = engineLimits;
  const symbols = pairs.map((pair) => pair.rules.id);
  const commands: Command[] = [];
  for (let index = 0; index < symbols.length; index += symbolsPerCancelAll) {
    commands.push({ kind: 'cancelOrders', account, symbols: symbols.slice(index, index + symbolsPerCancelAll) });
  }
  return commands;
}

/**
 * Creates the agents from the engine's current state. `seed` with the current position gives every agent its
 * own random numbers: the same start gives the same trades, and a restart does not repeat earlier ones.
 */
export async function createMarketParticipants(
  queries: ExchangeQueries,
  participants: readonly Participant[],
  seed: string,
): Promise<MarketParticipants> {
  const listing = await queries.listing();
  const startSeed = `${seed}/${(await queries.position()).seq}`;
  const values = createFairValues(assetProfiles, demoPrng(startSeed, 'fair-values'));
  const pairs = pairsOf(listing, values);
  // Grids are laid out at the initial values, not at today's, so that a restart finds them in place.
  const plans = new Map(
    pairs.map((pair) => [
      pair.rules.id,
      makerStyles.map(
        (style, index) => [style.name, planOf(style, pair, (pair.rules.id + 1) * 1_000_003 + index * 7_919)] as const,
      ),
    ]),
  );
  const contractPairs = contractPairsOf({ listing, spotPairs: pairs, values });
  const contractMakerPlans = contractPlans(contractPairs);
  await anchorToMarket(pairs, values, queries);
  const pairOf = new Map(pairs.map((pair) => [pair.rules.id, pair]));
  let pace: Moment['pace'] = 'history';
  const fold = createParticipantFold(
    participants.map(({ account }) => account),
    listing.assets.length,
    newsFor(
      pairOf,
      () => contracts,
      values,
      () => pace === 'live',
    ),
  );
  const accounts = new Map<string, AccountId>(participants.map(({ name, account }) => [name, account]));
  const accountOf = (name: ParticipantName): AccountId => accounts.get(name) as AccountId;
  const agentsByPair = pairs.map((pair) => agentsOf(pair, plans.get(pair.rules.id) ?? [], fold, accountOf, startSeed));
  const contracts = createContractParticipants(contractPairs, contractMakerPlans, {
    fold,
    accountOf,
    gamblers: participants.filter(({ role }) => role === 'gambler'),
    chance: (role) => demoPrng(startSeed, role),
  });
  const activity = createMarketActivity([...pairs, ...contractPairs], values, (name) =>
    demoPrng(startSeed, `activity/${name}`),
  );
  const ofOpenPair = (pair: MarketPair, agent: Agent): Agent => ({
    act: (moment) => (pair.open ? agent.act(moment) : nothing),
  });
  const agents = [
    ...agentsByPair.flatMap(({ pair, makers }) => makers.map((maker) => ofOpenPair(pair, maker))),
    ...contracts.makers,
    contracts.index,
    ...agentsByPair.map(({ pair, crowd }) => ofOpenPair(pair, crowd)),
    ...agentsByPair.flatMap(({ pair, followers }) => followers.map((follower) => ofOpenPair(pair, follower))),
    ...contracts.takers,
  ];
  const early = [...agentsByPair.map((each) => ofOpenPair(each.pair, each.early)), ...contracts.early];
  const clearing = [
    ...clearingOf(pairs, accountOf('maker-inner')),
    ...clearingOf(contractPairs, accountOf('contract-maker')),
  ];
  return {
    fold,
    pairs,
    move: (code, factor, durationMs) => values.move(code, Math.log(factor), durationMs),
    approach: (moment) => {
      pace = moment.pace;
      values.advance(moment.elapsedMs, moment.now);
      activity.advance(moment.elapsedMs, moment.now);
      return pace === 'live' ? nothing : contracts.index.onTheWay();
    },
    act: (moment) => {
      const commandsOf = (group: readonly Agent[]): readonly Command[] => group.flatMap((agent) => agent.act(moment));
      if (pace === 'live') return commandsOf(agents);
      return [...mergePlacements(commandsOf(early)), ...clearing, ...mergePlacements(commandsOf(agents))];
    },
  };
}
