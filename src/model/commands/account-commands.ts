import { command } from '#model/commands/command-declaration.ts';
import { amount, flag, integer, nullable, oneOf, text } from '#model/codec/field-codec.ts';
import { accountStatuses, accountClasses, accountSwitches } from '#model/account.ts';
import { adjustmentKinds } from '#model/adjustment.ts';
import type { AccountId, Uid, AssetId } from '#model/units.ts';
import { walletKinds, contact } from '#model/wallet.ts';

/** Commands about accounts, their masters and sub-accounts. */
export const accountCommands = {
  /** Opens an account. The caller chooses the `uid`, so that seeds and imports can fix it. */
  openAccount: command(9, {
    uid: integer<Uid>(),
    name: text(),
    /** `null`: its own master. */
    master: nullable(integer<AccountId>()),
    class: oneOf(accountClasses),
    kycLevel: integer(),
    simulated: flag,
  }),
  /** Opens the account of a person, with how it can be reached and who invited it. DEC-SUB-23. */
  registerAccount: command(51, {
    /** `null`: the engine gives one. DEC-SUB-09. */
    uid: nullable(integer<Uid>()),
    name: text(),
    class: oneOf(accountClasses),
    kycLevel: integer(),
    simulated: flag,
    email: nullable(text()),
    mobile: nullable(text()),
    inviteCode: nullable(text()),
  }),
  /** The sub-account gets its uid from the engine. Refused where the master has `atMost` of them. DEC-SUB-01. */
  openSubAccount: command(52, {
    master: integer<AccountId>(),
    name: text(),
    note: text(),
    passwordHash: nullable(text()),
    atMost: integer(),
  }),
  enableFutures: command(53, {
    master: integer<AccountId>(),
    account: integer<AccountId>(),
  }),
  /** To and from `broker` only where the account has no sub-accounts. */
  setAccountClass: command(55, { account: integer<AccountId>(), class: oneOf(accountClasses) }),
  setAccountStatus: command(10, {
    account: integer<AccountId>(),
    status: oneOf(accountStatuses),
  }),
  /** Closes an account that has nothing left, or opens it again. DEC-OPR-235. */
  setAccountClosed: command(125, { account: integer<AccountId>(), closed: flag }),
  /** Writes a note of the acting operator about an account. DEC-OPR-237. */
  addAccountNote: command(127, { account: integer<AccountId>(), text: text() }),
  /** `cancelOrders`: its open orders are cancelled too; only where trade is off. DEC-OPR-167. */
  setAccountSwitches: command(101, {
    account: integer<AccountId>(),
    switches: accountSwitches,
    cancelOrders: flag,
  }),
  /** Goes on with what freezing accounts began: a bounded number of their orders. */
  cancelFrozenOrders: command(90, {}),
  /** Commissions at most, where they are below those of the pair, and the open-order cap. DEC-OPR-168. */
  setTradingRules: command(11, {
    account: integer<AccountId>(),
    makerFeePpm: nullable(integer()),
    takerFeePpm: nullable(integer()),
    openOrdersMax: integer(),
  }),
  setFeeDeduction: command(12, {
    account: integer<AccountId>(),
    enabled: flag,
  }),
  setKycLevel: command(48, {
    account: integer<AccountId>(),
    kycLevel: integer(),
  }),
  setContact: command(47, contact.members),
  /** Money from nowhere to an account: the sandbox's faucet and opening balances. None in production. */
  creditFunds: command(15, {
    account: integer<AccountId>(),
    asset: integer<AssetId>(),
    amount: amount(),
  }),
  /** A change of a balance on the word of an operator. `wallet`: `null` for an account of the house. DEC-OPR-180. */
  adjustBalance: command(110, {
    account: integer<AccountId>(),
    wallet: nullable(oneOf(walletKinds)),
    asset: integer<AssetId>(),
    amount: amount(),
    type: oneOf(adjustmentKinds),
    reason: text(),
    reference: nullable(text()),
  }),
  /** Money between wallets of a master and its sub-accounts; a repeated `clientTranId` moves nothing. SPEC-SUB-07. */
  makeUniversalTransfer: command(54, {
    master: integer<AccountId>(),
    from: integer<AccountId>(),
    fromWallet: oneOf(walletKinds),
    to: integer<AccountId>(),
    toWallet: oneOf(walletKinds),
    asset: integer<AssetId>(),
    amount: amount(),
    clientTranId: nullable(text()),
  }),
};
