import type { EndpointId } from '#public-api/catalogue.ts';

/**
 * Endpoints that answer lists or sums from history: they wait for their turn as a whole. Not here: candles and merged
 * trades, which are often in memory and wait only where they are not, and lookups of one row. DEC-LIM-120.
 */
export const historyEndpoints: ReadonlySet<string> = new Set<EndpointId>([
  'allOrders',
  'myTrades',
  'deposits',
  'withdrawals',
  'transfers',
  'universalTransfers',
  'brokerTransfers',
  'conversions',
  'sends',
  'brokerDeposits',
  'allBrokerDeposits',
  'brokerRebates',
  'rebateSummary',
  'rebateDetail',
  'kickbackDetail',
  'affiliateCommission',
  'affiliatePayouts',
  'affiliateCommissionDetail',
  'affiliateCampaigns',
  'affiliateReferrals',
  'subAffiliates',
  'futuresFundingHistory',
  'futuresFundHistory',
]);
