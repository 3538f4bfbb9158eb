import type { PairProfile } from '#sandbox/agents/market-profile.ts';

/*
 * How contracts are quoted and traded, as data; see `market-profile.ts`. Trades are fewer than on spot: positions of
 * the random traders stay within what the tiers of risk allow, also in the wide steps of a history.
 */

const common = { trendFollowed: false } as const;

const contractProfiles: readonly PairProfile[] = [
  {
    ...common,
    name: 'BTC_USDT',
    halfSpreadBps: 0.8,
    spacingBps: 2,
    levelUsd: 6_000,
    requoteMs: 300,
    tradesPerSecond: 0.1,
    tradeUsd: 700,
  },
  {
    ...common,
    name: 'ETH_USDT',
    halfSpreadBps: 1,
    spacingBps: 2.2,
    levelUsd: 5_000,
    requoteMs: 400,
    tradesPerSecond: 0.08,
    tradeUsd: 600,
  },
  {
    ...common,
    name: 'SOL_USDT',
    halfSpreadBps: 1.5,
    spacingBps: 3,
    levelUsd: 4_000,
    requoteMs: 600,
    tradesPerSecond: 0.06,
    tradeUsd: 600,
  },
  {
    ...common,
    name: 'DOGE_USDT',
    halfSpreadBps: 2,
    spacingBps: 4,
    levelUsd: 4_000,
    requoteMs: 800,
    tradesPerSecond: 0.07,
    tradeUsd: 400,
  },
];

/** `undefined` for a contract that is not simulated. */
export const contractProfile = (name: string): PairProfile | undefined =>
  contractProfiles.find((profile) => profile.name === name);
