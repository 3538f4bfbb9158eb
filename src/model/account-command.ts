import type { AccountClass } from '#model/account.ts';
import type { AccountId, AssetId, Balance, Uid } from '#model/units.ts';
import type { WalletKind } from '#model/wallet.ts';

/** Opens the account of a person, with how it can be reached and who invited it. DEC-SUB-23. */
export interface RegisterAccount {
  readonly kind: 'registerAccount';
  /** `null`: the engine gives one. DEC-SUB-09. */
  readonly uid: Uid | null;
  readonly name: string;
  readonly class: AccountClass;
  readonly kycLevel: number;
  readonly simulated: boolean;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly inviteCode: string | null;
}

/** Money between the wallets of a master and its sub-accounts; a repeated `clientTranId` moves nothing. SPEC-SUB-07. */
export interface MakeUniversalTransfer {
  readonly kind: 'makeUniversalTransfer';
  readonly master: AccountId;
  readonly from: AccountId;
  readonly fromWallet: WalletKind;
  readonly to: AccountId;
  readonly toWallet: WalletKind;
  readonly asset: AssetId;
  readonly amount: Balance;
  readonly clientTranId: string | null;
}

/** Commands about people, brokers and their sub-accounts; older ones stand in `command.ts`. */
export type AccountCommand =
  | RegisterAccount
  /** The sub-account gets its uid from the engine. Refused where the master has `atMost` of them. DEC-SUB-01. */
  | {
      readonly kind: 'openSubAccount';
      readonly master: AccountId;
      readonly name: string;
      readonly note: string;
      readonly passwordHash: string | null;
      readonly atMost: number;
    }
  | { readonly kind: 'enableFutures'; readonly master: AccountId; readonly account: AccountId }
  | MakeUniversalTransfer
  /** To and from `broker` only where the account has no sub-accounts. */
  | { readonly kind: 'setAccountClass'; readonly account: AccountId; readonly class: AccountClass };
