import type { StateMachine } from '#engine/create-engine.ts';
import {
  accountByUid,
  accountOf,
  apiKeysOf,
  balancesOf,
  collarOf,
  feeRatesOf,
  houseBalance,
  levelsOf,
  openOrdersOf,
  orderOf,
  spotRules,
  stpGroupsOf,
  userAccounts,
} from '#engine/queries/engine-queries.ts';
import type { BookVersion, PriceTicks } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { contractQuestions } from '#sequencer/queries/contract-questions.ts';
import { rebateQuestions } from '#sequencer/queries/rebate-questions.ts';
import { subAccountQuestions } from '#sequencer/queries/sub-account-questions.ts';
import { safetyQuestions } from '#sequencer/queries/safety-questions.ts';
import { walletQuestions } from '#sequencer/queries/wallet-questions.ts';

/** The query port where gateway and engine share a process: each question is a direct call. */
export function engineQuestions(engine: StateMachine): ExchangeQueries {
  const { state, matching } = engine;
  return {
    wallet: walletQuestions(engine),
    safety: safetyQuestions(engine),
    subAccounts: subAccountQuestions(engine),
    rebates: rebateQuestions(engine),
    contracts: contractQuestions(engine),
    position: async () => ({ seq: state.seq, at: state.at }),
    listing: async () => ({
      assets: [...state.assets],
      symbols: spotRules(state),
      contracts: state.contracts.all().map(({ rules }) => rules),
      feeToken: state.feeToken,
    }),
    account: (account) => accountOf(state, account),
    statusOf: (account) => state.accounts.statusOf(account),
    haveFrozenOrders: async () => state.frozenOrders.count > 0,
    accountByUid: async (uid) => accountByUid(state, uid),
    accounts: async () => userAccounts(state),
    apiKey: (accessKey) => state.keys.byAccessKey.get(accessKey) ?? null,
    apiKeysOf: async (account) => apiKeysOf(state, account),
    haveApiKeysEnded: async (now) => state.keys.haveEnded(now),
    balances: async (account) => balancesOf(state, account),
    balancesAt: async (account) => ({ seq: state.seq, balances: balancesOf(state, account) }),
    openOrders: async (account, symbol) => openOrdersOf(state, account, symbol),
    order: async (account, symbol, ref) => orderOf(state, account, symbol, ref),
    wouldRefuse: async (account, order) => matching.wouldRefuse(account, order),
    collar: async (symbol, side) => collarOf(state, symbol, side),
    feeRates: async (account, symbol) => feeRatesOf(state, account, symbol),
    lastPrice: async (symbol) => (state.books[symbol]?.lastPrice || null) as PriceTicks | null,
    book: async (symbol) => ({
      version: (state.books[symbol]?.version ?? 0) as BookVersion,
      bids: levelsOf(state, symbol, 'buy'),
      asks: levelsOf(state, symbol, 'sell'),
    }),
    stpGroupsOf: async (master) => stpGroupsOf(state, master),
    listenKeysOf: async (account) => state.listenKeys.of(account),
    listenKey: async (keyHash) => state.listenKeys.get(keyHash),
    bans: async () => [...state.bans.values()],
    houseBalance: async (account, asset) => houseBalance(state, account, asset),
  };
}
