import {
  amount,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  record,
  type FieldCodec,
  type RecordFields,
  text,
} from '#model/codec/field-codec.ts';
import type {
  AssetNetwork,
  ChainBlock,
  ChainProgress,
  Contact,
  ContactKind,
  DepositAddress,
  DepositDecision,
  DepositSight,
  DepositStatus,
  DepositView,
  OperatorToken,
  SavedAddress,
  SendView,
  TransferView,
  WalletKind,
  WalletRules,
  WithdrawalDecision,
  WithdrawalEvent,
  WithdrawalStatus,
  WithdrawalTransaction,
  WithdrawalView,
} from '#model/wallet.ts';

// Records of the wallet as bytes, in the journal's commands and in images. The order of fields is the format; so is
// that of the sets below, which are spelled out here whatever the domain's lists do.

/** A wallet of an account. */
export const walletKind: FieldCodec<WalletKind> = oneOf(['spot', 'futures']);
/** By what a receiver is named. */
export const contactKind: FieldCodec<ContactKind> = oneOf(['email', 'uid', 'mobile']);
/** What an operator decides about a deposit. */
export const depositDecision: FieldCodec<DepositDecision> = oneOf(['credit', 'reject', 'refund', 'flag']);
/** What an operator decides about a withdrawal. */
export const withdrawalDecision: FieldCodec<WithdrawalDecision> = oneOf(['approve', 'reject', 'manual']);
/** What happens to a withdrawal on its way. */
export const withdrawalEvent: FieldCodec<WithdrawalEvent> = oneOf([
  'assess',
  'begin',
  'sign',
  'broadcast',
  'replace',
  'confirm',
  'fail',
  'displace',
  'postpone',
]);
const depositStatus: FieldCodec<DepositStatus> = oneOf([
  'pending',
  'small',
  'largeDelay',
  'auditing',
  'invalid',
  'restricted',
  'success',
  'rejected',
  'refund',
  'removed',
  'lost',
]);
const withdrawalStatus: FieldCodec<WithdrawalStatus> = oneOf([
  'apply',
  'auditing',
  'wait',
  'processing',
  'packaging',
  'confirming',
  'success',
  'failed',
  'cancelled',
  'manual',
]);

/** One asset on one network. */
export const assetNetwork = record<AssetNetwork>({
  asset: integer(),
  network: text(),
  label: text(),
  contract: nullable(text()),
  scale: integer(),
  depositEnabled: flag,
  withdrawEnabled: flag,
  minConfirm: integer(),
  depositMin: amount(),
  withdrawFee: amount(),
  withdrawMin: amount(),
  withdrawMax: amount(),
  withdrawStep: amount(),
  sharesAddress: flag,
  depositDesc: nullable(text()),
  depositTips: nullable(text()),
  withdrawTips: nullable(text()),
});

/** Rules of the whole wallet. */
export const walletRules = record<WalletRules>({
  valuedIn: integer(),
  largeDeposit: amount(),
  dailyCaps: list(amount()),
  riskHoldAbove: nullable(amount()),
  fourEyesAbove: nullable(amount()),
  newAddressDelayMs: integer(),
  waitMs: integer(),
  transferable: list(integer()),
  dustBelow: amount(),
  dustCallMax: amount(),
  dustFeePpm: integer(),
});

/** Fields of a deposit address. */
export const depositAddressFields: RecordFields<DepositAddress> = {
  account: integer(),
  network: text(),
  index: integer(),
  address: text(),
  memo: nullable(text()),
};
/** The address on which an account receives. */
export const depositAddress = record<DepositAddress>(depositAddressFields);

/** How far a chain was followed. */
export const chainProgress = record<ChainProgress>({
  network: text(),
  position: nullable(text()),
  sweepPosition: nullable(text()),
  addressCount: integer(),
  height: nullable(integer()),
  forks: integer(),
  nextNonce: integer(),
});

const chainBlock = record<ChainBlock>({ height: integer(), hash: text() });

/** What custody said of a payment. */
export const depositSight = record<DepositSight>({ forks: integer(), block: chainBlock, confirmations: integer() });

/** A deposit. */
export const deposit = record<DepositView>({
  deposit: integer(),
  account: integer(),
  asset: integer(),
  network: text(),
  address: text(),
  memo: nullable(text()),
  txId: text(),
  output: integer(),
  amount: amount(),
  status: depositStatus,
  confirmations: integer(),
  minConfirm: integer(),
  isInside: flag,
  block: nullable(chainBlock),
  vouchers: list(text()),
  insertedAt: integer(),
  updatedAt: integer(),
});

/** A signed transaction. */
export const withdrawalTransaction = record<WithdrawalTransaction>({
  txId: text(),
  raw: text(),
  nonce: nullable(integer()),
});

/** A withdrawal. */
export const withdrawal = record<WithdrawalView>({
  withdrawal: integer(),
  account: integer(),
  asset: integer(),
  network: text(),
  address: text(),
  memo: nullable(text()),
  amount: amount(),
  fee: amount(),
  value: nullable(amount()),
  status: withdrawalStatus,
  isInside: flag,
  transaction: nullable(withdrawalTransaction),
  confirmations: integer(),
  withdrawOrderId: nullable(text()),
  remark: nullable(text()),
  approvals: list(text()),
  requestedAt: integer(),
  updatedAt: integer(),
});

/** Fields that name a saved address. */
export const savedAddressName: RecordFields<Omit<SavedAddress, 'savedAt' | 'tag'>> = {
  account: integer(),
  asset: integer(),
  network: text(),
  address: text(),
  memo: nullable(text()),
};
/** An address that an account saved. */
export const savedAddress = record<SavedAddress>({ ...savedAddressName, tag: text(), savedAt: integer() });

/** Money that moved between the wallets of one account. */
export const transfer = record<TransferView>({
  transfer: integer(),
  account: integer(),
  asset: integer(),
  amount: amount(),
  from: walletKind,
  to: walletKind,
  clientTranId: nullable(text()),
  at: integer(),
});

/** Money that one account sent to another one. */
export const send = record<SendView>({
  send: integer(),
  from: integer(),
  to: integer(),
  asset: integer(),
  amount: amount(),
  targetKind: contactKind,
  target: text(),
  clientTranId: nullable(text()),
  at: integer(),
});

/** Fields of a contact. */
export const contactFields: RecordFields<Contact> = {
  account: integer(),
  email: nullable(text()),
  mobile: nullable(text()),
};
/** How an account can be reached. */
export const contact = record<Contact>(contactFields);

/** Whom an operator's token names. */
export const operatorToken = record<OperatorToken>({
  tokenHash: text(),
  actor: text(),
  scopes: list(text()),
  createdAt: integer(),
  expiresAt: integer(),
});
