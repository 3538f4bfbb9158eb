import type { SymbolId } from '#model/units.ts';
import type { MarketCondition } from '#sandbox/agents/market-conditions.ts';
import { type FairValues, greatestFactor } from '#sandbox/agents/fair-values.ts';
import type { MarketParticipants } from '#sandbox/agents/market-participants.ts';
import type { TradedMarket } from '#sandbox/agents/traded-market.ts';
import type { ValuePath } from '#sandbox/agents/value-path.ts';
import { pathLimits } from '#sandbox/path-shapes.ts';
import type { MarketReplays } from '#sandbox/replays/market-replays.ts';
import type { ReplayPlan, ReplayProgress } from '#sandbox/replays/replay.ts';

/** A change of what the simulated traders take assets to be worth. */
export interface MarketMove {
  /** Tickers. */
  readonly assets: readonly string[];
  /** What the values become multiples of, above 0: 0.7 is a fall of 30 %. */
  readonly factor: number;
  /** Exchange time over which they change evenly. */
  readonly durationMs: number;
}

/** Controls of the simulated market. */
export interface MarketControls {
  /** Of the sandbox: it says which accounts are those of the traders and of the demo. */
  readonly seed: string;
  /** Assets that move; all others keep their value in dollars. */
  readonly assets: readonly string[];
  /** Whether the traders act in this process; those of a cluster act at the leader. */
  readonly isActing: boolean;
  /**
   * Begins a move. The makers of every market of the assets quote around the new values, so that prices follow by
   * trades; the traders' own chance goes on. A move takes the place of one that is not over.
   */
  move(move: MarketMove): void;
  /** Lets assets follow a path from the values that they have now; takes the place of a move or another path. */
  follow(assets: readonly string[], path: ValuePath): void;
  /** Ends all paths where they are; answers how many assets followed one. */
  clearPaths(): number;
  /** Replays a recording from its moment on, once it is sound; `null`: too many are under way. DEC-KIT-64. */
  replay(plan: ReplayPlan): ReplayProgress | null;
  /** Why a recording cannot be replayed in its market, as a clause; `null`: it can. */
  replayFault(plan: Pick<ReplayPlan, 'market' | 'recording' | 'price'>): string | null;
  /** Every replay that is under way, and those that were over last. */
  replays(): readonly ReplayProgress[];
  /** Ends a replay where it is, and forgets it; `null`: there is none of this id. */
  endReplay(id: string): ReplayProgress | null;
  /** What the traders take the assets that move to be worth; none where they do not act. */
  values(): readonly SimulatedValue[];
  /** What the traders take an asset to be worth, in US dollars; `null`: they do not act, or do not know it. */
  worthOf(asset: string): number | null;
  /** Lets the traders take up what was listed for them since they began, once the step that is under way is over. */
  takeUpListing(): Promise<void>;
  /** Lets a contract be enabled again at a moment, unless it is not paused then. It is of this process. DEC-KIT-66. */
  enableAt(contract: SymbolId, at: number): void;
  /** Every market that agents may trade, with its condition now. */
  markets(): readonly SimulatedMarket[];
  /** What the traders do in markets from their next step on. @throws RangeError for one that they do not trade */
  setCondition(markets: readonly string[], condition: MarketCondition): void;
  /** Leaves every market to itself; answers how many were not. */
  clearConditions(): number;
}

/** What an asset is taken to be worth. */
export interface SimulatedValue {
  readonly asset: string;
  readonly usd: number;
  /** The path that it follows; `null`: none. */
  readonly path: { readonly kind: string; readonly leftMs: number } | null;
}

/** A market of the simulation. */
export interface SimulatedMarket {
  readonly name: string;
  readonly condition: MarketCondition;
}

/** Assets whose value moves by itself. */
export const movingIn = ({ profiles }: Pick<FairValues, 'profiles'>): readonly string[] =>
  profiles.filter(({ dailyVolatility }) => dailyVolatility > 0).map(({ code }) => code);

/** Controls of the values of assets; where nobody trades there are none. */
export function pathControls(
  traders: () => Pick<MarketParticipants, 'values'> | null,
): Pick<MarketControls, 'follow' | 'clearPaths' | 'values' | 'worthOf'> {
  return {
    follow: (assets, path) => {
      for (const asset of assets) traders()?.values.follow(asset, path);
    },
    clearPaths: () => {
      const values = traders()?.values;
      if (values === undefined) return 0;
      const followers = movingIn(values).filter((asset) => values.followedBy(asset) !== null);
      for (const asset of followers) values.follow(asset, null);
      return followers.length;
    },
    values: () => {
      const values = traders()?.values;
      if (values === undefined) return [];
      return movingIn(values).map((asset) => {
        const followed = values.followedBy(asset);
        const path = followed === null ? null : { kind: followed.path.kind, leftMs: followed.leftMs };
        return { asset, usd: values.of(asset).usd, path };
      });
    },
    worthOf: (asset) => {
      const values = traders()?.values;
      return values?.profiles.some(({ code }) => code === asset) === true ? values.of(asset).usd : null;
    },
  };
}

/** Controls of replays. A path that took the place of one ends it at the next step. */
export function replayControls(
  replays: MarketReplays,
  traders: () => Pick<MarketParticipants, 'values' | 'markets'> | null,
): Pick<MarketControls, 'replay' | 'replayFault' | 'replays' | 'endReplay'> {
  return {
    replay: (plan) => replays.add(plan),
    replayFault: (plan) => {
      const acting = traders();
      const market = acting?.markets.find(({ rules }) => rules.name === plan.market);
      return acting === null || market === undefined ? null : faultOfPrices(plan, market, acting.values);
    },
    replays: () => replays.all(),
    endReplay: (id) => {
      const ended = replays.remove(id);
      const values = traders()?.values;
      if (ended === null || values === undefined) return ended;
      for (const asset of movingIn(values)) if (values.followedBy(asset) === ended.path) values.follow(asset, null);
      return ended;
    },
  };
}

/** Prices lead no value beyond where values may go at all, and changes not beyond those of a path. */
function faultOfPrices(
  { recording, price }: Pick<ReplayPlan, 'recording' | 'price'>,
  { base, quote }: TradedMarket,
  values: MarketParticipants['values'],
): string | null {
  const { first, least, most } = recording.prices;
  const { profile } = values.of(base.code);
  const unit = price === 'present' ? first : profile.initialUsd / values.of(quote.code).usd;
  const bound = price === 'present' ? pathLimits.factor : greatestFactor;
  if (most / unit <= bound && unit / least <= bound) return null;
  return price === 'present'
    ? `must not lead to more than ${bound} times its first price, or less than its ${bound}th`
    : `must not lead to more than ${bound} times ${unit}, or less than its ${bound}th: price may be "present"`;
}
