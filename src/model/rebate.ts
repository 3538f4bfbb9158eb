import { type ValueOf, amount, integer, nullable, oneOf, record, text, time } from '#model/codec/field-codec.ts';
import type { AccountId, Amount, AssetId, Balance, Quanta, SymbolId, TimestampMs, TradeNumber } from '#model/units.ts';

/** What commissions are paid for. Nothing accrues for ETFs yet. */
export const products = ['spot', 'futures', 'etf'] as const;
export type Product = (typeof products)[number];

/**
 * Parts of a commission: of whoever invited the payer, of the two inviters above, and of the payer itself. A kickback
 * comes out of the referral share. DEC-SUB-05.
 */
export const rebateShares = ['referral', 'subAffiliate', 'third', 'kickback'] as const;
export type RebateShare = (typeof rebateShares)[number];

/** An inviter's rates for one product, in parts per million of the commission. */
export const rebateRates = record({
  referralPpm: integer(),
  subAffiliatePpm: integer(),
  thirdPpm: integer(),
  /** Given to the payer out of `referralPpm`. */
  kickbackPpm: integer(),
});
export type RebateRates = ValueOf<typeof rebateRates>;
/** Rates of an inviter that has none of its own. DEC-SUB-05. */
export const defaultRebateRates: RebateRates = {
  referralPpm: 200_000,
  subAffiliatePpm: 50_000,
  thirdPpm: 20_000,
  kickbackPpm: 0,
};
/** All shares of a commission together, and the three rates of one inviter, are at most this. DEC-SUB-05. */
export const rebateCapPpm = 500_000;

/** Own rates of an inviter. */
export const inviterRates = record({
  inviter: integer<AccountId>(),
  product: oneOf(products),
  ...rebateRates.members,
});
export type InviterRates = ValueOf<typeof inviterRates>;

/** A code under which an account invites others. Each has its refer code besides; see `refer-code.ts`. */
export const inviteCode = record({
  /** 3 to 20 of `[A-Za-z0-9-]`, with at least one `-`, so that none is a refer code. */
  code: text(),
  owner: integer<AccountId>(),
  /** Name of the campaign it was made for; `null`: none. DEC-SUB-27. */
  campaign: nullable(text()),
  createdAt: time(),
});
export type InviteCode = ValueOf<typeof inviteCode>;

/** How an account came here. Times are 0 where it did not happen yet. */
export const invitation = record({
  account: integer<AccountId>(),
  inviter: integer<AccountId>(),
  code: text(),
  invitedAt: time(),
  firstDepositAt: time(),
  lastDepositAt: time(),
  firstTradeAt: time(),
  lastTradeAt: time(),
});
export type Invitation = ValueOf<typeof invitation>;

/**
 * One side of a trade whose account was invited, and what its inviters get of the commission. Sinks get the same object
 * for every side: read it during the call, never keep it. Also told where the commission, and so every share, is zero.
 */
export interface RebateAccrual {
  /** Running number, from 1. */
  readonly accrual: number;
  readonly product: Product;
  readonly symbol: SymbolId;
  readonly trade: TradeNumber;
  /** The account that traded. */
  readonly payer: AccountId;
  /** Who was invited: the payer, its master, or the sub-account of a broker. DEC-SUB-29. */
  readonly source: AccountId;
  /** Under which code `source` came; empty for the sub-account of a broker. */
  readonly code: string;
  readonly isMaker: boolean;
  /** What the commission was paid in. */
  readonly asset: AssetId;
  readonly commission: Quanta;
  /** Price times quantity, in the quote asset. */
  readonly turnover: Quanta;
  /**
   * By share, in the order of `rebateShares`: who gets it (0: nobody), its rate in parts per million of the commission,
   * and its amount. The referral share is told without the kickback that was taken out of it.
   */
  readonly beneficiaries: readonly AccountId[];
  readonly ratesPpm: readonly number[];
  readonly amounts: readonly Quanta[];
  /**
   * What one unit of `asset`, and of the quote asset, was worth at that moment in units of what the wallet is valued
   * in: a fraction of safe integers; both parts are 0 without a price.
   */
  readonly assetValue: readonly [numerator: number, denominator: number];
  readonly quoteValue: readonly [numerator: number, denominator: number];
}

/** A deposit or withdrawal of an invited account. */
export interface InviteeMove {
  /** Running number, from 1. */
  readonly move: number;
  readonly account: AccountId;
  readonly inviter: AccountId;
  readonly code: string;
  readonly direction: 'deposit' | 'withdrawal';
  readonly asset: AssetId;
  readonly amount: Balance;
  /** Worth at that moment in what the wallet is valued in; 0 without a price. */
  readonly value: Balance;
  readonly at: TimestampMs;
}

/** Rebates of one asset that a settlement paid. DEC-SUB-26. */
export const rebatePayout = record({
  beneficiary: integer<AccountId>(),
  asset: integer<AssetId>(),
  amount: amount(),
});
export type RebatePayout = ValueOf<typeof rebatePayout>;

/** Money by asset. */
export interface AssetAmount {
  readonly asset: AssetId;
  readonly amount: Amount;
}

/** Length of a day of rebates. Days begin at 00:00 UTC. */
export const rebateDayMs = 86_400_000;
/** Start of the day that a moment is in. */
export const rebateDayOf = (at: TimestampMs): TimestampMs => (at - (at % rebateDayMs)) as TimestampMs;

/** What happened to invitations and rebates, each with the whole record as it is now. */
export type RebateFact =
  | { readonly kind: 'inviteCodeCreated'; readonly code: InviteCode }
  /** Comes after `accountOpened`. */
  | { readonly kind: 'accountInvited'; readonly invitation: Invitation }
  | { readonly kind: 'rebateRatesSet'; readonly terms: InviterRates }
  | {
      readonly kind: 'clicksRecorded';
      readonly code: string;
      readonly owner: AccountId;
      readonly minute: TimestampMs;
      readonly count: number;
    }
  | { readonly kind: 'inviteeMoved'; readonly move: InviteeMove }
  /** `isDone`: nothing of that day, and of days before, is left. */
  | {
      readonly kind: 'rebatesSettled';
      readonly day: TimestampMs;
      readonly payouts: readonly RebatePayout[];
      readonly isDone: boolean;
    }
  | {
      readonly kind: 'rebatesRejected';
      readonly beneficiary: AccountId;
      readonly source: AccountId | null;
      readonly day: TimestampMs;
      readonly amounts: readonly AssetAmount[];
    };
