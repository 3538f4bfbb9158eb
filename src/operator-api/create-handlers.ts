import { webhookHandlers } from '#operator-api/operators/webhooks.ts';
import { noteHandlers } from '#operator-api/accounts/notes.ts';
import type { Catalogue } from '#operator-api/catalogue.ts';
import { accountHandlers } from '#operator-api/accounts/accounts.ts';
import { adjustmentHandlers } from '#operator-api/money/adjustments.ts';
import { actHandlers } from '#operator-api/operators/acts.ts';
import { apiKeyHandlers } from '#operator-api/accounts/api-keys.ts';
import { assetHandlers } from '#operator-api/wallet/assets.ts';
import { chainHandlers } from '#operator-api/wallet/chains.ts';
import { clockHandlers } from '#operator-api/sandbox/clock.ts';
import { contractHistoryHandlers } from '#operator-api/futures/contract-history.ts';
import { contractTradingHandlers } from '#operator-api/futures/contract-trading.ts';
import { contractHandlers } from '#operator-api/futures/contracts.ts';
import { depositHandlers } from '#operator-api/wallet/deposits.ts';
import { invitationHandlers } from '#operator-api/accounts/invitations.ts';
import { liabilityHandlers } from '#operator-api/money/liabilities.ts';
import { exportHandlers } from '#operator-api/money/exports.ts';
import { ledgerHandlers } from '#operator-api/money/ledger.ts';
import { marketHandlers } from '#operator-api/sandbox/market.ts';
import { replayHandlers } from '#operator-api/sandbox/replays.ts';
import { newMarketHandlers } from '#operator-api/sandbox/new-markets.ts';
import { haltHandlers } from '#operator-api/sandbox/halts.ts';
import { contractControlHandlers } from '#operator-api/sandbox/contract-controls.ts';
import { orderHandlers } from '#operator-api/accounts/orders.ts';
import { pairHandlers } from '#operator-api/spot/pairs.ts';
import { tradingRulesHandlers } from '#operator-api/accounts/trading-rules.ts';
import { tradingHandlers } from '#operator-api/spot/trading.ts';
import { platformTokenHandlers } from '#operator-api/spot/platform-token.ts';
import { priceHandlers } from '#operator-api/wallet/prices.ts';
import { proposalHandlers } from '#operator-api/operators/proposals.ts';
import { rebateHandlers } from '#operator-api/accounts/rebates.ts';
import { reconciliationHandlers } from '#operator-api/money/reconciliation.ts';
import { safetyHandlers } from '#operator-api/money/safety.ts';
import { stateHandlers } from '#operator-api/sandbox/states.ts';
import { tokenHandlers } from '#operator-api/operators/tokens.ts';
import { walletRulesHandlers } from '#operator-api/wallet/wallet-rules.ts';
import { withdrawalHandlers } from '#operator-api/wallet/withdrawals.ts';
import { backupHandlers } from '#operator-api/operators/backups.ts';
import { banHandlers } from '#operator-api/operators/bans.ts';
import { rateLimitHandlers } from '#operator-api/operators/rate-limits.ts';
import { faucetHandlers } from '#operator-api/sandbox/faucet.ts';
import { faultHandlers } from '#operator-api/sandbox/faults.ts';
import { requestHandlers } from '#operator-api/sandbox/requests.ts';
import { feeTierHandlers } from '#operator-api/spot/fee-tiers.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';

/** A handler for every endpoint of the catalogue. */
export const createHandlers = (context: OperatorContext): HandlersOf<Catalogue> => ({
  ...assetHandlers(context),
  ...backupHandlers(context),
  ...walletRulesHandlers(context),
  ...priceHandlers(context),
  ...pairHandlers(context),
  ...tradingHandlers(context),
  ...platformTokenHandlers(context),
  ...feeTierHandlers(context),
  ...proposalHandlers(context),
  ...depositHandlers(context),
  ...withdrawalHandlers(context),
  ...safetyHandlers(context),
  ...accountHandlers(context),
  ...noteHandlers(context),
  ...webhookHandlers(context),
  ...tradingRulesHandlers(context),
  ...apiKeyHandlers(context),
  ...orderHandlers(context),
  ...banHandlers(context),
  ...rateLimitHandlers(context),
  ...invitationHandlers(context),
  ...rebateHandlers(context),
  ...contractHandlers(context),
  ...contractTradingHandlers(context),
  ...contractHistoryHandlers(context),
  ...ledgerHandlers(context),
  ...exportHandlers(context),
  ...adjustmentHandlers(context),
  ...reconciliationHandlers(context),
  ...liabilityHandlers(context),
  ...actHandlers(context),
  ...tokenHandlers(context),
  ...chainHandlers(context),
  ...marketHandlers(context),
  ...replayHandlers(context),
  ...newMarketHandlers(context),
  ...haltHandlers(context),
  ...contractControlHandlers(context),
  ...stateHandlers(context),
  ...faucetHandlers(context),
  ...clockHandlers(context),
  ...faultHandlers(context),
  ...requestHandlers(context),
});
