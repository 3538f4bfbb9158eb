import { accountEndpoints } from '#operator/endpoints/accounts.ts';
import { apiKeyEndpoints } from '#operator/endpoints/api-keys.ts';
import { assetEndpoints } from '#operator/endpoints/assets.ts';
import { chainEndpoints } from '#operator/endpoints/chains.ts';
import { clockEndpoints } from '#operator/endpoints/clock.ts';
import { contractHistoryEndpoints } from '#operator/endpoints/contract-history.ts';
import { contractTradingEndpoints } from '#operator/endpoints/contract-trading.ts';
import { contractEndpoints } from '#operator/endpoints/contracts.ts';
import { depositEndpoints } from '#operator/endpoints/deposits.ts';
import { invitationEndpoints } from '#operator/endpoints/invitations.ts';
import { ledgerEndpoints } from '#operator/endpoints/ledger.ts';
import { liabilityEndpoints } from '#operator/endpoints/liabilities.ts';
import { marketEndpoints } from '#operator/endpoints/market.ts';
import { priceEndpoints } from '#operator/endpoints/prices.ts';
import { proposalEndpoints } from '#operator/endpoints/proposals.ts';
import { rebateEndpoints } from '#operator/endpoints/rebates.ts';
import { reconciliationEndpoints } from '#operator/endpoints/reconciliation.ts';
import { safetyEndpoints } from '#operator/endpoints/safety.ts';
import { tokenEndpoints } from '#operator/endpoints/tokens.ts';
import { walletRulesEndpoints } from '#operator/endpoints/wallet-rules.ts';
import { withdrawalEndpoints } from '#operator/endpoints/withdrawals.ts';
import type { AnyOperatorEndpoint } from '#operator/endpoint.ts';

/** A group of endpoints as documents show it. */
export interface EndpointGroup {
  readonly name: string;
  readonly description: string;
  readonly endpoints: Readonly<Record<string, AnyOperatorEndpoint>>;
}

/** Groups of endpoints, in the order of the documents. */
export const groups: readonly EndpointGroup[] = [
  {
    name: 'Assets',
    description: 'Assets, their networks, the rules of the wallet, and the prices that they use.',
    endpoints: { ...assetEndpoints, ...walletRulesEndpoints, ...priceEndpoints },
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
    description: 'Look up accounts and change what they may do.',
    endpoints: { ...accountEndpoints, ...apiKeyEndpoints },
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
    description: 'Who owns what, that it adds up, and that custody has it.',
    endpoints: { ...ledgerEndpoints, ...reconciliationEndpoints, ...liabilityEndpoints },
  },
  { name: 'Tokens', description: 'Tokens of operators.', endpoints: tokenEndpoints },
  { name: 'Chains', description: 'Simulated chains: in the sandbox only.', endpoints: chainEndpoints },
  { name: 'Market', description: 'The simulated market: in the sandbox only.', endpoints: marketEndpoints },
  { name: 'Clock', description: 'A clock that stands: in the sandbox only.', endpoints: clockEndpoints },
];

/** All endpoints of the operator API by id. Routes, OpenAPI and reference loop over it. DEC-OPR-01. */
export const catalogue = {
  ...assetEndpoints,
  ...walletRulesEndpoints,
  ...priceEndpoints,
  ...proposalEndpoints,
  ...depositEndpoints,
  ...withdrawalEndpoints,
  ...safetyEndpoints,
  ...accountEndpoints,
  ...apiKeyEndpoints,
  ...invitationEndpoints,
  ...rebateEndpoints,
  ...contractEndpoints,
  ...contractTradingEndpoints,
  ...contractHistoryEndpoints,
  ...ledgerEndpoints,
  ...reconciliationEndpoints,
  ...liabilityEndpoints,
  ...tokenEndpoints,
  ...chainEndpoints,
  ...marketEndpoints,
  ...clockEndpoints,
} as const;
export type Catalogue = typeof catalogue;
