import type { StateMachine } from '#engine/create-engine.ts';
import { liabilitiesOf } from '#engine/wallet/liabilities.ts';
import type { WalletQueries } from '#ingress/wallet-queries.ts';

/** The query port of the wallet where asker and engine share a process. */
export function walletQuestions({ state }: StateMachine): WalletQueries {
  const { deposits, withdrawals, depositAddresses } = state;
  return {
    rules: async () => state.walletRules,
    networks: async () => [...state.assetNetworks.all],
    chain: async (network) => state.chains.get(network) ?? null,
    depositAddress: async (account, network) => depositAddresses.of(account, network),
    depositAddressesOf: async (account) => depositAddresses.all.filter((each) => each.account === account),
    liveDeposits: async (network) => deposits.all().filter((each) => network === null || each.network === network),
    deposit: async (deposit) => deposits.get(deposit),
    liveWithdrawals: async (network) =>
      withdrawals.all().filter((each) => network === null || each.network === network),
    withdrawal: async (withdrawal) => withdrawals.get(withdrawal),
    savedAddresses: async () => [],
    isAllowListOn: async () => false,
    contact: async () => null,
    accountOfContact: async () => null,
    dust: async () => [],
    trialBalance: async () => [],
    liabilities: async () => liabilitiesOf(state),
    operatorToken: async () => null,
    operatorTokens: async () => [],
  };
}
