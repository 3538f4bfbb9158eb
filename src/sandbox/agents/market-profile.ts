/*
 * How the simulated market behaves, as data. Values are in US dollars (USDT counts as one), spreads and spacings in
 * basis points, rates per second of exchange time. Prices are floats in the agents only, which convert them to ticks
 * and lots before they submit a command.
 */

/** How the value of an asset moves. */
export interface AssetProfile {
  readonly code: string;
  readonly initialUsd: number;
  /** Standard deviation of one day's logarithmic return, on average; see `volatility-regime.ts`. */
  readonly dailyVolatility: number;
  /** Correlation of its returns with the market's common factor, 0 to 1. */
  readonly marketCorrelation: number;
  /** Half-life, in days, of a deviation from the initial value. */
  readonly halfLifeDays: number;
}

/** Every listed asset; USDT is the measure of all values. */
export const assetProfiles: readonly AssetProfile[] = [
  { code: 'USDT', initialUsd: 1, dailyVolatility: 0, marketCorrelation: 0, halfLifeDays: 1 },
  { code: 'BTC', initialUsd: 96_400, dailyVolatility: 0.024, marketCorrelation: 0.88, halfLifeDays: 14 },
  { code: 'ETH', initialUsd: 3_420, dailyVolatility: 0.031, marketCorrelation: 0.87, halfLifeDays: 14 },
  { code: 'SOL', initialUsd: 188, dailyVolatility: 0.04, marketCorrelation: 0.82, halfLifeDays: 12 },
  { code: 'XRP', initialUsd: 2.31, dailyVolatility: 0.037, marketCorrelation: 0.78, halfLifeDays: 12 },
  { code: 'DOGE', initialUsd: 0.3215, dailyVolatility: 0.045, marketCorrelation: 0.8, halfLifeDays: 10 },
  { code: 'SVC', initialUsd: 2.48, dailyVolatility: 0.025, marketCorrelation: 0.7, halfLifeDays: 7 },
  { code: 'SHIB', initialUsd: 0.00002217, dailyVolatility: 0.046, marketCorrelation: 0.8, halfLifeDays: 10 },
  { code: 'LTC', initialUsd: 104, dailyVolatility: 0.034, marketCorrelation: 0.78, halfLifeDays: 12 },
  { code: 'BNB', initialUsd: 692, dailyVolatility: 0.025, marketCorrelation: 0.78, halfLifeDays: 12 },
  { code: 'TRX', initialUsd: 0.2432, dailyVolatility: 0.025, marketCorrelation: 0.72, halfLifeDays: 12 },
  { code: 'USDC', initialUsd: 1.0002, dailyVolatility: 0.0003, marketCorrelation: 0, halfLifeDays: 0.5 },
];

/** How a pair or a contract is quoted and traded. */
export interface MarketProfile {
  readonly name: string;
  /** From the fair price to the best quote at usual volatility. */
  readonly halfSpreadBps: number;
  /** Between the innermost levels. */
  readonly spacingBps: number;
  /** Value of one innermost level. */
  readonly levelUsd: number;
  /** Interval between updates of the innermost ladder. */
  readonly requoteMs: number;
  /** On average over days; see `market-activity.ts`. */
  readonly tradesPerSecond: number;
  /** Median value of a taker's order; see `order-size.ts`. */
  readonly tradeUsd: number;
  /** The trend follower trades it. */
  readonly trendFollowed: boolean;
  /**
   * Where a crowd wants one side of it, see `crowd.ts`: what it wants at all costs it gives up at several times this
   * distance from the fair price. `null`: there is none.
   */
  readonly crowdBps: number | null;
}

const large = { trendFollowed: true, crowdBps: null } as const;
const medium = { ...large, requoteMs: 500, tradesPerSecond: 0.12, tradeUsd: 340, levelUsd: 2_400 } as const;
const small = {
  requoteMs: 1_000,
  tradesPerSecond: 0.07,
  tradeUsd: 220,
  levelUsd: 1_700,
  trendFollowed: false,
  crowdBps: null,
} as const;
/**
 * Contracts have fewer trades than pairs: positions of the random traders stay within what the tiers of risk allow,
 * also in the wide steps of a history.
 */
const contract = { trendFollowed: false, crowdBps: 10 } as const;

const marketProfiles: readonly MarketProfile[] = [
  {
    ...large,
    name: 'BTCUSDT',
    halfSpreadBps: 0.25,
    spacingBps: 0.6,
    levelUsd: 6_500,
    requoteMs: 100,
    tradesPerSecond: 0.5,
    tradeUsd: 900,
  },
  {
    ...large,
    name: 'ETHUSDT',
    halfSpreadBps: 0.35,
    spacingBps: 0.8,
    levelUsd: 5_500,
    requoteMs: 100,
    tradesPerSecond: 0.42,
    tradeUsd: 750,
  },
  {
    ...large,
    name: 'SOLUSDT',
    halfSpreadBps: 0.6,
    spacingBps: 1.1,
    levelUsd: 3_500,
    requoteMs: 200,
    tradesPerSecond: 0.22,
    tradeUsd: 500,
  },
  { ...medium, name: 'XRPUSDT', halfSpreadBps: 0.8, spacingBps: 1.3 },
  { ...medium, name: 'DOGEUSDT', halfSpreadBps: 1, spacingBps: 1.6 },
  { ...small, name: 'SVCUSDT', halfSpreadBps: 2, spacingBps: 2.5 },
  { ...small, name: 'ETHBTC', halfSpreadBps: 2.2, spacingBps: 3 },
  { ...small, name: 'SHIBUSDT', halfSpreadBps: 2, spacingBps: 2.5 },
  { ...small, name: 'LTCUSDT', halfSpreadBps: 1.5, spacingBps: 2 },
  { ...medium, name: 'BNBUSDT', halfSpreadBps: 1, spacingBps: 1.6 },
  { ...small, name: 'TRXUSDT', halfSpreadBps: 1.5, spacingBps: 2 },
  { ...small, name: 'USDCUSDT', halfSpreadBps: 0.75, spacingBps: 1, levelUsd: 20_000 },
  { ...small, name: 'SOLETH', halfSpreadBps: 1.8, spacingBps: 3 },
  { ...small, name: 'XRPBTC', halfSpreadBps: 3.3, spacingBps: 4.5 },

  {
    ...contract,
    name: 'BTC_USDT',
    halfSpreadBps: 0.8,
    spacingBps: 2,
    levelUsd: 6_000,
    requoteMs: 300,
    tradesPerSecond: 0.1,
    tradeUsd: 700,
  },
  {
    ...contract,
    name: 'ETH_USDT',
    halfSpreadBps: 1,
    spacingBps: 2.2,
    levelUsd: 5_000,
    requoteMs: 400,
    tradesPerSecond: 0.08,
    tradeUsd: 600,
  },
  {
    ...contract,
    name: 'SOL_USDT',
    halfSpreadBps: 1.5,
    spacingBps: 3,
    levelUsd: 4_000,
    requoteMs: 600,
    tradesPerSecond: 0.06,
    tradeUsd: 600,
  },
  {
    ...contract,
    name: 'DOGE_USDT',
    halfSpreadBps: 2,
    spacingBps: 4,
    levelUsd: 4_000,
    requoteMs: 800,
    tradesPerSecond: 0.07,
    tradeUsd: 400,
  },
];

/** Names of all pairs and contracts that are simulated. */
export const marketNames: readonly string[] = marketProfiles.map(({ name }) => name);

/** `undefined` for a market that is not simulated. */
export const marketProfile = (name: string): MarketProfile | undefined =>
  marketProfiles.find((profile) => profile.name === name);
