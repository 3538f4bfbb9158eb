import type { GatewayContext } from '#gateway/gateway-context.ts';
import { brokerRebateHandlers } from '#gateway/handlers/broker-rebates.ts';
import { brokerSubAccountHandlers } from '#gateway/handlers/broker-sub-accounts.ts';
import { brokerWalletHandlers } from '#gateway/handlers/broker-wallet.ts';
import type { DepositAddressSource } from '#gateway/handlers/deposit-address-source.ts';
import { PasswordHashes } from '#gateway/handlers/password-hashes.ts';
import type { SymbolDirectory } from '#projections/symbol-directory.ts';

/** Handlers of the endpoints of brokers but transfers. `addresses`: one source for all handlers. */
export function brokerHandlers(context: GatewayContext, directory: SymbolDirectory, addresses: DepositAddressSource) {
  const passwords = new PasswordHashes();
  return {
    ...brokerSubAccountHandlers(context, passwords),
    ...brokerWalletHandlers({ context, directory, source: addresses }, passwords),
    ...brokerRebateHandlers(context, directory),
  };
}
