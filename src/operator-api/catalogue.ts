import { webhookEndpoints } from '#operator-api/operators/webhook-endpoints.ts';
import { noteEndpoints } from '#operator-api/accounts/notes.ts';
import { accountEndpoints } from '#operator-api/accounts/account-endpoints.ts';
import { adjustmentEndpoints } from '#operator-api/money/adjustment-endpoints.ts';
import { actEndpoints } from '#operator-api/operators/act-endpoints.ts';
import { apiKeyEndpoints } from '#operator-api/accounts/api-keys.ts';
import { assetEndpoints } from '#operator-api/wallet/asset-endpoints.ts';
import { chainEndpoints } from '#operator-api/wallet/chain-endpoints.ts';
import { clockEndpoints } from '#operator-api/sandbox/clock-endpoints.ts';
import { contractHistoryEndpoints } from '#operator-api/futures/contract-history-endpoints.ts';
import { contractTradingEndpoints } from '#operator-api/futures/contract-trading-endpoints.ts';
import { contractEndpoints } from '#operator-api/futures/contract-endpoints.ts';
import { depositEndpoints } from '#operator-api/wallet/deposit-endpoints.ts';
import { invitationEndpoints } from '#operator-api/accounts/invitation-endpoints.ts';
import { exportEndpoints } from '#operator-api/money/export-endpoints.ts';
import { ledgerEndpoints } from '#operator-api/money/ledger-endpoints.ts';
import { liabilityEndpoints } from '#operator-api/money/liabilities.ts';
import { marketEndpoints } from '#operator-api/sandbox/market-endpoints.ts';
import { replayEndpoints } from '#operator-api/sandbox/replay-endpoints.ts';
import { newMarketEndpoints } from '#operator-api/sandbox/new-market-endpoints.ts';
import { haltEndpoints } from '#operator-api/sandbox/halt-endpoints.ts';
import { contractControlEndpoints } from '#operator-api/sandbox/contract-control-endpoints.ts';
import { orderEndpoints } from '#operator-api/accounts/order-endpoints.ts';
import { pairEndpoints } from '#operator-api/spot/pair-endpoints.ts';
import { tradingRulesEndpoints } from '#operator-api/accounts/trading-rules.ts';
import { tradingEndpoints } from '#operator-api/spot/trading.ts';
import { platformTokenEndpoints } from '#operator-api/spot/platform-token.ts';
import { priceEndpoints } from '#operator-api/wallet/price-endpoints.ts';
import { proposalEndpoints } from '#operator-api/operators/proposal-endpoints.ts';
import { rebateEndpoints } from '#operator-api/accounts/rebate-endpoints.ts';
import { reconciliationEndpoints } from '#operator-api/money/reconciliation.ts';
import { safetyEndpoints } from '#operator-api/money/safety-endpoints.ts';
import { stateEndpoints } from '#operator-api/sandbox/states.ts';
import { tokenEndpoints } from '#operator-api/operators/tokens.ts';
import { walletRulesEndpoints } from '#operator-api/wallet/wallet-rule-endpoints.ts';
import { withdrawalEndpoints } from '#operator-api/wallet/withdrawal-endpoints.ts';
import { backupEndpoints } from '#operator-api/operators/backups.ts';
import { banEndpoints } from '#operator-api/operators/bans.ts';
import { rateLimitEndpoints } from '#operator-api/operators/rate-limits.ts';
import { faucetEndpoints } from '#operator-api/sandbox/faucet-endpoints.ts';
import { faultEndpoints } from '#operator-api/sandbox/fault-endpoints.ts';
import { requestEndpoints } from '#operator-api/sandbox/request-endpoints.ts';
import { feeTierEndpoints } from '#operator-api/spot/fee-tier-endpoints.ts';
import { catalogueOf } from '#http/declared-endpoint.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';

