import { amount, flag, integer, list, nullable, text } from '#domain/codec/field-codec.ts';
import { command, type SeldomCommand } from '#domain/codec/seldom-command.ts';
import {
  assetNetwork,
  contactFields,
  contactKind,
  depositAddressFields,
  depositDecision,
  depositSight,
  savedAddressName,
  walletKind,
  walletRules,
  withdrawalDecision,
  withdrawalEvent,
  withdrawalTransaction,
} from '#domain/codec/wallet-codecs.ts';
import type { WalletCommand } from '#domain/wallet-command.ts';

type WalletKindOfCommand = WalletCommand['kind'];

/** Commands of the wallet in the journal; see `seldomCommands`. */
export const walletCommands: { readonly [Kind in WalletKindOfCommand]: SeldomCommand<Kind> } = {
  configureWallet: command(29, 'configureWallet', { rules: walletRules }),
  configureAssetNetwork: command(30, 'configureAssetNetwork', { network: assetNetwork }),
  assignDepositAddress: command(31, 'assignDepositAddress', depositAddressFields),
  recordChainPosition: command(32, 'recordChainPosition', {
    network: text(),
    position: nullable(text()),
    height: nullable(integer()),
    sweepPosition: nullable(text()),
  }),
  reportDeposit: command(33, 'reportDeposit', {
    network: text(),
    txId: text(),
    output: integer(),
    asset: integer(),
    address: text(),
    memo: nullable(text()),
    amount: amount(),
    sight: nullable(depositSight),
  }),
  recordFork: command(70, 'recordFork', { network: text(), height: integer() }),
  creditSmallDeposits: command(71, 'creditSmallDeposits', {
    network: text(),
    forks: integer(),
    height: integer(),
    deposits: list(integer()),
  }),
  removeDeposit: command(34, 'removeDeposit', {
    network: text(),
    txId: text(),
    output: integer(),
    forks: integer(),
  }),
  reviewDeposit: command(35, 'reviewDeposit', {
    deposit: integer(),
    decision: depositDecision,
    account: nullable(integer()),
    sight: nullable(depositSight),
  }),
  requestWithdrawal: command(36, 'requestWithdrawal', {
    account: integer(),
    asset: integer(),
    network: text(),
    address: text(),
    memo: nullable(text()),
    amount: amount(),
    withdrawOrderId: nullable(text()),
    remark: nullable(text()),
  }),
  cancelWithdrawal: command(37, 'cancelWithdrawal', { account: integer(), withdrawal: integer() }),
  advanceWithdrawal: command(38, 'advanceWithdrawal', {
    withdrawal: integer(),
    event: withdrawalEvent,
    transaction: nullable(withdrawalTransaction),
    confirmations: integer(),
    networkFee: amount(),
  }),
  reviewWithdrawal: command(39, 'reviewWithdrawal', { withdrawal: integer(), decision: withdrawalDecision }),
  recordSweep: command(40, 'recordSweep', { network: text(), txId: text(), networkFee: amount() }),
  saveAddress: command(41, 'saveAddress', { ...savedAddressName, tag: text() }),
  removeSavedAddress: command(42, 'removeSavedAddress', savedAddressName),
  setAllowList: command(43, 'setAllowList', { account: integer(), enabled: flag }),
  transferFunds: command(44, 'transferFunds', {
    account: integer(),
    from: walletKind,
    to: walletKind,
    asset: integer(),
    amount: amount(),
    clientTranId: nullable(text()),
  }),
  sendFunds: command(45, 'sendFunds', {
    account: integer(),
    targetKind: contactKind,
    target: text(),
    asset: integer(),
    amount: amount(),
  }),
  convertDust: command(46, 'convertDust', { account: integer(), assets: list(integer()) }),
  setContact: command(47, 'setContact', contactFields),
  setKycLevel: command(48, 'setKycLevel', { account: integer(), kycLevel: integer() }),
  createOperatorToken: command(49, 'createOperatorToken', {
    tokenHash: text(),
    actor: text(),
    scopes: list(text()),
    expiresAt: integer(),
  }),
  deleteOperatorToken: command(50, 'deleteOperatorToken', { tokenHash: text() }),
};
