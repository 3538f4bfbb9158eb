import type { AccountView, ApiKeyView, ListenKeyView, PostingKind } from '#model/account.ts';
import type { WebhookFact } from '#model/webhook.ts';
import type { AccountFact } from '#model/sub-account.ts';
import type { FeeTierFact } from '#model/fee-tier.ts';
import type { BanFact } from '#model/ban.ts';
import type { RateLimitFact } from '#model/operator-rate-limit.ts';
import type { AssetRules } from '#model/asset.ts';
import type { ContractFact, PositionView } from '#model/contract.ts';
import type { OrderView, Side } from '#model/order.ts';
import type { RebateAccrual, RebateFact } from '#model/rebate.ts';
import type { Profile } from '#model/profile.ts';
import type { SafetyFact } from '#model/safety.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type {
  AccountId,
  Amount,
  AssetId,
  BookVersion,
  Lots,
  OrderNumber,
  PriceTicks,
  Quanta,
  Seq,
  SymbolId,
  TimestampMs,
  TradeNumber,
  Uid,
} from '#model/units.ts';
import type { PriceFact } from '#model/reference-price.ts';
import type { ProposalFact } from '#model/proposal.ts';
import type { TradingStatus } from '#model/trading.ts';
import type { WalletFact } from '#model/wallet-fact.ts';

/**
 * One match, with what each side paid. Sinks get the same object for every trade: read it during the call, never keep
 * it.
 */
export interface Trade {
  readonly symbol: SymbolId;
  readonly trade: TradeNumber;
  /** The maker's price. */
  readonly price: PriceTicks;
  readonly lots: Lots;
  /** Price times quantity, in the quote asset. */
  readonly quoteAmount: Quanta;
  readonly takerSide: Side;
  readonly taker: OrderNumber;
  readonly maker: OrderNumber;
  readonly takerAccount: AccountId;
  readonly makerAccount: AccountId;
  readonly takerClientOrderId: string | null;
  readonly makerClientOrderId: string | null;
  /** Which fill of the taker this is, from 1: the last part of the public trade id. */
  readonly fillOfTaker: number;
  readonly takerFee: Quanta;
  readonly takerFeeAsset: AssetId;
  readonly makerFee: Quanta;
  readonly makerFeeAsset: AssetId;
}

/** A change of configuration, accounts or the wallet: seldom, so it may allocate. */
export type Fact =
  | { readonly kind: 'assetConfigured'; readonly asset: AssetRules }
  | { readonly kind: 'symbolConfigured'; readonly symbol: SymbolRules }
  | {
      readonly kind: 'feeTokenConfigured';
      readonly token: AssetId;
      readonly valuedIn: AssetId;
      readonly discountPpm: number;
    }
  | { readonly kind: 'accountOpened'; readonly account: AccountView }
  | { readonly kind: 'accountChanged'; readonly account: AccountView }
  | { readonly kind: 'apiKeyCreated'; readonly key: ApiKeyView }
  | { readonly kind: 'apiKeyDeleted'; readonly account: AccountId; readonly accessKey: string }
  /** Made or renewed. */
  | { readonly kind: 'listenKeyValid'; readonly key: ListenKeyView }
  /** Deleted or expired. */
  | { readonly kind: 'listenKeyClosed'; readonly account: AccountId; readonly keyHash: string }
  | { readonly kind: 'stpGroupChanged'; readonly group: StpGroupView }
  | { readonly kind: 'stpGroupDeleted'; readonly master: AccountId; readonly group: number }
  | { readonly kind: 'addressBanned'; readonly address: string; readonly until: TimestampMs; readonly times: number }
  | BanFact
  | RateLimitFact
  | FeeTierFact
  | { readonly kind: 'clockAdvanced' }
  | { readonly kind: 'rulesActivated'; readonly version: number }
  /** Entries were quarantined; see `recordQuarantine`. */
  | {
      readonly kind: 'tailQuarantined';
      readonly seq: Seq;
      readonly lastSeq: Seq;
      readonly account: AccountId | null;
      readonly commandKind: string;
      readonly invariant: string;
    }
  | { readonly kind: 'profileRecorded'; readonly profile: Profile }
  | { readonly kind: 'numbersRaised'; readonly number: number; readonly uids: number }
  | { readonly kind: 'tradingChanged'; readonly status: TradingStatus }
  | { readonly kind: 'idKeyRecorded'; readonly sealedKey: string }
  | WalletFact
  | SafetyFact
  | PriceFact
  | ProposalFact
  | AccountFact
  | WebhookFact
  | RebateFact
  | ContractFact
  /** A command other than an order was refused and changed nothing. */
  | { readonly kind: 'commandRefused'; readonly reason: RejectReason };

