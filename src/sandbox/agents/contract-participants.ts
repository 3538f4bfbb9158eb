import type { Prng } from '#base/prng.ts';
import type { Fact } from '#model/events.ts';
import type { AccountId } from '#model/units.ts';
import { marketOf } from '#model/contract-market.ts';
import type { Listing } from '#sequencer/queries/exchange-queries.ts';
import type { Agent } from '#sandbox/agents/agent.ts';
import { nothing } from '#sandbox/agents/agent.ts';
import { type ContractPair, createContractPair } from '#sandbox/agents/contract-pair.ts';
import { contractProfile } from '#sandbox/agents/contract-profile.ts';
import type { FairValues } from '#sandbox/agents/fair-values.ts';
import { createGambler } from '#sandbox/agents/gambler.ts';
import { createHedger } from '#sandbox/agents/hedger.ts';
import { createHistoryIndex, type HistoryIndex } from '#sandbox/agents/history-index.ts';
import { contractHoldings } from '#sandbox/agents/holdings.ts';
import type { LadderZone } from '#sandbox/agents/ladder.ts';
import { createLadderMaker, type MakerPlan } from '#sandbox/agents/ladder-maker.ts';
import type { MarketPair } from '#sandbox/agents/market-pair.ts';
import { isOpen } from '#sandbox/agents/market-pair.ts';
import { createNoiseTaker } from '#sandbox/agents/noise-taker.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';
import { calmLeverage, type Participant } from '#sandbox/agents/participants.ts';
import type { ParticipantName } from '#sandbox/demo-accounts.ts';

/** Who trades contracts in the simulated market. DEC-FUT-66. */
export interface ContractParticipants {
  readonly pairs: readonly ContractPair[];
  readonly makers: readonly Agent[];
  /** Acts in history before the makers. */
  readonly early: readonly Agent[];
  readonly index: HistoryIndex;
  readonly takers: readonly Agent[];
  onFact(fact: Fact, isLive: boolean): void;
}

/** What traders of contracts share with those of pairs. */
export interface ContractMarketParts {
  readonly listing: Listing;
  readonly spotPairs: readonly MarketPair[];
  readonly values: FairValues;
}

/** A full inventory shifts a maker's quotes by so much: what the crowd holds shows in the price, and in the funding. */
const fullSkewBps = 24;
/** What the crowd wants at all costs it gives up at several times this distance from the fair price. */
const fullMispricingBps = 10;
/** No contract is without a trade for longer. */
const silenceMsMost = 40_000;
/**
 * What the crowd wants follows an urge that wanders, with its third power: mostly it wants little, and now and then,
 * for a part of a day, much of one side. DEC-FUT-68.
 */
const crowd = { mean: 0.05, ofUrge: 0.12, power: 3, most: 0.55, halfLifeMs: 10 * 3_600_000 } as const;
/** Dense around the best quotes, then sparse; well within the bands around the index. */
const zones: readonly LadderZone[] = [
  { cells: 24, stride: 1 },
  { cells: 48, stride: 4 },
  { cells: 128, stride: 16 },
];
const reach = 0.08;

/** Listed contracts that have a profile, as agents trade them. */
export function contractPairsOf({ listing, spotPairs, values }: ContractMarketParts): readonly ContractPair[] {
  const assetOf = new Map(listing.assets.map((asset) => [asset.id, asset]));
  return (listing.contracts ?? []).flatMap((contract) => {
    const profile = contractProfile(contract.name);
    const base = assetOf.get(contract.base);
    const settle = assetOf.get(contract.settle);
    if (profile === undefined || base === undefined || settle === undefined) return [];
    const spot = spotPairs.find(({ rules }) => rules.base === contract.base && rules.quote === contract.settle) ?? null;
    return [createContractPair({ contract, base, settle, profile, values, spot })];
  });
}

function planOf({ profile, fairTicks, rules }: ContractPair): MakerPlan {
  const ticksPerBps = fairTicks() / 10_000;
  return {
    shape: {
      hasBest: true,
      spacingTicks: Math.max(1, Math.round(profile.spacingBps * ticksPerBps)),
      gapTicks: Math.ceil(profile.halfSpreadBps * 0.5 * ticksPerBps),
      zones,
      salt: (rules.id + 1) * 1_000_003,
      reach,
    },
    levelUsd: profile.levelUsd,
    growthPerCell: 0.04,
    intervalMs: profile.requoteMs,
    placeMax: 12,
    thinning: 0.7,
    tradesHistory: true,
    skewHalfSpreads: fullSkewBps / profile.halfSpreadBps,
  };
}

