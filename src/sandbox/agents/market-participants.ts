import type { Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { nothing } from '#sandbox/agents/agent.ts';
import { marketProfiles } from '#sandbox/agents/added-markets.ts';
import { createCrowd } from '#sandbox/agents/crowd.ts';
import { createFairValues, type FairValues } from '#sandbox/agents/fair-values.ts';
import { createGambler } from '#sandbox/agents/gambler.ts';
import { createHedger } from '#sandbox/agents/hedger.ts';
import { createHistoryIndex } from '#sandbox/agents/history-index.ts';
import { contractHoldings, pairHoldings } from '#sandbox/agents/holdings.ts';
import { createLadderMaker, type MakerPlan } from '#sandbox/agents/ladder-maker.ts';
import { makerPlansOf } from '#sandbox/agents/maker-styles.ts';
import { createMarketActivity } from '#sandbox/agents/market-activity.ts';
import { anchorToMarket, marketNews } from '#sandbox/agents/market-news.ts';
import { heedConditions } from '#sandbox/agents/heed-conditions.ts';
import type { MarketConditions } from '#sandbox/agents/market-conditions.ts';
import { createPathLeader } from '#sandbox/agents/path-leader.ts';
import { createReplayTraders } from '#sandbox/agents/replay-traders.ts';
import { mergePlacements } from '#sandbox/agents/merge-placements.ts';
import { createNoiseTaker, type NoiseTaker, type Trader } from '#sandbox/agents/noise-taker.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';
import { createParticipantFold } from '#sandbox/agents/participant-fold.ts';
import { addedCoinUsd, calmLeverage, type Participant } from '#sandbox/agents/participants.ts';
import { type TradedContract, type TradedMarket, tradedMarkets } from '#sandbox/agents/traded-market.ts';
import { createTrendFollower } from '#sandbox/agents/trend-follower.ts';
import { withdrawFirst } from '#sandbox/agents/withdraw-first.ts';
import type { MarketReplays } from '#sandbox/replays/market-replays.ts';
import { demoAccountNamed, type ParticipantName } from '#sandbox/demo-accounts.ts';
import { demoPrng } from '#sandbox/demo-identity.ts';

/**
 * All agents of the simulated market, with the fair values and folded state they share: makers and random traders of
 * every pair and contract, trend followers of pairs, hedgers between pair and contract, gamblers on contracts.
 * DEC-FUT-66.
 */
export interface MarketParticipants {
  readonly fold: ParticipantFold;
  readonly pairs: readonly TradedMarket[];
  /** Pairs and contracts. */
  readonly markets: readonly TradedMarket[];
  /** Moves the fair value of an asset to a multiple of it, evenly over a time. @throws RangeError without a profile. */
  move(code: string, factor: number, durationMs: number): void;
  /** What assets are worth, to be read and to be led. */
  readonly values: FairValues;
  /**
   * Moves what assets are worth on to this moment, before `act`; in history it gives commands of the way there, for the
   * moment before.
   */
  approach(moment: Moment): readonly Command[];
  /** Collects every agent's commands, makers before takers; in history some takers before both. */
  act(moment: Moment): readonly Command[];
  /** Commands of whomever acts in these markets, less what their conditions forbid. DEC-KIT-61. */
  allowed(commands: readonly Command[]): readonly Command[];
}

/** What participants are told to do. */
export interface MarketSchedule {
  readonly conditions: MarketConditions;
  readonly replays: MarketReplays;
}

/** Who trades at random in each kind of market, and the name of their chance. */
const noiseTakers = {
  pair: { names: ['taker-1', 'taker-2'], chance: 'taker' },
  contract: { names: ['contract-taker'], chance: 'contract-taker' },
} as const satisfies Record<
  TradedMarket['kind'],
  { readonly names: readonly ParticipantName[]; readonly chance: string }
>;

/** No market is without a trade for longer. */
const silenceMsMost = 40_000;
/** What agents are made from. */
interface AgentParts {
  readonly fold: ParticipantFold;
  readonly values: FairValues;
  readonly participants: readonly Participant[];
  /** Random numbers of its own for each name. */
  readonly chance: (name: string) => Prng;
}

/** Opening balance of a pair's base asset, in smallest units: inventory is measured against it. */
function fundedBaseOf(name: string, { base }: TradedMarket, values: FairValues): number {
  const funded = demoAccountNamed(name).funds.get(base.code);
  if (funded !== undefined) return Number(funded);
  return (addedCoinUsd(name) / values.of(base.code).profile.initialUsd) * 10 ** base.scale;
}

/** The account of a participant, and what it has in a market. */
function traderIn(market: TradedMarket, name: ParticipantName, { fold, participants, values }: AgentParts): Trader {
  const { account } = participants.find((each) => each.name === name)!;
  if (market.kind === 'contract')
    return { account, holdings: contractHoldings(market, fold, { account, leverage: calmLeverage }) };
  return { account, holdings: pairHoldings(market, fold, { account, fundedBase: fundedBaseOf(name, market, values) }) };
}

/** A maker of a market, with how it quotes it. */
interface Maker {
  readonly market: TradedMarket;
  readonly name: ParticipantName;
  readonly plan: MakerPlan;
}

function ladderMakerOf({ market, name, plan }: Maker, parts: AgentParts): Agent {
  const prng = parts.chance(`${name}/${market.rules.name}`);
  return createLadderMaker(plan, { ...traderIn(market, name, parts), market, fold: parts.fold, prng });
}

/** Those who trade at random in a market. */
const takersIn = (market: TradedMarket, parts: AgentParts): readonly Trader[] =>
  noiseTakers[market.kind].names.map((name) => traderIn(market, name, parts));

function noiseTakerOf(market: TradedMarket, parts: AgentParts): NoiseTaker {
  return createNoiseTaker({
    accounts: takersIn(market, parts),
    market,
    fold: parts.fold,
    prng: parts.chance(`${noiseTakers[market.kind].chance}/${market.rules.name}`),
    flow: market.profile,
    silenceMsMost,
  });
}

/** Those who follow trends of a pair. */
function trendFollowersOf(pair: TradedMarket, { fold, participants, values }: AgentParts): readonly Agent[] {
  if (!pair.profile.trendFollowed) return [];
  const { dailyVolatility } = values.of(pair.base.code).profile;
  return participants
    .filter(({ role }) => role === 'trendFollower')
    .map(({ name, account }) => {
      const fundedBase = fundedBaseOf(name, pair, values);
      return createTrendFollower({ account, pair, fold, fundedBase, dailyVolatility });
    });
}

/** Those who trade a contract against its pair. */
function hedgersOf(contract: TradedContract, { fold, participants }: AgentParts): readonly Agent[] {
  const { spot } = contract;
  if (spot === null) return [];
  return participants
    .filter(({ role }) => role === 'hedger')
    .map(({ account }) => createHedger({ account, contract, spot, fold }));
}

/** Those who bet on contracts; all of these have one settle asset. */
function gamblersOf(
  contracts: readonly TradedContract[],
  { fold, participants, chance }: AgentParts,
): readonly Agent[] {
  const [first] = contracts;
  if (first === undefined) return [];
  const settle = { asset: first.rules.quote, quantaPerCoin: 10 ** first.quote.scale };
  return participants
    .filter(({ role }) => role === 'gambler')
    .map(({ name, account }) => createGambler({ account, contracts, fold, prng: chance(name), settle }));
}

/** Commands that cancel all orders of participants in the markets that each is said to be in. */
function clearingOf(
  participants: readonly Participant[],
  marketsOf: (participant: Participant) => readonly TradedMarket[],
): readonly Command[] {
  const { symbolsPerCancelAll } = engineLimits;
  return participants.flatMap((participant) => {
    const symbols = marketsOf(participant).map(({ rules }) => rules.id);
    const commands: Command[] = [];
    for (let index = 0; index < symbols.length; index += symbolsPerCancelAll) {
      const some = symbols.slice(index, index + symbolsPerCancelAll);
      commands.push({ kind: 'cancelOrders', account: participant.account, symbols: some });
    }
    return commands;
  });
}

/** What is cancelled before the makers quote anew, while time passes in wide steps. */
interface Clearing {
  commands(): readonly Command[];
  /** Orders of the live market rest: nobody keeps them at the price in wide steps, so the next of these cancels all. */
  laidOut(): void;
}

/**
 * The makers that trade in wide steps quote anew in each of them, instead of waiting for the step before. Where agents
 * stand still, their orders stay.
 */
function createClearing(
  makers: readonly Maker[],
  participants: readonly Participant[],
  markets: readonly TradedMarket[],
): Clearing {
  const isCleared = ({ condition }: TradedMarket): boolean => condition.agents !== 'still';
  const quotedBy = ({ name }: Participant): readonly TradedMarket[] =>
    makers.filter((maker) => maker.name === name && maker.plan.shape.hasBest).map(({ market }) => market);
  const ofQuotes = clearingOf(participants, quotedBy);
  let areLaidOut = participants.some(({ live }) => live);
  return {
    commands: () => {
      if (!areLaidOut && markets.every(isCleared)) return ofQuotes;
      const marketsOf = areLaidOut ? (): readonly TradedMarket[] => markets : quotedBy;
      areLaidOut = false;
      return clearingOf(participants, (participant) => marketsOf(participant).filter(isCleared));
    },
    laidOut: () => {
      areLaidOut = true;
    },
  };
}

/**
 * Creates the agents from the engine's current state. `seed` with the current position gives every agent its
 * own random numbers: the same start gives the same trades, and a restart does not repeat earlier ones. `earlier`:
 * values that go on.
 */
export async function createMarketParticipants(
  queries: ExchangeQueries,
  participants: readonly Participant[],
  seed: string,
  { conditions, replays }: MarketSchedule,
  earlier: FairValues | null = null,
): Promise<MarketParticipants> {
  const listing = await queries.listing();
  const startSeed = `${seed}/${(await queries.position()).seq}`;
  const chance = (name: string): Prng => demoPrng(startSeed, name);
  const profiles = await marketProfiles(queries, listing, participants);
  const values = earlier ?? createFairValues(profiles.assets, chance('fair-values'));
  values.include(profiles.assets);
  const traded = tradedMarkets(listing, values, profiles);
  const markets = [...traded.pairs, ...traded.contracts];
  const makers = markets.flatMap((market) => makerPlansOf(market).map(([name, plan]) => ({ market, name, plan })));
  if (earlier === null) await anchorToMarket(traded.pairs, values, queries);
  let pace: Moment['pace'] = 'history';
  const fold = createParticipantFold(
    participants.map(({ account }) => account),
    listing.assets.length,
    marketNews(traded, values, () => pace === 'live'),
  );
  const parts = { fold, values, participants, chance };
  const noise = new Map(markets.map((market) => [market, noiseTakerOf(market, parts)]));
  const index = createHistoryIndex(traded.contracts);
  const tradersOf = new Map(markets.map((market) => [market, takersIn(market, parts)]));
  const tradersIn = (market: TradedMarket) => tradersOf.get(market)!;
  const replaying = createReplayTraders({ replays, markets, values, tradersIn });
  const agents = [
    ...makers.map((maker) => ladderMakerOf(maker, parts)),
    index,
    replaying,
    ...traded.pairs.map((pair) => createPathLeader({ trader: tradersIn(pair)[0]!, pair })),
    ...traded.pairs.map((pair) => noise.get(pair)!),
    ...traded.pairs.flatMap((pair) => trendFollowersOf(pair, parts)),
    createCrowd(traded.contracts, chance('crowd')),
    ...traded.contracts.map((contract) => noise.get(contract)!),
    ...traded.contracts.flatMap((contract) => hedgersOf(contract, parts)),
    ...gamblersOf(traded.contracts, parts),
  ];
  const clearing = createClearing(makers, participants, markets);
  const heeded = heedConditions(conditions, markets, fold);
  const activity = createMarketActivity(markets, values, (name) => chance(`activity/${name}`));
  const actedAt = (moment: Moment): readonly Command[] => {
    if (pace === 'live') {
      clearing.laidOut();
      const led = new Set(markets.filter(({ isLed }) => isLed).map(({ rules }) => rules.id));
      return withdrawFirst(
        agents.flatMap((agent) => agent.act(moment)),
        led,
      );
    }
    const early = [...noise.values()].flatMap((taker) => taker.actEarly(moment));
    const others = agents.flatMap((agent) => agent.act(moment));
    return [...mergePlacements(early), ...clearing.commands(), ...mergePlacements(others)];
  };
  return {
    fold,
    pairs: traded.pairs,
    markets,
    values,
    move: (code, factor, durationMs) => values.move(code, Math.log(factor), durationMs),
    approach: (moment) => {
      pace = moment.pace;
      heeded.takeUp(moment.now);
      replaying.approach(moment);
      for (const market of markets)
        market.isLed = [market.base, market.quote].some(({ code }) => values.followedBy(code) !== null);
      values.advance(moment.elapsedMs, moment.now);
      activity.advance(moment.elapsedMs, moment.now);
      return pace === 'live' ? nothing : index.onTheWay();
    },
    act: (moment) => {
      const withdrawn = heeded.withdrawn();
      const acted = actedAt(moment);
      heeded.laidOut();
      return [...withdrawn, ...acted];
    },
    allowed: heeded.allowed,
  };
}