/** A self-trade prevention group with its members, in the order in which they joined. */
export interface StpGroupView {
  readonly group: number;
  readonly master: AccountId;
  readonly name: string;
  readonly members: readonly AccountId[];
  readonly memberUids: readonly Uid[];
  readonly createdAt: TimestampMs;
  readonly updatedAt: TimestampMs;
}

/**
 * Facts in the past tense, in order. Each contains everything that a projection needs. The engine reuses the objects:
 * copy what you keep.
 * For each order of a command exactly one of `orderAccepted`, `orderRepeated`, `orderRefused` comes, in request order.
 */
export interface EventSink {
  /** Everything until the next `entryBegan` happened at entry `seq`. */
  entryBegan(seq: Seq, at: TimestampMs): void;
  /** A new order, also one that will close at once: status new, nothing executed. */
  orderAccepted(order: OrderView): void;
  /** A repeated client id with the same terms: no new order; `order` is the current state of the first one. */
  orderRepeated(order: OrderView): void;
  orderRefused(account: AccountId, symbol: SymbolId, reason: RejectReason, clientOrderId: string | null): void;
  /** A cancel named an order that is not open or not the caller's. */
  cancelRefused(account: AccountId, symbol: SymbolId, reason: RejectReason): void;
  tradeExecuted(trade: Trade): void;
  /** Follows its trade, the taker's side first; only where the payer was invited. */
  rebateAccrued(accrual: RebateAccrual): void;
  /**
   * A position, or its settings, as they are now: after the trade of a fill, the taker's side first, and wherever else
   * they change. A closed position has no lots.
   */
  positionChanged(position: PositionView): void;
  /** The order after a fill. Taker first, then maker; a fill that completes an order is followed by `orderClosed`. */
  orderFilled(order: OrderView, lots: Lots, price: PriceTicks): void;
  /** Final state, with `closeReason`. */
  orderClosed(order: OrderView): void;
  /** `lots` now rest at this price; 0: the level is empty. Each call increments the symbol's version. */
  levelChanged(symbol: SymbolId, version: BookVersion, side: Side, price: PriceTicks, lots: Lots): void;
  /**
   * One leg of double entry, in trading and elsewhere: a command's legs sum to zero per asset over all accounts. `free`
   * and `held` are what is added to either part of the balance; `order` is `null` where no order is behind it.
   * `balance`: both parts together afterwards.
   */
  posted(
    account: AccountId,
    asset: AssetId,
    free: Amount,
    held: Amount,
    why: PostingKind,
    order: OrderNumber | null,
    balance: Amount,
  ): void;
  fact(fact: Fact): void;
}

/** What each event consists of: a name for each parameter of its method. Records, recorders and feeds follow. */
export const eventParts = {
  entryBegan: ['seq', 'at'],
  orderAccepted: ['order'],
  orderRepeated: ['order'],
  orderRefused: ['account', 'symbol', 'reason', 'clientOrderId'],
  cancelRefused: ['account', 'symbol', 'reason'],
  tradeExecuted: ['trade'],
  rebateAccrued: ['accrual'],
  positionChanged: ['position'],
  orderFilled: ['order', 'lots', 'price'],
  orderClosed: ['order'],
  levelChanged: ['symbol', 'version', 'side', 'price', 'lots'],
  posted: ['account', 'asset', 'free', 'held', 'why', 'order', 'balance'],
  fact: ['fact'],
} as const satisfies { readonly [Name in keyof EventSink]: Named<Parameters<EventSink[Name]>> };
type Named<Parts extends readonly unknown[]> = { readonly [Index in keyof Parts]: string };

/** Every event, in the order of `EventSink`. */
export const eventNames = Object.keys(eventParts) as readonly (keyof EventSink)[];
