import { integer, oneOf, record, text, type ValueOf } from '#model/codec/field-codec.ts';
import { profiles } from '#model/profile.ts';
import type { AssetRules } from '#model/asset.ts';
import type { BanView } from '#model/ban.ts';
import type { RejectReason } from '#model/rejection.ts';
import { oldestRules } from '#model/rules.ts';
import type { AssetId, Digest, Epoch, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { AccountTable } from '#engine/state/accounts/account-table.ts';
import { ApiKeys } from '#engine/state/accounts/api-keys.ts';
import { PairOpenings } from '#engine/state/spot/pair-openings.ts';
import { Trading } from '#engine/state/spot/trading.ts';
import { FrozenOrders } from '#engine/state/accounts/frozen-orders.ts';
import { GivenUids } from '#engine/state/accounts/given-uids.ts';
import { ListenKeys } from '#engine/state/accounts/listen-keys.ts';
import { Operators } from '#engine/state/accounts/operators.ts';
import { OperatorTokens } from '#engine/state/accounts/operator-tokens.ts';
import { QuarantinedTails } from '#engine/state/accounts/quarantined-tails.ts';
import { RecordedValue } from '#engine/state/accounts/recorded-value.ts';
import { RememberedOperations } from '#engine/state/accounts/remembered-operations.ts';
import { StpGroups } from '#engine/state/accounts/stp-groups.ts';
import { SubAccounts } from '#engine/state/accounts/sub-accounts.ts';
import { BookTables, type Book } from '#engine/book/book.ts';
import { MarkTable } from '#engine/state/futures/mark-table.ts';
import { Contracts } from '#engine/state/futures/contracts.ts';
import { Positions } from '#engine/state/futures/positions.ts';
import { Emitter } from '#engine/events/emitter.ts';
import type { ChainProgress, WalletRules } from '#model/wallet.ts';
import { HoldTable } from '#engine/ledger/hold-table.ts';
import { Ledger } from '#engine/ledger/ledger.ts';
import { PriceTrail } from '#engine/state/prices/price-trail.ts';
import { ReferencePrices } from '#engine/state/prices/reference-prices.ts';
import { InviteClicks } from '#engine/state/rebates/clicks.ts';
import { Invitations } from '#engine/state/rebates/invitations.ts';
import { InviteCodes } from '#engine/state/rebates/invite-codes.ts';
import { RebateAccruals } from '#engine/state/rebates/rebate-accruals.ts';
import { OwnRebateRates } from '#engine/state/rebates/rebate-rates.ts';
import { Adjustments } from '#engine/state/wallet/adjustments.ts';
import { AssetNetworks } from '#engine/state/wallet/asset-networks.ts';
import { Contacts } from '#engine/state/wallet/contacts.ts';
import { Conversions } from '#engine/state/wallet/conversions.ts';
import { DepositAddresses } from '#engine/state/wallet/deposit-addresses.ts';
import { Deposits } from '#engine/state/wallet/deposits.ts';
import { FreeNonces } from '#engine/state/wallet/free-nonces.ts';
import { PaidWithdrawals } from '#engine/state/wallet/paid-withdrawals.ts';
import { RecordedTransactions } from '#engine/state/wallet/recorded-transactions.ts';
import { SavedAddresses } from '#engine/state/wallet/saved-addresses.ts';
import { Sends } from '#engine/state/wallet/sends.ts';
import { Transfers, UniversalTransfers } from '#engine/state/wallet/transfers.ts';
import { UnknownPayments } from '#engine/state/wallet/unknown-payments.ts';
import { Withdrawals } from '#engine/state/wallet/withdrawals.ts';

/**
 * The platform token in which fees can be paid at a discount (token deduction), and the asset that both are valued in.
 */
export const feeToken = record({
  token: integer<AssetId>(),
  valuedIn: integer<AssetId>(),
  discountPpm: integer(),
});
export type FeeToken = ValueOf<typeof feeToken>;

/**
 * The whole state of the engine; nothing else survives a restart. Maps are used as indexes only: their order is never
 * visible outside, unless a comment says that it is stored.
 */
export class EngineState {
  readonly accounts = new AccountTable();
  readonly keys = new ApiKeys();
  readonly stpGroups = new StpGroups(this.accounts);
  readonly subAccounts = new SubAccounts(this.accounts);
  readonly givenUids = new GivenUids(this.accounts);
  readonly frozenOrders = new FrozenOrders(this.accounts);
  readonly listenKeys = new ListenKeys();
  readonly tables = new BookTables();
  readonly emit = new Emitter(this.tables.orders);
  readonly holds = new HoldTable();
  readonly ledger = new Ledger(this.emit, this.holds);
  /** By `SymbolId`; contracts have books too. */
  readonly books: Book[] = [];
  readonly contracts = new Contracts();
  readonly positions = new Positions();
  readonly symbolByName = new Map<string, SymbolId>();
  /** By `AssetId`. */
  readonly assets: AssetRules[] = [];
  readonly assetByCode = new Map<string, AssetId>();
  /** Books by base and quote asset, to value one asset in another. */
  readonly bookByAssets = new Map<string, Book>();
  /** Books by base asset, in the order of their listing. */
  readonly booksByBase = new Map<AssetId, Book[]>();
  readonly openings = new PairOpenings();
  readonly trading = new Trading();
  readonly referencePrices = new ReferencePrices();
  readonly priceTrail = new PriceTrail();
  feeToken: FeeToken | null = null;
  /** By address, in the order of the bans. */
  readonly bans = new Map<string, BanView>();
  readonly tails = new QuarantinedTails();
  /** What this exchange is run for. DEC-OPR-100. */
  readonly profile = new RecordedValue('profile', oneOf(profiles));
  /** The sealed key under which the wallet's ids are printed; the engine cannot open it. DEC-WAL-171. */
  readonly idKey = new RecordedValue('idKey', text());
  /** `null`: nothing of the wallet is served yet. */
  walletRules: WalletRules | null = null;
  readonly assetNetworks = new AssetNetworks();
  readonly depositAddresses = new DepositAddresses();
  /** By network. */
  readonly chains = new Map<string, ChainProgress>();
  readonly deposits = new Deposits();
  readonly withdrawals = new Withdrawals();
  readonly freeNonces = new FreeNonces();
  readonly savedAddresses = new SavedAddresses();
  readonly sweeps = new RecordedTransactions('recordedSweeps');
  /** Payments that were signed on networks without nonces. */
  readonly signed = new RecordedTransactions('signedPayments');
  readonly unknownPayments = new UnknownPayments();
  readonly paidWithdrawals = new PaidWithdrawals();
  readonly adjustments = new Adjustments();
  readonly transfers = new Transfers();
  readonly universalTransfers = new UniversalTransfers();
  readonly sends = new Sends();
  readonly conversions = new Conversions();
  readonly contacts = new Contacts();
  readonly operatorTokens = new OperatorTokens();
  readonly operators = new Operators();
  readonly operations = new RememberedOperations();
  readonly inviteCodes = new InviteCodes(this.accounts);
  readonly invitations = new Invitations(this.accounts);
  readonly inviteClicks = new InviteClicks();
  readonly rebateRates = new OwnRebateRates(this.accounts);
  readonly rebateAccruals = new RebateAccruals(this.ledger);
  readonly marks = new MarkTable();
  /** The operator of the running command, folded by `personOf`; `null`: none. */
  actor: string | null = null;
  /** The idempotency key of that operator's request; `null`: none. */
  actingKey: string | null = null;
  /** Why the command of that operator was refused; `null`: it was not. */
  refusal: RejectReason | null = null;
  /** Version of the rules in force; the journal activates later ones. */
  rules = oldestRules;
  /** Epoch of the last applied entry: it rises whenever a tail of the journal was taken out. */
  epoch = as<Epoch>(0);
  seq = as<Seq>(0);
  at = as<TimestampMs>(0);
  /** Event digest after the last entry whose position is a multiple of the digest interval. */
  checkpoint: { readonly at: Seq; readonly digest: Digest } = { at: as<Seq>(0), digest: as<Digest>('') };
}
