import type { AccountNote } from '#model/account-note.ts';
import type { Adjustment } from '#model/adjustment.ts';
import type { Act } from '#model/act.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import type {
  AssetNetwork,
  ChainProgress,
  Contact,
  ConversionView,
  DepositAddress,
  DepositView,
  OperatorToken,
  SavedAddress,
  SendView,
  TransferView,
  WalletRules,
  WithdrawalView,
} from '#model/wallet.ts';

/** What happened in the wallet, each with the whole record as it is now. */
export type WalletFact =
  | { readonly kind: 'walletConfigured'; readonly rules: WalletRules }
  | { readonly kind: 'assetNetworkConfigured'; readonly network: AssetNetwork }
  | { readonly kind: 'depositAddressAssigned'; readonly address: DepositAddress }
  | { readonly kind: 'chainFollowed'; readonly chain: ChainProgress }
  /** How many deposits a reorganisation left in doubt. DEC-WAL-102. */
  | {
      readonly kind: 'networkForked';
      readonly network: string;
      readonly height: number;
      readonly forks: number;
      readonly doubted: number;
    }
  | { readonly kind: 'depositChanged'; readonly deposit: DepositView }
  /** A credited deposit left its chain: what its account still had, and what the house lost. DEC-WAL-17. */
  | {
      readonly kind: 'depositLost';
      readonly deposit: DepositView;
      readonly fromAccount: Balance;
      readonly fromHouse: Balance;
    }
  | { readonly kind: 'withdrawalChanged'; readonly withdrawal: WithdrawalView }
  /** The same `withdrawOrderId` with the same terms: nothing new; the first one as it is now. DEC-REQ-27. */
  | { readonly kind: 'withdrawalRepeated'; readonly withdrawal: WithdrawalView }
  | {
      readonly kind: 'sweepRecorded';
      readonly network: string;
      readonly txId: string;
      readonly asset: AssetId;
      readonly networkFee: Balance;
    }
  | { readonly kind: 'addressSaved'; readonly address: SavedAddress }
  | { readonly kind: 'savedAddressRemoved'; readonly address: SavedAddress }
  | { readonly kind: 'allowListChanged'; readonly account: AccountId; readonly enabled: boolean }
  | { readonly kind: 'fundsTransferred'; readonly transfer: TransferView }
  /** The same `clientTranId` with the same terms: nothing new. DEC-REQ-27. */
  | { readonly kind: 'transferRepeated'; readonly transfer: TransferView }
  | { readonly kind: 'fundsSent'; readonly send: SendView }
  /** The same `clientTranId` with the same terms: nothing new. DEC-REQ-27. */
  | { readonly kind: 'sendRepeated'; readonly send: SendView }
  /** Assets that could not be converted stand in `refused`; `conversion` is `null` where none could. */
  | {
      readonly kind: 'dustConverted';
      readonly conversion: ConversionView | null;
      readonly refused: readonly { readonly asset: AssetId; readonly reason: RejectReason }[];
    }
  | { readonly kind: 'balanceAdjusted'; readonly adjustment: Adjustment }
  | { readonly kind: 'accountNoted'; readonly note: AccountNote }
  | { readonly kind: 'contactChanged'; readonly contact: Contact }
  /** Comes after the events of the command itself. DEC-OPR-193. */
  | { readonly kind: 'operatorActed'; readonly act: Act }
  /** The same idempotency key with the same command: nothing new; `refusal` of the first time, `null` if none. */
  | {
      readonly kind: 'operationRepeated';
      readonly actor: string;
      readonly idempotencyKey: string;
      readonly refusal: RejectReason | null;
    }
  | { readonly kind: 'operatorTokenCreated'; readonly token: OperatorToken }
  | { readonly kind: 'operatorTokenDeleted'; readonly tokenHash: string; readonly actor: string };
