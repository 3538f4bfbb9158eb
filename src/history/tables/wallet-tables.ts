import { adjustmentKinds } from '#model/adjustment.ts';
import { targetKinds } from '#model/act.ts';
import type { PlainKind } from '#model/command.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId, AssetId, Balance, Seq } from '#model/units.ts';
import { contactKinds, depositStatuses, walletKinds, withdrawalStatuses } from '#model/wallet.ts';
import {
  bigInteger,
  declareTable,
  flag,
  integer,
  nullable,
  type RowOf,
  text,
  time,
  word,
} from '#history/tables/history-table.ts';

const depositColumns = {
  account: integer<AccountId>(),
  insertedAt: time(),
  deposit: integer<number>(),
  /** Entry that changed it last, or a later one where a cut of the journal brought this form back. */
  seq: integer<Seq>(),
  asset: integer<AssetId>(),
  network: text(),
  address: text(),
  memo: nullable(text()),
  txId: text(),
  output: integer<number>(),
  amount: bigInteger<Balance>(),
  status: word(depositStatuses),
  confirmations: integer<number>(),
  minConfirm: integer<number>(),
  isInside: flag(),
  updatedAt: time(),
};

/**
 * Deposits, each as it is now, kept for ever like all that follows (DEC-WAL-69). While nobody knows whose it is, it is
 * the outside's.
 */
export const deposits = declareTable('deposits', {
  since: 1,
  columns: depositColumns,
  key: ['account', 'insertedAt', 'deposit'],
  // A deposit that gets its account replaces the row that it had without one.
  indexes: [
    { name: 'deposits_by_number', columns: ['deposit'], isUnique: true },
    { name: 'deposits_by_transaction', columns: ['txId', 'account'], isUnique: false },
  ],
  retention: null,
  position: 'seq',
});

/** Deposits of sub-accounts once more, in the order in which their master asks for them. SPEC-BRK-07. */
export const subAccountDeposits = declareTable('subAccountDeposits', {
  since: 1,
  columns: { master: integer<AccountId>(), ...depositColumns },
  key: ['master', 'insertedAt', 'deposit'],
  indexes: [{ name: 'sub_account_deposits_by_number', columns: ['deposit'], isUnique: true }],
  retention: null,
  position: 'seq',
});

/** Withdrawals, each as it is now. */
export const withdrawals = declareTable('withdrawals', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    requestedAt: time(),
    withdrawal: integer<number>(),
    /** Entry that changed it last, or a later one where a cut of the journal brought this form back. */
    seq: integer<Seq>(),
    asset: integer<AssetId>(),
    network: text(),
    address: text(),
    memo: nullable(text()),
    amount: bigInteger<Balance>(),
    fee: bigInteger<Balance>(),
    value: nullable(bigInteger<Balance>()),
    status: word(withdrawalStatuses),
    isInside: flag(),
    /** Of its newest transaction; `null` before it is signed, and inside. */
    txId: nullable(text()),
    nonce: nullable(integer<number>()),
    confirmations: integer<number>(),
    withdrawOrderId: nullable(text()),
    remark: nullable(text()),
    updatedAt: time(),
  },
  key: ['account', 'requestedAt', 'withdrawal'],
  indexes: [
    { name: 'withdrawals_by_number', columns: ['withdrawal'], isUnique: true },
    { name: 'withdrawals_by_transaction', columns: ['txId', 'account'], isUnique: false },
    { name: 'withdrawals_by_address', columns: ['address', 'account'], isUnique: false },
  ],
  retention: null,
  position: 'seq',
});

/** Transfers between the two wallets of an account. */
export const transfers = declareTable('transfers', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    at: time(),
    transfer: integer<number>(),
    seq: integer<Seq>(),
    asset: integer<AssetId>(),
    amount: bigInteger<Balance>(),
    from: word(walletKinds, 'from_wallet'),
    to: word(walletKinds, 'to_wallet'),
    clientTranId: nullable(text()),
  },
  key: ['account', 'at', 'transfer'],
  indexes: [{ name: 'transfers_by_number', columns: ['transfer'], isUnique: true }],
  retention: null,
  position: 'seq',
});

/** Which side of a send an account was on. */
export const sendDirections = ['in', 'out'] as const;

