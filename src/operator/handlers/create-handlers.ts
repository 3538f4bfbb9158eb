import type { Catalogue } from '#operator/catalogue.ts';
import { accountHandlers } from '#operator/handlers/accounts.ts';
import { apiKeyHandlers } from '#operator/handlers/api-keys.ts';
import { assetHandlers } from '#operator/handlers/assets.ts';
import { chainHandlers } from '#operator/handlers/chains.ts';
import { clockHandlers } from '#operator/handlers/clock.ts';
import { contractHistoryHandlers } from '#operator/handlers/contract-history.ts';
import { contractTradingHandlers } from '#operator/handlers/contract-trading.ts';
import { contractHandlers } from '#operator/handlers/contracts.ts';
import { depositHandlers } from '#operator/handlers/deposits.ts';
import { invitationHandlers } from '#operator/handlers/invitations.ts';
import { liabilityHandlers } from '#operator/handlers/liabilities.ts';
import { ledgerHandlers } from '#operator/handlers/ledger.ts';
import { marketHandlers } from '#operator/handlers/market.ts';
import { priceHandlers } from '#operator/handlers/prices.ts';
import { proposalHandlers } from '#operator/handlers/proposals.ts';
import { rebateHandlers } from '#operator/handlers/rebates.ts';
import { reconciliationHandlers } from '#operator/handlers/reconciliation.ts';
import { safetyHandlers } from '#operator/handlers/safety.ts';
import { tokenHandlers } from '#operator/handlers/tokens.ts';
import { walletRulesHandlers } from '#operator/handlers/wallet-rules.ts';
import { withdrawalHandlers } from '#operator/handlers/withdrawals.ts';
import type { HandlersOf } from '#operator/handlers/handlers.ts';
import type { OperatorContext } from '#operator/operator-context.ts';

/** A handler for every endpoint of the catalogue. */
export const createHandlers = (context: OperatorContext): HandlersOf<Catalogue> => ({
  ...assetHandlers(context),
  ...walletRulesHandlers(context),
  ...priceHandlers(context),
  ...proposalHandlers(context),
  ...depositHandlers(context),
  ...withdrawalHandlers(context),
  ...safetyHandlers(context),
  ...accountHandlers(context),
  ...apiKeyHandlers(context),
  ...invitationHandlers(context),
  ...rebateHandlers(context),
  ...contractHandlers(context),
  ...contractTradingHandlers(context),
  ...contractHistoryHandlers(context),
  ...ledgerHandlers(context),
  ...reconciliationHandlers(context),
  ...liabilityHandlers(context),
  ...tokenHandlers(context),
  ...chainHandlers(context),
  ...marketHandlers(context),
  ...clockHandlers(context),
});
