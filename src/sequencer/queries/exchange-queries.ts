import { type AssetObstacle, obstacleToDelisting } from '#engine/listing/asset-obstacles.ts';
import type { AccountStatus, AccountSwitch, AccountView, ApiKeyView } from '#model/account.ts';
import type { AssetRules } from '#model/asset.ts';
import type { ContractRules } from '#model/contract.ts';
import type { OrderRef, OrderRequest, Side } from '#model/order.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { AccountId, AssetId, BookVersion, Lots, OrderNumber, PriceTicks, SymbolId, Uid } from '#model/units.ts';
import { viewGroup } from '#engine/accounts/stp-commands.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import {
  accountOfOrder,
  balancesOf,
  collarOf,
  feeRatesOf,
  houseBalance,
  levelsOf,
  openOrdersOf,
  orderOf,
} from '#engine/queries/engine-queries.ts';
import { feeTokenOf } from '#engine/money/valuation.ts';
import { accessQueries } from '#sequencer/queries/access-queries.ts';
import { contractQueries } from '#sequencer/queries/contract-queries.ts';
import { feeTierQueries } from '#sequencer/queries/fee-tier-queries.ts';
import { jobQueries } from '#sequencer/queries/job-queries.ts';
import { monitoringQueries } from '#sequencer/queries/monitoring-queries.ts';
import { rebateQueries } from '#sequencer/queries/rebate-queries.ts';
import { safetyQueries } from '#sequencer/queries/safety-queries.ts';
import { subAccountQueries } from '#sequencer/queries/sub-account-queries.ts';
import { supportQueries } from '#sequencer/queries/support-queries.ts';
import { walletQueries } from '#sequencer/queries/wallet-queries.ts';

/** What the engine knows about money and rules that every gateway keeps at hand. */
export interface Listing {
  readonly assets: readonly AssetRules[];
  /** Pairs; contracts are apart, though they share the sequence of ids. */
  readonly symbols: readonly SymbolRules[];
  /** Listed contracts; absent where there are none. */
  readonly contracts?: readonly ContractRules[];
  /** Whether the exchange trades at all. */
  readonly isTradingOpen: boolean;
  readonly feeToken: { readonly token: AssetId; readonly valuedIn: AssetId; readonly discountPpm: number } | null;
}

/** A whole book at one version. */
export interface BookImage {
  readonly version: BookVersion;
  /** Best first. */
  readonly bids: readonly (readonly [PriceTicks, Lots])[];
  readonly asks: readonly (readonly [PriceTicks, Lots])[];
}

/** An answer, or the promise of one: where engine and asker share a process, what every request asks need not wait. */
type Soon<Value> = Value | Promise<Value>;

/**
 * Questions to live state; what is answered includes every acknowledged command. Answers are copies.
 * Private state is asked here only; depth, trades, candles and tickers are projections. The port is typed from this
 * adapter, where asker and engine share a process: each question is a direct call.
 */