/** Sides of money that one account sent to another: a row for each of the two. */
export const sends = declareTable('sends', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    at: time(),
    send: integer<number>(),
    seq: integer<Seq>(),
    direction: word(sendDirections),
    counterparty: integer<AccountId>(),
    asset: integer<AssetId>(),
    amount: bigInteger<Balance>(),
    targetKind: word(contactKinds),
    /** The receiver as the sender named it. */
    target: text(),
  },
  key: ['account', 'at', 'send'],
  indexes: [{ name: 'sends_by_number', columns: ['send'], isUnique: false }],
  retention: null,
  position: 'seq',
});

/** Assets that were converted into the platform token. The lines of a conversion count from 0. */
export const conversions = declareTable('conversions', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    at: time(),
    conversion: integer<number>(),
    line: integer<number>(),
    seq: integer<Seq>(),
    asset: integer<AssetId>(),
    amount: bigInteger<Balance>(),
    converted: bigInteger<Balance>(),
    fee: bigInteger<Balance>(),
  },
  key: ['account', 'at', 'conversion', 'line'],
  indexes: [],
  retention: null,
  position: 'seq',
});

/** Changes of balances on the word of operators. DEC-OPR-180. */
export const adjustments = declareTable('adjustments', {
  since: 1,
  columns: {
    at: time(),
    adjustment: integer<number>(),
    seq: integer<Seq>(),
    account: integer<AccountId>(),
    /** `null`: a house account. */
    wallet: nullable(word(walletKinds)),
    asset: integer<AssetId>(),
    amount: bigInteger<Balance>(),
    type: word(adjustmentKinds),
    reason: text(),
    reference: nullable(text()),
    madeBy: text(),
    approvedBy: nullable(text()),
    proposal: nullable(integer<number>()),
  },
  key: ['at', 'adjustment'],
  indexes: [
    { name: 'adjustments_by_number', columns: ['adjustment'], isUnique: true },
    { name: 'adjustments_by_account', columns: ['account', 'at', 'adjustment'], isUnique: false },
  ],
  retention: null,
  position: 'seq',
});

/** What operators wrote down about accounts, kept for ever. DEC-OPR-237. */
export const accountNotes = declareTable('accountNotes', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    at: time(),
    note: integer<number>(),
    seq: integer<Seq>(),
    text: text(),
    author: text(),
  },
  key: ['account', 'at', 'note'],
  indexes: [],
  retention: null,
  position: 'seq',
});

/** What operators did and were refused: the chain of acts, kept for ever. DEC-OPR-193. */
export const operatorActs = declareTable('operatorActs', {
  since: 1,
  columns: {
    at: time(),
    seq: integer<Seq>(),
    number: integer<number>(),
    actor: text(),
    token: text(),
    address: text(),
    idempotencyKey: nullable(text()),
    reason: nullable(text()),
    commandKind: text<PlainKind>(),
    targetKind: word(targetKinds),
    targetId: nullable(text()),
    parameters: text(),
    changes: text(),
    /** Why the command was refused; `null`: it was not, or its orders were refused one by one. */
    refusal: nullable(text<RejectReason>()),
    isRefused: flag(),
    hash: text(),
  },
  key: ['at', 'seq'],
  // A question that names several of them goes by the first.
  indexes: [
    { name: 'acts_by_number', columns: ['number'], isUnique: true },
    { name: 'acts_by_target', columns: ['targetId', 'targetKind', 'at', 'seq'], isUnique: false },
    { name: 'acts_by_target_kind', columns: ['targetKind', 'at', 'seq'], isUnique: false },
    { name: 'acts_by_command', columns: ['commandKind', 'at', 'seq'], isUnique: false },
    { name: 'acts_by_actor', columns: ['actor', 'at', 'seq'], isUnique: false },
    { name: 'acts_by_refusal', columns: ['isRefused', 'at', 'seq'], isUnique: false },
  ],
  retention: null,
  position: 'seq',
});

/** A deposit as it is now. */
export type DepositRow = RowOf<typeof deposits>;
/** A deposit of a sub-account, as its master finds it. */
export type SubAccountDepositRow = RowOf<typeof subAccountDeposits>;
/** A withdrawal as it is now. */
export type WithdrawalRow = RowOf<typeof withdrawals>;
/** A transfer between two wallets. */
export type TransferRow = RowOf<typeof transfers>;
/** One side of a send. */
export type SendRow = RowOf<typeof sends>;
/** One asset of a conversion. */
export type ConversionRow = RowOf<typeof conversions>;
/** A change of a balance on the word of operators. */
export type AdjustmentRow = RowOf<typeof adjustments>;
/** A note about an account. */
export type AccountNoteRow = RowOf<typeof accountNotes>;
/** An act of an operator. */
export type OperatorActRow = RowOf<typeof operatorActs>;
