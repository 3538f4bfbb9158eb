/** What operators list BTC_USDT with, but for its tiers. */
export const bitcoinBody = {
  base: 'BTC',
  settle: 'USDT',
  size: '0.0001',
  priceDecimals: 1,
  fundingHours: 8,
  minLots: 1,
  maxLots: 4_500_000,
  makerFeePpm: 100,
  takerFeePpm: 400,
  fairLimitPpm: 10_000,
  bidLimitPpm: 100_000,
  askLimitPpm: 100_000,
  collarPpm: 50_000,
  minFundingPpm: -1800,
  maxFundingPpm: 1800,
  liquidationFeePpm: 400,
};
