import type { GatewayContext } from '#public-api/gateway-context.ts';
import { brokerRebateHandlers } from '#public-api/rebates/broker-rebates.ts';
import { brokerSubAccountHandlers } from '#public-api/broker/sub-accounts.ts';
import { brokerWalletHandlers } from '#public-api/broker/wallet.ts';
import type { DepositAddressSource } from '#public-api/wallet/deposit-address-source.ts';
import { PasswordHashes } from '#public-api/broker/password-hashes.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

/** Handlers of the endpoints of brokers but transfers. `addresses`: one source for all handlers. */
export function brokerHandlers(context: GatewayContext, directory: SymbolDirectory, addresses: DepositAddressSource) {
  const passwords = new PasswordHashes();
  return {
    ...brokerSubAccountHandlers(context, passwords),
    ...brokerWalletHandlers({ context, directory, source: addresses }, passwords),
    ...brokerRebateHandlers(context, directory),
  };
}
