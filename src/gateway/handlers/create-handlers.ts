import type { GatewayContext } from '#gateway/gateway-context.ts';
import type { Handlers } from '#gateway/handlers/handlers.ts';
import { accountHandlers } from '#gateway/handlers/account.ts';
import { brokerHandlers } from '#gateway/handlers/broker.ts';
import { affiliateHandlers } from '#gateway/handlers/affiliates.ts';
import { cancelHandlers } from '#gateway/handlers/cancel-order.ts';
import { DepositAddressSource } from '#gateway/handlers/deposit-address-source.ts';
import { exchangeInfoHandlers } from '#gateway/handlers/exchange-info.ts';
import { futuresHandlers } from '#gateway/handlers/futures.ts';
import { listenKeyHandlers } from '#gateway/handlers/listen-keys.ts';
import { marketHandlers } from '#gateway/handlers/market.ts';
import { orderQueryHandlers } from '#gateway/handlers/order-queries.ts';
import { placingHandlers } from '#gateway/handlers/place-order.ts';
import { stpGroupHandlers } from '#gateway/handlers/stp-groups.ts';
import { subAccountHandlers } from '#gateway/handlers/sub-accounts.ts';
import { universalTransferHandlers } from '#gateway/handlers/universal-transfers.ts';
import { rebateHandlers } from '#gateway/handlers/rebates.ts';
import { walletCoinHandlers } from '#gateway/handlers/wallet-coins.ts';
import { walletDepositHandlers } from '#gateway/handlers/wallet-deposits.ts';
import { walletDustHandlers } from '#gateway/handlers/wallet-dust.ts';
import { walletSendHandlers } from '#gateway/handlers/wallet-sends.ts';
import { walletTransferHandlers } from '#gateway/handlers/wallet-transfers.ts';
import { walletWithdrawalHandlers } from '#gateway/handlers/wallet-withdrawals.ts';
import type { HistoryAccess } from '#gateway/history-access.ts';
import type { SymbolDirectory } from '#projections/symbol-directory.ts';

/** A handler for every endpoint of the catalogue. `access`, `addresses`: one for all of them. */
export const createHandlers = (
  context: GatewayContext,
  directory: SymbolDirectory,
  access: HistoryAccess,
  addresses = new DepositAddressSource(context),
): Handlers => ({
  ...marketHandlers(context, directory, access),
  ...exchangeInfoHandlers(context, directory),
  ...accountHandlers(context, directory),
  ...placingHandlers(context, directory),
  ...cancelHandlers(context, directory),
  ...orderQueryHandlers(context, directory),
  ...stpGroupHandlers(context),
  ...subAccountHandlers(context, directory),
  ...universalTransferHandlers(context, directory),
  ...listenKeyHandlers(context),
  ...walletCoinHandlers(context, directory),
  ...walletDepositHandlers(context, directory, addresses),
  ...walletWithdrawalHandlers(context, directory),
  ...walletTransferHandlers(context, directory),
  ...walletSendHandlers(context, directory),
  ...walletDustHandlers(context, directory),
  ...brokerHandlers(context, directory, addresses),
  ...rebateHandlers(context, directory),
  ...affiliateHandlers(context, directory),
  ...futuresHandlers(context, directory, access),
});