export function exchangeQueries(engine: StateMachine) {
  const { state, matching } = engine;
  return {
    wallet: walletQueries(engine),
    /** What protects the exchange from paying twice. */
    safety: safetyQueries(engine),
    access: accessQueries(engine),
    /** What metrics tell. */
    monitoring: monitoringQueries(engine),
    subAccounts: subAccountQueries(engine),
    support: supportQueries(engine),
    rebates: rebateQueries(engine),
    contracts: contractQueries(engine),
    feeTiers: feeTierQueries(engine),
    ...jobQueries(engine),
    /** Last applied entry and its time. */
    position: async () => ({ seq: state.progress.seq, at: state.at }),
    listing: async (): Promise<Listing> => ({
      assets: [...state.assets.all()],
      symbols: state.symbols.all(),
      contracts: state.contracts.all().map(({ rules }) => rules),
      isTradingOpen: state.trading.isOpen,
      feeToken: state.feeToken.value,
    }),
    account: (account: AccountId): Soon<AccountView | null> => state.accounts.get(account),
    /** What an account may do: that of its record, or of its master where that is frozen. It exists. */
    statusOf: (account: AccountId): Soon<AccountStatus> => state.accounts.statusOf(account),
    isTradingOpen: (): Soon<boolean> => state.trading.isOpen,
    /** What was set last about trading at all; `null`: nothing ever. */
    trading: async () => state.trading.status,
    accountByUid: async (uid: Uid): Promise<AccountView | null> => {
      const account = state.accounts.find(uid);
      return account === null ? null : state.accounts.get(account);
    },
    /** Every account but those of the house, in the order of opening. */
    accounts: async () => state.accounts.all(),
    apiKey: (accessKey: string): Soon<ApiKeyView | null> => state.keys.byAccessKey.get(accessKey) ?? null,
    /** A key that may be used: the API of its account is on. DEC-OPR-167. */
    usableKey: (accessKey: string): Soon<ApiKeyView | null> => {
      const key = state.keys.byAccessKey.get(accessKey) ?? null;
      return key === null || state.accounts.isOff(key.account, 'api') ? null : key;
    },
    /** Whether something is switched off for an account that exists: by its own switch or its master's. */
    isOff: (account: AccountId, name: AccountSwitch): Soon<boolean> => state.accounts.isOff(account, name),
    /** In the order of creation. */
    apiKeysOf: async (account: AccountId) => state.keys.of(account),
    /** Assets with anything free or held, in the order of configuration. */
    balances: async (account: AccountId) => balancesOf(state, account),
    /** The same, and the last entry that they include: where a fold of postings starts. */
    balancesAt: async (account: AccountId) => ({ seq: state.progress.seq, balances: balancesOf(state, account) }),
    /** Oldest first, at most the account's cap. `null`: every symbol. */
    openOrders: async (account: AccountId, symbol: SymbolId | null) => openOrdersOf(state, account, symbol),
    /** How many those of every symbol are. */
    openOrderCount: async (account: AccountId) => state.accounts.openCount(account),
    /** Open, or closed no longer ago than client ids are kept; `null` otherwise and for a foreign one. */
    order: async (account: AccountId, symbol: SymbolId, ref: OrderRef) => orderOf(state, account, symbol, ref),
    /** Whose an order is that is open, or was closed lately; `null`: no such order is kept. */
    accountOfOrder: async (order: OrderNumber) => accountOfOrder(state, order),
    /** What placing this order now would refuse, `null` if nothing. Changes nothing. Question of POST /order/test. */
    orderRefusal: async (account: AccountId, order: OrderRequest) => matching.orderRefusal(account, order),
    /** Collar a market order would get now; 0 when it could not trade. */
    collar: async (symbol: SymbolId, side: Side) => collarOf(state, symbol, side),
    /** Rates of an account on a symbol, in parts per million. */
    feeRates: async (account: AccountId, symbol: SymbolId) => feeRatesOf(state, account, symbol),
    feeToken: async () => feeTokenOf(state),
    /** `null` before the first trade. */
    lastPrice: async (symbol: SymbolId) => (state.books[symbol]?.lastPrice || null) as PriceTicks | null,
    /** The whole book: where a projection starts. */
    book: async (symbol: SymbolId): Promise<BookImage> => ({
      version: (state.books[symbol]?.version ?? 0) as BookVersion,
      bids: levelsOf(state, symbol, 'buy'),
      asks: levelsOf(state, symbol, 'sell'),
    }),
    /** Self-trade-prevention groups of a master account, in the order of creation. */
    stpGroupsOf: async (master: AccountId) => state.stpGroups.ofMaster(master).map((group) => viewGroup(state, group)),
    /** Valid keys of an account, the first to expire first. */
    listenKeysOf: async (account: AccountId) => state.listenKeys.of(account),
    /** A valid key by its hash. */
    listenKey: async (keyHash: string) => state.listenKeys.get(keyHash),

    /** What stands in the way of delisting an asset that is or was listed; `null`: nothing. DEC-OPR-172. */
    obstacleToDelisting: async (asset: AssetId): Promise<AssetObstacle | null> => obstacleToDelisting(state, asset),
    /** Commissions collected so far. */
    houseBalance: async (account: AccountId, asset: AssetId) => houseBalance(state, account, asset),
  };
}

/** The query port of the exchange; see `exchangeQueries`. */
export type ExchangeQueries = Readonly<ReturnType<typeof exchangeQueries>>;
