import type { AccountId, AssetId, Balance, TimestampMs, Uid } from '#model/units.ts';
import type { WalletKind } from '#model/wallet.ts';

/** What is known of a sub-account besides its account. */
export interface SubAccountView {
  readonly account: AccountId;
  readonly uid: Uid;
  /** A user or a broker. */
  readonly master: AccountId;
  /** Public name, unique among the sub-accounts of its master: 8 to 32 letters and digits. DEC-SUB-01. */
  readonly name: string;
  readonly note: string;
  /** Of its withdrawals, hashed by the gateway; `null`: none. DEC-SUB-16. */
  readonly passwordHash: string | null;
  /** Whether money may go to its futures wallet; a master's own sub-accounts always may. DEC-SUB-17. */
  readonly isFuturesEnabled: boolean;
  readonly openedAt: TimestampMs;
}

/** Money that moved between the wallets of a master and its sub-accounts. SPEC-SUB-07. */
export interface UniversalTransferView {
  /** Running number, from 1. */
  readonly transfer: number;
  readonly master: AccountId;
  readonly from: AccountId;
  readonly fromWallet: WalletKind;
  readonly to: AccountId;
  readonly toWallet: WalletKind;
  readonly asset: AssetId;
  readonly amount: Balance;
  readonly clientTranId: string | null;
  readonly at: TimestampMs;
}

const names = /^(?=\d*[A-Za-z])[A-Za-z0-9]{8,32}$/;
/** Whether a sub-account may have this name: one of digits alone would look like a uid. DEC-SUB-01. */
export const isSubAccountName = (text: string): boolean => names.test(text);
