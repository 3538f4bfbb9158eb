import { products, rebateShares } from '#model/rebate.ts';
import type { AccountId, AssetId, Balance, Quanta, Seq, SymbolId, TradeNumber } from '#model/units.ts';
import { walletKinds } from '#model/wallet.ts';
import {
  bigInteger,
  declareTable,
  flag,
  integer,
  nullable,
  type RowOf,
  text,
  time,
  wideSum,
  word,
} from '#history/tables/history-table.ts';

/**
 * What a rebate is to whoever gets it: earned from somebody else's commission, or given back of the own one.
 * `turnover`: of the commission nothing came to the inviter, for whom the turnover counts nonetheless.
 */
export const rebateKinds = ['earned', 'kickback', 'turnover'] as const;
export type RebateKind = (typeof rebateKinds)[number];

/**
 * Kept for ever like all that follows (DEC-SUB-47). For each side of a trade whose account was invited, a row for
 * everybody who gets a share of its commission. The inviter has a row also where its share is zero, of the kind
 * `turnover`. Values are in what the wallet is valued in, at that moment.
 */
export const rebates = declareTable('rebates', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    kind: word(rebateKinds),
    at: time(),
    accrual: integer<number>(),
    seq: integer<Seq>(),
    share: word(rebateShares),
    /** Who was invited. */
    source: integer<AccountId>(),
    /** Under which code `source` came; empty for sub-accounts of brokers. */
    code: text(),
    product: word(products),
    symbol: integer<SymbolId>(),
    trade: integer<TradeNumber>(),
    isMaker: flag(),
    asset: integer<AssetId>(),
    ratePpm: integer<number>(),
    amount: bigInteger<Balance>(),
    value: bigInteger<Balance>(),
    /** Price times quantity of the trade, in its quote asset. */
    turnover: integer<Quanta>(),
    turnoverValue: bigInteger<Balance>(),
    /** When it was rejected; null: it was not. The store itself marks it where it writes the rejection. DEC-SUB-61. */
    rejectedAt: nullable(time()),
  },
  key: ['account', 'kind', 'at', 'accrual'],
  indexes: [],
  retention: null,
  position: 'seq',
});

/** Sums of rebates by day, which the store itself makes of the rows of `rebates`. DEC-SUB-46. */
export const rebateDays = declareTable('rebateDays', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    kind: word(rebateKinds),
    /** Start of the day, UTC. */
    day: time(),
    source: integer<AccountId>(),
    share: word(rebateShares),
    product: word(products),
    asset: integer<AssetId>(),
    /** That of `source`. */
    code: text(),
    /** Number of rows. */
    count: integer<number>('row_count'),
    amount: wideSum(),
    value: wideSum(),
    turnoverValue: wideSum(),
    /** What of amount and value was rejected. */
    rejectedAmount: wideSum(),
    rejectedValue: wideSum(),
  },
  key: ['account', 'kind', 'day', 'source', 'share', 'product', 'asset'],
  indexes: [],
  retention: null,
  position: null,
});

/** Deposits and withdrawals of invited accounts, as their inviter sees them. */
export const inviteeMoves = declareTable('inviteeMoves', {
  since: 1,
  columns: {
    inviter: integer<AccountId>(),
    at: time(),
    move: integer<number>(),
    seq: integer<Seq>(),
    account: integer<AccountId>(),
    code: text(),
    direction: word(['deposit', 'withdrawal']),
    asset: integer<AssetId>(),
    amount: bigInteger<Balance>(),
    value: bigInteger<Balance>(),
  },
  key: ['inviter', 'at', 'move'],
  indexes: [],
  retention: null,
  position: 'seq',
});

/** Clicks on invite codes, by minute. */
export const inviteClicks = declareTable('inviteClicks', {
  since: 1,
  columns: {
    owner: integer<AccountId>(),
    /** Start of the minute. */
    at: time(),
    seq: integer<Seq>(),
    code: text(),
    count: integer<number>('clicks'),
  },
  key: ['owner', 'at', 'seq'],
  indexes: [],
  retention: null,
  position: 'seq',
});

/** Rebates that were paid, by settlement and asset. */
export const rebatePayouts = declareTable('rebatePayouts', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    at: time(),
    seq: integer<Seq>(),
    asset: integer<AssetId>(),
    /** Start of the day it accrued on. */
    day: time(),
    amount: bigInteger<Balance>(),
  },
  key: ['account', 'at', 'seq', 'asset'],
  indexes: [],
  retention: null,
  position: 'seq',
});

/** What operators rejected: rebates of `account` from `source` (null: everybody) on `day`, up to entry `seq`. */
export const rebateRejections = declareTable('rebateRejections', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    /** Start of the day that is rejected. */
    day: time(),
    seq: integer<Seq>(),
    source: nullable(integer<AccountId>()),
    at: time('rejected_at'),
  },
  key: ['account', 'day', 'seq'],
  indexes: [],
  retention: null,
  position: 'seq',
});

/** Transfers between the wallets of a master and its sub-accounts. */
export const universalTransfers = declareTable('universalTransfers', {
  since: 1,
  columns: {
    master: integer<AccountId>(),
    at: time(),
    transfer: integer<number>(),
    seq: integer<Seq>(),
    from: integer<AccountId>('from_account'),
    fromWallet: word(walletKinds),
    to: integer<AccountId>('to_account'),
    toWallet: word(walletKinds),
    asset: integer<AssetId>(),
    amount: bigInteger<Balance>(),
    clientTranId: nullable(text()),
  },
  key: ['master', 'at', 'transfer'],
  indexes: [{ name: 'universal_transfers_by_number', columns: ['transfer'], isUnique: true }],
  retention: null,
  position: 'seq',
});

/** One share of a commission. */
export type RebateRow = RowOf<typeof rebates>;
/** Sums of a day. */
export type RebateDayRow = RowOf<typeof rebateDays>;
/** A deposit or withdrawal of an invited account. */
export type InviteeMoveRow = RowOf<typeof inviteeMoves>;
/** Clicks of a minute. */
export type InviteClickRow = RowOf<typeof inviteClicks>;
/** A payout. */
export type RebatePayoutRow = RowOf<typeof rebatePayouts>;
/** A rejection. */
export type RebateRejectionRow = RowOf<typeof rebateRejections>;
/** A transfer between a master and its sub-accounts, or among these. */
export type UniversalTransferRow = RowOf<typeof universalTransfers>;
