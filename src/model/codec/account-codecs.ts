import { amount, flag, integer, nullable, oneOf, record, text, type FieldCodec } from '#model/codec/field-codec.ts';
import { walletKind } from '#model/codec/wallet-codecs.ts';
import type { Invitation, InviteCode, Product, RebateTerms } from '#model/rebate.ts';
import type { SubAccountView, UniversalTransferView } from '#model/sub-account.ts';

// Records of sub-accounts, invitations and rebates as bytes, in the journal's commands and in images. The order of
// fields is the format; so is that of the sets, which are spelled out here whatever the domain's lists do.

/** What commissions are paid for. */
export const product: FieldCodec<Product> = oneOf(['spot', 'futures', 'etf']);

/** Rates of one inviter for one product. */
export const rebateRateFields = {
  referralPpm: integer(),
  subAffiliatePpm: integer(),
  thirdPpm: integer(),
  kickbackPpm: integer(),
};

/** Own rates of an inviter. */
export const rebateTerms = record<RebateTerms>({ inviter: integer(), product, ...rebateRateFields });

/** A code under which an account invites others. */
export const inviteCode = record<InviteCode>({
  code: text(),
  owner: integer(),
  campaign: nullable(text()),
  createdAt: integer(),
});

/** How an account came here. */
export const invitation = record<Invitation>({
  account: integer(),
  inviter: integer(),
  code: text(),
  invitedAt: integer(),
  firstDepositAt: integer(),
  lastDepositAt: integer(),
  firstTradeAt: integer(),
  lastTradeAt: integer(),
});

/** What is known of a sub-account besides its account. */
export const subAccount = record<SubAccountView>({
  account: integer(),
  uid: integer(),
  master: integer(),
  name: text(),
  note: text(),
  passwordHash: nullable(text()),
  isFuturesEnabled: flag,
  openedAt: integer(),
});

/** Money that moved between the wallets of a master and its sub-accounts. */
export const universalTransfer = record<UniversalTransferView>({
  transfer: integer(),
  master: integer(),
  from: integer(),
  fromWallet: walletKind,
  to: integer(),
  toWallet: walletKind,
  asset: integer(),
  amount: amount(),
  clientTranId: nullable(text()),
  at: integer(),
});
