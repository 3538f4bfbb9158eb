import { command } from '#model/commands/command-declaration.ts';
import { amount, flag, integer, list, nullable, omit, oneOf, text } from '#model/codec/field-codec.ts';
import { paymentBookings, unknownPayment, lostPaymentBookings } from '#model/safety.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import {
  assetNetwork,
  walletRules,
  depositAddress,
  depositDecisions,
  depositSight,
  withdrawalEvents,
  withdrawalDecisions,
  withdrawalTransaction,
  savedAddress,
  savedAddressName,
  walletKinds,
  contactKinds,
} from '#model/wallet.ts';

/** Commands of the wallet. */
export const walletCommands = {
  configureWallet: command(29, {
    rules: walletRules,
  }),
  configureAssetNetwork: command(30, {
    network: assetNetwork,
  }),
  /** Gives an account its address on a network; `index` is the next one of the network. */
  assignDepositAddress: command(31, depositAddress.members),
  /** How far settlement followed a chain, to the block at `height`; `null`: unchanged. */
  recordChainPosition: command(32, {
    network: text(),
    position: nullable(text()),
    height: nullable(integer()),
    sweepPosition: nullable(text()),
  }),
  /**
   * A reorganisation: of the blocks that were known those up to `height` are on the chain still; -1: nobody knows. All
   * deposits above are in doubt until each is reported or removed. DEC-WAL-102.
   */
  recordFork: command(70, {
    network: text(),
    height: integer(),
  }),
  /** A payment that was seen on a chain. What was seen before gets its new confirmations; anything else is ignored. */
  reportDeposit: command(33, {
    network: text(),
    txId: text(),
    output: integer(),
    asset: integer<AssetId>(),
    address: text(),
    memo: nullable(text()),
    amount: amount(),
    /** `null`: an operator says so, and custody was not asked. */
    sight: nullable(depositSight),
  }),
  /**
   * Credits small deposits of one account, asset and network together. Custody was just asked for each: it stands in
   * the block that is recorded with it, and the newest block is that at `height`. DEC-WAL-15, DEC-WAL-101.
   */
  creditSmallDeposits: command(71, {
    network: text(),
    forks: integer(),
    height: integer(),
    deposits: list(integer()),
  }),
  /** A payment is no longer on its chain. `forks`: as in `DepositSight`. */
  removeDeposit: command(34, {
    network: text(),
    txId: text(),
    output: integer(),
    forks: integer(),
  }),
  /**
   * `account`: whose it is, where nobody knew; else `null`. `sight`: what custody just said of it; `null`: it was not
   * asked, because nobody reads that chain, or nothing is credited.
   */
  reviewDeposit: command(35, {
    deposit: integer(),
    decision: oneOf(depositDecisions),
    account: nullable(integer<AccountId>()),
    sight: nullable(depositSight),
  }),
  /**
   * An operator names where a deposit that is to be refunded is paid back to: a withdrawal pays it. `address` is in
   * canonical form and was checked; `sight`: what custody just said of the deposit, without which nothing is paid.
   */
  payBackDeposit: command(111, {
    deposit: integer(),
    address: text(),
    memo: nullable(text()),
    sight: nullable(depositSight),
  }),
  /** Ends the withdrawal that was to pay a deposit back, while it can be cancelled. */
  cancelRefund: command(112, {
    deposit: integer(),
  }),
  /** A user's request to pay out. `address` is in canonical form and was checked. */
  requestWithdrawal: command(36, {
    account: integer<AccountId>(),
    asset: integer<AssetId>(),
    network: text(),
    address: text(),
    memo: nullable(text()),
    amount: amount(),
    withdrawOrderId: nullable(text()),
    remark: nullable(text()),
  }),
  cancelWithdrawal: command(37, {
    account: integer<AccountId>(),
    withdrawal: integer(),
  }),
  /** A step of a withdrawal towards its chain. Members that the event does not need are `null` or 0. */
  advanceWithdrawal: command(38, {
    withdrawal: integer(),
    event: oneOf(withdrawalEvents),
    transaction: nullable(withdrawalTransaction),
    confirmations: integer(),
    /** What the network took, in smallest units of its native coin on the ledger; 0: nothing, or not known. */
    networkFee: amount(),
  }),
  /** An operator's decision; the operator is the actor of `operate`. */
  reviewWithdrawal: command(39, {
    withdrawal: integer(),
    decision: oneOf(withdrawalDecisions),
    /** What its account is told; `null`: what it was told before. */
    remark: nullable(text()),
  }),
  /** Network fees of a sweep, which moves money within custody; in smallest units of the native coin on the ledger. */
  recordSweep: command(40, {
    network: text(),
    txId: text(),
    networkFee: amount(),
  }),
  saveAddress: command(41, omit(savedAddress, 'savedAt')),
  removeSavedAddress: command(42, savedAddressName.members),
  /** With the allow list on, only saved addresses can be paid. */
  setAllowList: command(43, {
    account: integer<AccountId>(),
    enabled: flag,
  }),
  transferFunds: command(44, {
    account: integer<AccountId>(),
    from: oneOf(walletKinds),
    to: oneOf(walletKinds),
    asset: integer<AssetId>(),
    amount: amount(),
    clientTranId: nullable(text()),
  }),
  /** To the account that `target` names: a mail, a uid, or a mobile number as in `Contact`. */
  sendFunds: command(45, {
    account: integer<AccountId>(),
    targetKind: oneOf(contactKinds),
    target: text(),
    asset: integer<AssetId>(),
    amount: amount(),
    clientTranId: nullable(text()),
  }),
  convertDust: command(46, {
    account: integer<AccountId>(),
    assets: list(integer<AssetId>()),
  }),
  /** A payment of a hot wallet that the journal does not know, or what was found out about one since. */
  recordUnknownPayment: command(
    76,
    omit(unknownPayment, 'payment', 'searchFrom', 'foundAt', 'booking', 'bookedTo', 'bookedAt'),
  ),
  /** An operator says what it was. `asset` and `amount`: what it moved, where nobody could find that out. */
  bookUnknownPayment: command(77, {
    network: text(),
    payment: text(),
    booking: oneOf(paymentBookings),
    withdrawal: nullable(integer()),
    account: nullable(integer<AccountId>()),
    asset: nullable(integer<AssetId>()),
    amount: amount(),
    /** The deposit that it paid back. */
    deposit: nullable(integer()),
  }),
  /** The transaction of a paid withdrawal can never be in a block: `by` took its place. */
  recordLostPayment: command(78, {
    withdrawal: integer(),
    by: text(),
  }),
  bookLostPayment: command(79, {
    withdrawal: integer(),
    booking: oneOf(lostPaymentBookings),
  }),
};
