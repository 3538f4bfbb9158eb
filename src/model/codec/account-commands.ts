import { product, rebateRateFields } from '#model/codec/account-codecs.ts';
import { amount, flag, integer, nullable, text } from '#model/codec/field-codec.ts';
import { accountClass } from '#model/codec/record-codecs.ts';
import { command, type SeldomCommand } from '#model/codec/seldom-command.ts';
import { walletKind } from '#model/codec/wallet-codecs.ts';
import type { AccountCommand } from '#model/account-command.ts';
import type { RebateCommand } from '#model/rebate-command.ts';

type Kinds = (AccountCommand | RebateCommand)['kind'];

/** Commands about sub-accounts, invitations and rebates in the journal; see `seldomCommands`. */
export const accountCommands: { readonly [Kind in Kinds]: SeldomCommand<Kind> } = {
  registerAccount: command(51, 'registerAccount', {
    uid: nullable(integer()),
    name: text(),
    class: accountClass,
    kycLevel: integer(),
    simulated: flag,
    email: nullable(text()),
    mobile: nullable(text()),
    inviteCode: nullable(text()),
  }),
  openSubAccount: command(52, 'openSubAccount', {
    master: integer(),
    name: text(),
    note: text(),
    passwordHash: nullable(text()),
    atMost: integer(),
  }),
  enableFutures: command(53, 'enableFutures', { master: integer(), account: integer() }),
  makeUniversalTransfer: command(54, 'makeUniversalTransfer', {
    master: integer(),
    from: integer(),
    fromWallet: walletKind,
    to: integer(),
    toWallet: walletKind,
    asset: integer(),
    amount: amount(),
    clientTranId: nullable(text()),
  }),
  setAccountClass: command(55, 'setAccountClass', { account: integer(), class: accountClass }),
  createInviteCode: command(56, 'createInviteCode', { owner: integer(), code: text(), campaign: nullable(text()) }),
  setRebateRates: command(57, 'setRebateRates', { inviter: integer(), product, ...rebateRateFields }),
  recordClicks: command(58, 'recordClicks', { code: text(), minute: integer(), count: integer() }),
  settleRebates: command(59, 'settleRebates', { day: integer() }),
  rejectRebates: command(60, 'rejectRebates', {
    beneficiary: integer(),
    source: nullable(integer()),
    day: integer(),
  }),
};
