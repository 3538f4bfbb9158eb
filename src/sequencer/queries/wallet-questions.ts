import type { ChainProgress } from '#model/wallet.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { assetPrices } from '#engine/money/asset-prices.ts';
import { liabilitiesOf } from '#engine/queries/liabilities.ts';
import type { EngineState } from '#engine/state/state.ts';
import { refusalOfRequest } from '#engine/wallet/request-withdrawal.ts';
import { refusalOfBegin, refusalOfRelease } from '#engine/wallet/withdrawal-steps.ts';
import { accountOfContact } from '#engine/wallet/contact-target.ts';
import { dustQuotes } from '#engine/wallet/dust.ts';
import { trialBalance } from '#engine/queries/trial-balance.ts';
import type { WalletQueries } from '#sequencer/queries/wallet-queries.ts';

/** The query port of the wallet where asker and engine share a process. */
export function walletQuestions({ state }: StateMachine): WalletQueries {
  const { deposits, withdrawals, depositAddresses, savedAddresses } = state;
  return {
    rules: async () => state.walletRules,
    networks: async () => [...state.assetNetworks.all],
    chain: async (network) => chainOf(state, network),
    depositAddress: async (account, network) => depositAddresses.of(account, network),
    addressAt: async (network, index) =>
      depositAddresses.all.find((each) => each.network === network && each.index === index) ?? null,
    depositAddressesOf: async (account) =>
      [...state.chains.keys()].sort().flatMap((network) => depositAddresses.of(account, network) ?? []),
    liveDeposits: async (network) => deposits.all().filter((each) => network === null || each.network === network),
    followedDeposits: async (network) => deposits.followed().filter((each) => each.network === network),
    doubtedDeposits: async (network) =>
      deposits.doubted.numbers().flatMap((number) => {
        const known = deposits.get(number);
        return known?.network === network ? [known] : [];
      }),
    creditsOf: async (account) => deposits.creditedTo(account),
    paymentCounts: async () => ({ deposits: deposits.lastDeposit, withdrawals: withdrawals.lastWithdrawal }),
    deposit: async (deposit) => deposits.get(deposit),
    liveWithdrawals: async (network) =>
      withdrawals.all().filter((each) => network === null || each.network === network),
    openWithdrawals: async (network) => withdrawals.allOpen().filter((each) => each.network === network),
    withdrawal: async (withdrawal) => withdrawals.get(withdrawal),
    refusalOfRequest: async (request) => refusalOfRequest(state, request),
    refusalOfRelease: async (withdrawal) => {
      const known = withdrawals.get(withdrawal);
      return known === null ? 'unknownWithdrawal' : refusalOfRelease(state, known);
    },
    refusalOfBegin: async (withdrawal, at) => {
      const known = withdrawals.get(withdrawal);
      if (known === null) return 'unknownWithdrawal';
      return known.status === 'wait' ? refusalOfBegin(state, known, at) : 'wrongState';
    },
    savedAddresses: async (account) => [...savedAddresses.of(account)],
    isAllowListOn: async (account) => savedAddresses.isAllowListOn(account),
    prices: async () => assetPrices(state),
    liabilities: async () => liabilitiesOf(state),
    contact: async (account) => state.contacts.of(account),
    accountOfContact: async (kind, target) => accountOfContact(state, kind, target),
    dust: async (account) => dustQuotes(state, account),
    trialBalance: async () => trialBalance(state),
    operatorToken: async (tokenHash) => state.operatorTokens.find(tokenHash),
    operatorTokens: async () => state.operatorTokens.all(),
  };
}

/** A nonce that was signed for nothing comes before those that were never signed. DEC-WAL-59. */
function chainOf({ chains, freeNonces }: EngineState, network: string): ChainProgress | null {
  const chain = chains.get(network);
  return chain === undefined ? null : { ...chain, nextNonce: freeNonces.of(network)[0] ?? chain.nextNonce };
}
