import type { AssetRules } from '#model/asset.ts';
import { marketOf } from '#model/contract-market.ts';
import type { ContractRules, MarkView } from '#model/contract.ts';
import type { FairValues } from '#sandbox/agents/fair-values.ts';
import type { PairProfile } from '#sandbox/agents/market-profile.ts';
import { createMarketPair, type MarketPair } from '#sandbox/agents/market-pair.ts';

/** A contract for agents: traded as a pair, at a price that follows the exchange's fair price of it. */
export interface ContractPair extends MarketPair {
  contract: ContractRules;
  /** The pair of its base and settle asset; `null`: there is none. */
  readonly spot: MarketPair | null;
  /** What the crowd wants of it, from -1 (sell) to 1 (buy). */
  wish: number;
  /** Takes up prices that the exchange computed. `isLive`: just now. */
  heed(mark: MarkView, isLive: boolean): void;
}

/** What agents take over of the difference between fair price and index: with all of it, it would feed on itself. */
const premiumKept = 0.5;
/** The greatest difference that they take over. */
const premiumMost = 0.02;
/** Digits of a price in steps of 10^-markDecimals. */
const markSteps = 1e8;

/** What a contract consists of for agents. */
export interface ContractPairParts {
  readonly contract: ContractRules;
  readonly base: AssetRules;
  readonly settle: AssetRules;
  readonly profile: PairProfile;
  readonly values: FairValues;
  readonly spot: MarketPair | null;
}

/**
 * A contract that is quoted around the index as the exchange last told it, moved on by what agents know since, and
 * half way from there to the fair price; around the fair value of its base while no index is known.
 */
export function createContractPair({ contract, base, settle, profile, values, spot }: ContractPairParts): ContractPair {
  const lotsPerCoin = 10 ** contract.sizeDecimals / contract.size;
  const pair = createMarketPair(marketOf(contract), base, settle, profile, values, lotsPerCoin);
  const baseValue = values.of(base.code);
  /** Logarithm of the last index over the fair value at that moment, and the part of the premium that is quoted. */
  let indexGap = 0;
  let premium = 0;
  const valueTicks = pair.fairTicks;
  return Object.assign(pair, {
    contract,
    spot,
    takesBudgets: false,
    wish: 0,
    fairTicks: () => valueTicks() * Math.exp(indexGap) * (1 + premium),
    heed: ({ index, fair }: MarkView, isLive: boolean) => {
      if (index === 0) return;
      // Late news of a history would put the price of then beside the value of now.
      indexGap = isLive ? Math.log(index / markSteps / baseValue.usd) : 0;
      premium = Math.max(-premiumMost, Math.min(premiumMost, premiumKept * (fair / index - 1)));
    },
  });
}