const whileOpen = (pair: ContractPair, agent: Agent): Agent => ({
  act: (moment) => (pair.open ? agent.act(moment) : nothing),
});

/** What a crowd with this urge wants, from -1 (sell) to 1 (buy). */
const wishIn = (urge: number): number => {
  const { mean, ofUrge, power, most } = crowd;
  return Math.max(-most, Math.min(most, mean + ofUrge * Math.sign(urge) * Math.abs(urge) ** power));
};

/** Lets the urges of the crowd wander; submits nothing. */
function crowdOf(pairs: readonly ContractPair[], prng: Prng): Agent {
  const urges = pairs.map(() => prng.gaussian());
  return {
    act: ({ elapsedMs }) => {
      const kept = 0.5 ** (elapsedMs / crowd.halfLifeMs);
      const spread = Math.sqrt(1 - kept * kept);
      for (const [at, pair] of pairs.entries()) {
        urges[at] = urges[at]! * kept + spread * prng.gaussian();
        pair.wish = wishIn(urges[at]);
      }
      return nothing;
    },
  };
}

/** Agents of the contracts; `plans` are laid out at the initial values, as those of pairs. */
export function createContractParticipants(
  pairs: readonly ContractPair[],
  plans: readonly MakerPlan[],
  {
    fold,
    accountOf,
    gamblers: gamblerAccounts,
    chance,
  }: {
    readonly fold: ParticipantFold;
    readonly accountOf: (name: ParticipantName) => AccountId;
    readonly gamblers: readonly Participant[];
    readonly chance: (role: string) => Prng;
  },
): ContractParticipants {
  const trader = (name: ParticipantName, pair: ContractPair) => {
    const account = accountOf(name);
    return { account, holdings: contractHoldings(pair, fold, { account, leverage: calmLeverage }) };
  };
  const makers = pairs.map((pair, at) => {
    const prng = chance(`contract-maker/${pair.rules.name}`);
    return whileOpen(pair, createLadderMaker(plans[at]!, { ...trader('contract-maker', pair), pair, fold, prng }));
  });
  const noise = pairs.map((pair) => {
    const prng = chance(`contract-taker/${pair.rules.name}`);
    const taker = createNoiseTaker({
      accounts: [trader('contract-taker', pair)],
      pair,
      fold,
      prng,
      flow: pair.profile,
      crowd: { wish: () => pair.wish, fullMispricingBps },
      silenceMsMost,
    });
    return { taker: whileOpen(pair, taker), early: whileOpen(pair, { act: (moment) => taker.actEarly(moment) }) };
  });
  const hedgers = pairs.flatMap((pair) => {
    const { spot } = pair;
    return spot === null ? [] : [whileOpen(pair, createHedger({ account: accountOf('hedger'), pair, spot, fold }))];
  });
  const [first] = pairs;
  const gamblers =
    first === undefined
      ? []
      : gamblerAccounts.map(({ name, account }) =>
          createGambler({
            account,
            pairs,
            fold,
            prng: chance(name),
            settle: { asset: first.rules.quote, quantaPerCoin: 10 ** first.quote.scale },
          }),
        );
  const pairOf = new Map(pairs.map((pair) => [pair.rules.id, pair]));
  return {
    pairs,
    makers,
    early: noise.map(({ early }) => early),
    index: createHistoryIndex(pairs),
    takers: [crowdOf(pairs, chance('crowd')), ...noise.map(({ taker }) => taker), ...hedgers, ...gamblers],
    onFact: (fact, isLive) => {
      if (fact.kind === 'markUpdated') pairOf.get(fact.mark.contract)?.heed(fact.mark, isLive);
      if (fact.kind !== 'contractConfigured') return;
      const pair = pairOf.get(fact.contract.id);
      if (pair === undefined) return;
      pair.contract = fact.contract;
      pair.open = isOpen(marketOf(fact.contract));
    },
  };
}

/** How the makers of contracts quote them. */
export const contractPlans = (pairs: readonly ContractPair[]): readonly MakerPlan[] => pairs.map(planOf);
