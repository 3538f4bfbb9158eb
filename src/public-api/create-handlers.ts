import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { Catalogue } from '#public-api/catalogue.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { accountHandlers } from '#public-api/accounts/account.ts';
import { brokerSubAccountHandlers } from '#public-api/broker/sub-accounts.ts';
import { brokerWalletHandlers } from '#public-api/broker/wallet.ts';
import { PasswordHashes } from '#public-api/broker/password-hashes.ts';
import { brokerRebateHandlers } from '#public-api/rebates/broker-rebates.ts';
import { affiliateHandlers } from '#public-api/rebates/affiliates.ts';
import { cancelHandlers } from '#public-api/spot/cancel-order.ts';
import { DepositAddressSource } from '#public-api/wallet/deposit-address-source.ts';
import { exchangeInfoHandlers } from '#public-api/spot/exchange-info.ts';
import { futuresHandlers } from '#public-api/futures/futures.ts';
import { futuresCandleHandlers } from '#public-api/futures/candles.ts';
import { futuresMarketHandlers } from '#public-api/futures/market.ts';
import { futuresPriceHandlers } from '#public-api/futures/prices.ts';
import { listenKeyHandlers } from '#public-api/accounts/listen-keys.ts';
import { marketHandlers } from '#public-api/spot/market.ts';
import { orderQueryHandlers } from '#public-api/spot/order-queries.ts';
import { placingHandlers } from '#public-api/spot/place-order.ts';
import { stpGroupHandlers } from '#public-api/accounts/stp-groups.ts';
import { subAccountHandlers } from '#public-api/accounts/sub-accounts.ts';
import { universalTransferHandlers } from '#public-api/accounts/universal-transfers.ts';
import { rebateHandlers } from '#public-api/rebates/rebates.ts';
import { walletCoinHandlers } from '#public-api/wallet/coins.ts';
import { walletDepositHandlers } from '#public-api/wallet/deposits.ts';
import { walletDustHandlers } from '#public-api/wallet/dust.ts';
import { walletSendHandlers } from '#public-api/wallet/sends.ts';
import { walletTransferHandlers } from '#public-api/wallet/transfers.ts';
import { walletWithdrawalHandlers } from '#public-api/wallet/withdrawals.ts';
import type { HistoryAccess } from '#public-api/pipeline/endpoint-limits.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

/** A handler for every endpoint of the catalogue. `access`, `addresses`, `passwords`: one for all of them. */
export const createHandlers = (
  context: GatewayContext,
  directory: SymbolDirectory,
  access: HistoryAccess,
  addresses = new DepositAddressSource(context),
  passwords = new PasswordHashes(),
): HandlersOf<Catalogue> => ({
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
  ...brokerSubAccountHandlers(context, passwords),
  ...brokerWalletHandlers({ context, directory, source: addresses }, passwords),
  ...brokerRebateHandlers(context, directory),
  ...rebateHandlers(context, directory),
  ...affiliateHandlers(context, directory),
  ...futuresHandlers(context, directory),
  ...futuresMarketHandlers(context, directory),
  ...futuresPriceHandlers(context, directory),
  ...futuresCandleHandlers(context, directory, access),
});
