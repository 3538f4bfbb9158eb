import type { AccountId, AssetId, Balance, TimestampMs } from '#model/units.ts';
import type {
  AssetNetwork,
  Contact,
  ContactKind,
  DepositAddress,
  DepositDecision,
  DepositSight,
  SavedAddress,
  WalletKind,
  WalletRules,
  WithdrawalDecision,
  WithdrawalEvent,
  WithdrawalTransaction,
} from '#model/wallet.ts';

/** A payment that was seen on a chain. What was seen before gets its new confirmations; anything else is ignored. */
export interface ReportDeposit {
  readonly kind: 'reportDeposit';
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly asset: AssetId;
  readonly address: string;
  readonly memo: string | null;
  readonly amount: Balance;
  /** `null`: an operator says so, and custody was not asked. */
  readonly sight: DepositSight | null;
}

/** A user's request to pay out. `address` is in canonical form and was checked. */
export interface RequestWithdrawal {
  readonly kind: 'requestWithdrawal';
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly amount: Balance;
  readonly withdrawOrderId: string | null;
  readonly remark: string | null;
}

/** A step of a withdrawal towards its chain. Members that the event does not need are `null` or 0. */
export interface AdvanceWithdrawal {
  readonly kind: 'advanceWithdrawal';
  readonly withdrawal: number;
  readonly event: WithdrawalEvent;
  readonly transaction: WithdrawalTransaction | null;
  readonly confirmations: number;
  /** What the network took, in smallest units of its native coin on the ledger; 0: nothing, or not known. */
  readonly networkFee: Balance;
}

/** Commands of the wallet. */
export type WalletCommand =
  | { readonly kind: 'configureWallet'; readonly rules: WalletRules }
  | { readonly kind: 'configureAssetNetwork'; readonly network: AssetNetwork }
  /** Gives an account its address on a network; `index` is the next one of the network. */
  | ({ readonly kind: 'assignDepositAddress' } & DepositAddress)
  /** How far settlement followed a chain, to the block at `height`; `null`: unchanged. */
  | {
      readonly kind: 'recordChainPosition';
      readonly network: string;
      readonly position: string | null;
      readonly height: number | null;
      readonly sweepPosition: string | null;
    }
  /**
   * A reorganisation: of the blocks that were known those up to `height` are on the chain still; -1: nobody knows. All
   * deposits above are in doubt until each is reported or removed. DEC-WAL-102.
   */
  | { readonly kind: 'recordFork'; readonly network: string; readonly height: number }
  | ReportDeposit
  /**
   * Credits small deposits of one account, asset and network together. Custody was just asked for each: it stands in
   * the block that is recorded with it, and the newest block is that at `height`. DEC-WAL-15, DEC-WAL-101.
   */
  | {
      readonly kind: 'creditSmallDeposits';
      readonly network: string;
      readonly forks: number;
      readonly height: number;
      readonly deposits: readonly number[];
    }
  /** A payment is no longer on its chain. `forks`: as in `DepositSight`. */
  | {
      readonly kind: 'removeDeposit';
      readonly network: string;
      readonly txId: string;
      readonly output: number;
      readonly forks: number;
    }
  /**
   * `account`: whose it is, where nobody knew; else `null`. `sight`: what custody just said of it; `null`: it was not
   * asked, because nobody looks at that chain, or nothing is credited.
   */
  | {
      readonly kind: 'reviewDeposit';
      readonly deposit: number;
      readonly decision: DepositDecision;
      readonly account: AccountId | null;
      readonly sight: DepositSight | null;
    }
  | RequestWithdrawal
  | { readonly kind: 'cancelWithdrawal'; readonly account: AccountId; readonly withdrawal: number }
  | AdvanceWithdrawal
  /** An operator's decision; the operator is the actor of `operate`. */
  | { readonly kind: 'reviewWithdrawal'; readonly withdrawal: number; readonly decision: WithdrawalDecision }
  /** Network fees of a sweep, which moves money within custody; in smallest units of the native coin on the ledger. */
  | { readonly kind: 'recordSweep'; readonly network: string; readonly txId: string; readonly networkFee: Balance }
  | ({ readonly kind: 'saveAddress' } & Omit<SavedAddress, 'savedAt'>)
  | ({ readonly kind: 'removeSavedAddress' } & Omit<SavedAddress, 'savedAt' | 'tag'>)
  /** With the allow list on, only saved addresses can be paid. */
  | { readonly kind: 'setAllowList'; readonly account: AccountId; readonly enabled: boolean }
  | {
      readonly kind: 'transferFunds';
      readonly account: AccountId;
      readonly from: WalletKind;
      readonly to: WalletKind;
      readonly asset: AssetId;
      readonly amount: Balance;
      readonly clientTranId: string | null;
    }
  /** To the account that `target` names: a mail, a uid, or a mobile number as in `Contact`. */
  | {
      readonly kind: 'sendFunds';
      readonly account: AccountId;
      readonly targetKind: ContactKind;
      readonly target: string;
      readonly asset: AssetId;
      readonly amount: Balance;
      readonly clientTranId: string | null;
    }
  | { readonly kind: 'convertDust'; readonly account: AccountId; readonly assets: readonly AssetId[] }
  | ({ readonly kind: 'setContact' } & Contact)
  | { readonly kind: 'setKycLevel'; readonly account: AccountId; readonly kycLevel: number }
  | {
      readonly kind: 'createOperatorToken';
      readonly tokenHash: string;
      readonly actor: string;
      readonly scopes: readonly string[];
      readonly expiresAt: TimestampMs;
    }
  | { readonly kind: 'deleteOperatorToken'; readonly tokenHash: string };