/** Groups of endpoints, in the order of the documents. */
export const groups = [
  {
    name: 'Assets',
    description: 'Assets, their networks, the rules of the wallet, and the prices that they use.',
    endpoints: { ...assetEndpoints, ...walletRulesEndpoints, ...priceEndpoints },
  },
  {
    name: 'Pairs',
    description: 'What is traded, by which rules, and whether it is open; the platform token and fee tiers.',
    endpoints: { ...pairEndpoints, ...tradingEndpoints, ...platformTokenEndpoints, ...feeTierEndpoints },
  },
  {
    name: 'Proposals',
    description: 'What lowers a protection and waits for a second operator.',
    endpoints: proposalEndpoints,
  },
  { name: 'Deposits', description: 'Money on its way in, and what waits for a decision.', endpoints: depositEndpoints },
  { name: 'Withdrawals', description: 'Money on its way out, and who approves it.', endpoints: withdrawalEndpoints },
  {
    name: 'Safety',
    description: 'Payments that the journal does not know, and what is held until they are booked.',
    endpoints: safetyEndpoints,
  },
  {
    name: 'Accounts',
    description: 'Look up accounts and their orders, and change what they may do.',
    endpoints: {
      ...accountEndpoints,
      ...tradingRulesEndpoints,
      ...apiKeyEndpoints,
      ...orderEndpoints,
      ...noteEndpoints,
    },
  },
  {
    name: 'Bans',
    description: 'Who may not call: addresses, accounts and API keys.',
    endpoints: banEndpoints,
  },
  {
    name: 'Rate limits',
    description: 'Who may call more, or less, than everybody: addresses, accounts and API keys.',
    endpoints: rateLimitEndpoints,
  },
  {
    name: 'Rebates',
    description: 'Who invited whom, and what inviters earn of commissions.',
    endpoints: { ...invitationEndpoints, ...rebateEndpoints },
  },
  {
    name: 'Contracts',
    description: 'Contracts, their index prices and insurance funds; positions, and orders for accounts.',
    endpoints: { ...contractEndpoints, ...contractTradingEndpoints, ...contractHistoryEndpoints },
  },
  {
    name: 'Ledger',
    description: 'Who owns what, what operators adjust, that it adds up, and that custody has it.',
    endpoints: {
      ...ledgerEndpoints,
      ...exportEndpoints,
      ...adjustmentEndpoints,
      ...reconciliationEndpoints,
      ...liabilityEndpoints,
    },
  },
  { name: 'Backups', description: 'Backups of the running exchange.', endpoints: backupEndpoints },
  { name: 'Acts', description: 'What operators did: the audit.', endpoints: actEndpoints },
  {
    name: 'Webhooks',
    description: 'Where the exchange tells of events, signed.',
    endpoints: webhookEndpoints,
  },
  { name: 'Tokens', description: 'Tokens of operators.', endpoints: tokenEndpoints },
  { name: 'Chains', description: 'Simulated chains: in the sandbox only.', endpoints: chainEndpoints },
  {
    name: 'Market',
    description: 'The simulated market: in the sandbox only.',
    endpoints: {
      ...marketEndpoints,
      ...replayEndpoints,
      ...newMarketEndpoints,
      ...haltEndpoints,
      ...contractControlEndpoints,
    },
  },
  {
    name: 'States',
    description: 'States of the whole sandbox, and forks: in the sandbox only.',
    endpoints: stateEndpoints,
  },
  { name: 'Faucet', description: 'Play money on demand: in the sandbox only.', endpoints: faucetEndpoints },
  { name: 'Clock', description: 'The clock of a sandbox, under the control of a program.', endpoints: clockEndpoints },
  { name: 'Faults', description: 'What goes wrong on demand: in the sandbox only.', endpoints: faultEndpoints },
  { name: 'Requests', description: 'The log of requests: in the sandbox only.', endpoints: requestEndpoints },
] as const;

/** All endpoints of the operator API by id. Routes, OpenAPI and reference loop over it. DEC-OPR-01. */
export const catalogue = catalogueOf(groups);
export type Catalogue = typeof catalogue;

const edited = new Set(Object.values<AnyOperatorEndpoint>(catalogue).map(({ edits }) => edits));
/** Whether the endpoint with this id shows a thing that others edit: then it answers an `ETag`. DEC-OPR-165. */
export const isTagged = (id: string): boolean => edited.has(id);
