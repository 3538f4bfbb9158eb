import { walletKinds } from '#model/wallet.ts';
import { type ValueOf, amount, flag, integer, nullable, oneOf, record, text, time } from '#model/codec/field-codec.ts';
import type { AccountId, AssetId, Uid } from '#model/units.ts';

/** What is known of a sub-account besides its account. */
export const subAccount = record({
  account: integer<AccountId>(),
  uid: integer<Uid>(),
  /** A user or a broker. */
  master: integer<AccountId>(),
  /** Public name, unique among the sub-accounts of its master: 8 to 32 letters and digits. DEC-SUB-01. */
  name: text(),
  note: text(),
  /** Of its withdrawals, hashed by the gateway; `null`: none. DEC-SUB-16. */
  passwordHash: nullable(text()),
  /** Whether money may go to its futures wallet; a master's own sub-accounts always may. DEC-SUB-17. */
  isFuturesEnabled: flag,
  openedAt: time(),
});
export type SubAccountView = ValueOf<typeof subAccount>;

/** Money that moved between the wallets of a master and its sub-accounts. SPEC-SUB-07. */
export const universalTransfer = record({
  /** Running number, from 1. */
  transfer: integer(),
  master: integer<AccountId>(),
  from: integer<AccountId>(),
  fromWallet: oneOf(walletKinds),
  to: integer<AccountId>(),
  toWallet: oneOf(walletKinds),
  asset: integer<AssetId>(),
  amount: amount(),
  clientTranId: nullable(text()),
  at: time(),
});
export type UniversalTransferView = ValueOf<typeof universalTransfer>;

const names = /^(?=\d*[A-Za-z])[A-Za-z0-9]{8,32}$/;
/** Whether a sub-account may have this name: one of digits alone would look like a uid. DEC-SUB-01. */
export const isSubAccountName = (text: string): boolean => names.test(text);

/** What happened to sub-accounts, each with the whole record as it is now; of other accounts `events.ts` tells. */
export type AccountFact =
  /** Opened or changed. Comes after `accountOpened`. */
  | { readonly kind: 'subAccountChanged'; readonly subAccount: SubAccountView }
  | { readonly kind: 'universalTransferMade'; readonly transfer: UniversalTransferView }
  /** The same `clientTranId` with the same terms: nothing new. DEC-REQ-27. */
  | { readonly kind: 'universalTransferRepeated'; readonly transfer: UniversalTransferView };
