import type { StateMachine } from '#engine/create-engine.ts';
import { accountOfContact } from '#engine/wallet/contact-target.ts';
import { dustQuotes } from '#engine/wallet/dust.ts';
import { liabilitiesOf } from '#engine/wallet/liabilities.ts';
import { trialBalance } from '#engine/wallet/trial-balance.ts';
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
    contact: async (account) => state.contacts.of(account),
    accountOfContact: async (kind, target) => accountOfContact(state, kind, target),
    dust: async (account) => dustQuotes(state, account),
    trialBalance: async () => trialBalance(state),
    liabilities: async () => liabilitiesOf(state),
    operatorToken: async () => null,
    operatorTokens: async () => [],
  };
}
