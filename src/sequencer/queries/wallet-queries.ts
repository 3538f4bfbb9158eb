import type { AssetPrice } from '#model/reference-price.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId, AssetId, Balance, Seq, TimestampMs, Uid } from '#model/units.ts';
import type {
  AssetNetwork,
  ChainProgress,
  Contact,
  ContactKind,
  DepositAddress,
  DepositView,
  OperatorToken,
  SavedAddress,
  WalletRules,
  WithdrawalView,
} from '#model/wallet.ts';
import type { CommandOf } from '#model/command.ts';

/** What converting an asset into the platform token would give now. */
export interface DustView {
  readonly asset: AssetId;
  /** What would be converted: all that is free. */
  readonly amount: Balance;
  /** Worth in what the wallet is valued in, rounded down. */
  readonly value: Balance;
  /** Platform token after the fee. */
  readonly converted: Balance;
  readonly fee: Balance;
  /** Why it cannot be converted; `null`: it can. */
  readonly refusal: RejectReason | null;
}

/** Sums of one asset over the ledger; together they are zero. */
export interface TrialBalance {
  readonly asset: AssetId;
  /** Free and held of all users. */
  readonly users: Balance;
  readonly futures: Balance;
  /** Each account of the house that has a balance, by name; outside and grants are below zero. */
  readonly house: readonly { readonly name: string; readonly balance: Balance }[];
}

/** Questions to the live state of the wallet; see `ExchangeQueries`. */
export interface WalletQueries {
  /** `null` before the wallet is configured. */
  rules(): Promise<WalletRules | null>;
  /** In the order in which they were configured first. */
  networks(): Promise<readonly AssetNetwork[]>;
  chain(network: string): Promise<ChainProgress | null>;
  /** The address of an account on a network, if it has one. */
  depositAddress(account: AccountId, network: string): Promise<DepositAddress | null>;
  /** The address of a network with an index, if it was given. Polling at all addresses: not for requests of clients. */
  addressAt(network: string, index: number): Promise<DepositAddress | null>;
  /** Every address of an account. */
  depositAddressesOf(account: AccountId): Promise<readonly DepositAddress[]>;
  /** Deposits that can still change, were credited lately, rejected or refunded, by number; `null`: of all networks. */
  liveDeposits(network: string | null): Promise<readonly DepositView[]>;
  /** Deposits of a network that are not final, and lost ones that are back, which custody saw in a block. */
  followedDeposits(network: string): Promise<readonly DepositView[]>;
  /** Deposits of a network that a reorganisation left in doubt, by number. */
  doubtedDeposits(network: string): Promise<readonly DepositView[]>;
  /** Deposits that an account was credited within the last days and that custody saw in a block, by number. */
  creditsOf(account: AccountId): Promise<readonly DepositView[]>;
  /** Why a withdrawal may not be signed now: `notYet` while deposits are in doubt; `null`: it may. */
  refusalOfRelease(withdrawal: number): Promise<RejectReason | null>;
  /** How many deposits and withdrawals there were ever, those inside included. */
  paymentCounts(): Promise<{ readonly deposits: number; readonly withdrawals: number }>;
  deposit(deposit: number): Promise<DepositView | null>;
  /** Withdrawals that can still change, and those of the last day, by number. `null`: of every network. */
  liveWithdrawals(network: string | null): Promise<readonly WithdrawalView[]>;
  /** Withdrawals over a network that are not final, by number. */
  openWithdrawals(network: string): Promise<readonly WithdrawalView[]>;
  withdrawal(withdrawal: number): Promise<WithdrawalView | null>;
  /** Why this request to withdraw would be refused now; `null`: it would not, or repeats an earlier one. */
  refusalOfRequest(request: CommandOf<'requestWithdrawal'>): Promise<RejectReason | null>;
  /** Why the event `begin` would be refused at this time of the exchange; `null`: it would not. */
  refusalOfBegin(withdrawal: number, at: TimestampMs): Promise<RejectReason | null>;
  savedAddresses(account: AccountId): Promise<readonly SavedAddress[]>;
  isAllowListOn(account: AccountId): Promise<boolean>;
  contact(account: AccountId): Promise<Contact | null>;
  /** Whom a mail, uid or mobile number names. */
  accountOfContact(kind: ContactKind, target: string): Promise<AccountId | null>;
  /** Every asset of the account with something free, but the platform token. */
  dust(account: AccountId): Promise<readonly DustView[]>;
  /** What the rules take every asset to be worth now, by asset. */
  prices(): Promise<readonly AssetPrice[]>;
  trialBalance(): Promise<readonly TrialBalance[]>;
  /** What the exchange owes each account that owns something, at one entry: both wallets, free and held, by code. */
  liabilities(): Promise<{
    readonly seq: Seq;
    readonly at: TimestampMs;
    readonly accounts: readonly { readonly uid: Uid; readonly balances: ReadonlyMap<string, bigint> }[];
  }>;
  operatorToken(tokenHash: string): Promise<OperatorToken | null>;
  operatorTokens(): Promise<readonly OperatorToken[]>;
}
