import type { AccountStatus, AccountView, ApiKeyView, BalanceView, ListenKeyView } from '#model/account.ts';
import type { StpGroupView } from '#model/events.ts';
import type { ContractRules } from '#model/contract.ts';
import type { AssetRules } from '#model/asset.ts';
import type { BanView } from '#model/ban.ts';
import type { OrderRef, OrderRequest, OrderView, Side } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type {
  AccountId,
  AssetId,
  BookVersion,
  Lots,
  PriceTicks,
  Quanta,
  Seq,
  SymbolId,
  TimestampMs,
  Uid,
} from '#model/units.ts';
import type { ContractQueries } from '#sequencer/queries/contract-queries.ts';
import type { RebateQueries } from '#sequencer/queries/rebate-queries.ts';
import type { SubAccountQueries } from '#sequencer/queries/sub-account-queries.ts';
import type { SafetyQueries } from '#sequencer/queries/safety-queries.ts';
import type { WalletQueries } from '#sequencer/queries/wallet-queries.ts';

/** What the engine knows about money and rules that every gateway keeps at hand. */
export interface Listing {
  readonly assets: readonly AssetRules[];
  /** Pairs; contracts are apart, though they share the sequence of ids. */
  readonly symbols: readonly SymbolRules[];
  /** Listed contracts; absent where there are none. */
  readonly contracts?: readonly ContractRules[];
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
export type Soon<Value> = Value | Promise<Value>;

/**
 * Questions to live state; what is answered includes every acknowledged command. Answers are copies.
 * Private state is asked here only; depth, trades, candles and tickers are projections.
 */
export interface ExchangeQueries {
  readonly wallet: WalletQueries;
  /** What protects the exchange from paying twice. */
  readonly safety: SafetyQueries;
  readonly subAccounts: SubAccountQueries;
  readonly rebates: RebateQueries;
  readonly contracts: ContractQueries;
  /** Last applied entry and its time. */
  position(): Promise<{ readonly seq: Seq; readonly at: TimestampMs }>;
  listing(): Promise<Listing>;
  account(account: AccountId): Soon<AccountView | null>;
  /** What an account may do: that of its record, or of its master where that is frozen. It exists. */
  statusOf(account: AccountId): Soon<AccountStatus>;
  /** Whether accounts that were frozen still have open orders. */
  haveFrozenOrders(): Promise<boolean>;
  accountByUid(uid: Uid): Promise<AccountView | null>;
  accounts(): Promise<readonly AccountView[]>;
  apiKey(accessKey: string): Soon<ApiKeyView | null>;
  apiKeysOf(account: AccountId): Promise<readonly ApiKeyView[]>;
  /** Whether there are keys whose time is over at this time of the exchange. */
  haveApiKeysEnded(now: TimestampMs): Promise<boolean>;
  /** Assets with anything free or held, in the order of configuration. */
  balances(account: AccountId): Promise<readonly BalanceView[]>;
  /** The same, and the last entry that they include: where a fold of postings starts. */
  balancesAt(account: AccountId): Promise<{ readonly seq: Seq; readonly balances: readonly BalanceView[] }>;
  /** Oldest first, at most the account's cap. `null`: every symbol. */
  openOrders(account: AccountId, symbol: SymbolId | null): Promise<readonly OrderView[]>;
  /** Open, or closed no longer ago than client ids are kept; `null` otherwise and for a foreign one. */
  order(account: AccountId, symbol: SymbolId, ref: OrderRef): Promise<OrderView | null>;
  /** What placing this order now would refuse, `null` if nothing. Changes nothing. Question of POST /order/test. */
  wouldRefuse(account: AccountId, order: OrderRequest): Promise<RejectReason | null>;
  /** Collar a market order would get now; 0 when it could not trade. */
  collar(symbol: SymbolId, side: Side): Promise<PriceTicks>;
  /** Rates of an account on a symbol, in parts per million. */
  feeRates(account: AccountId, symbol: SymbolId): Promise<{ readonly makerPpm: number; readonly takerPpm: number }>;
  /** `null` before the first trade. */
  lastPrice(symbol: SymbolId): Promise<PriceTicks | null>;
  /** The whole book: where a projection starts. */
  book(symbol: SymbolId): Promise<BookImage>;
  stpGroupsOf(master: AccountId): Promise<readonly StpGroupView[]>;
  /** Valid keys of an account, the first to expire first. */
  listenKeysOf(account: AccountId): Promise<readonly ListenKeyView[]>;
  /** A valid key by its hash. */
  listenKey(keyHash: string): Promise<ListenKeyView | null>;
  bans(): Promise<readonly BanView[]>;
  /** Commissions collected so far. */
  houseBalance(account: AccountId, asset: AssetId): Promise<Quanta | bigint>;
}
