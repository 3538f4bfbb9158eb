import { oneOf, text } from '#model/codec/field-codec.ts';
import { feeToken } from '#model/fees.ts';
import { profiles } from '#model/profile.ts';
import type { TimestampMs } from '#model/units.ts';
import { ActChain } from '#engine/state/accounts/act-chain.ts';
import { Webhooks } from '#engine/state/accounts/webhooks.ts';
import { AccountNotes } from '#engine/state/accounts/account-notes.ts';
import { AccountTable } from '#engine/state/accounts/account-table.ts';
import { Bans } from '#engine/state/accounts/bans.ts';
import { OperatorBans } from '#engine/state/accounts/operator-bans.ts';
import { OperatorRateLimits } from '#engine/state/accounts/operator-rate-limits.ts';
import { Assets } from '#engine/state/spot/assets.ts';
import { Symbols } from '#engine/state/spot/symbols.ts';
import { Progress, RunningCommand } from '#engine/state/progress.ts';
import { Chains } from '#engine/state/wallet/chains.ts';
import { ApiKeys } from '#engine/state/accounts/api-keys.ts';
import { FeeTiers } from '#engine/state/spot/fee-tiers.ts';
import { TradeVolumes } from '#engine/state/spot/trade-volumes.ts';
import { Trading } from '#engine/state/spot/trading.ts';
import { FrozenOrders } from '#engine/state/accounts/frozen-orders.ts';
import { GivenUids } from '#engine/state/accounts/given-uids.ts';
import { ListenKeys } from '#engine/state/accounts/listen-keys.ts';
import { Operators } from '#engine/state/accounts/operators.ts';
import { OperatorTokens } from '#engine/state/accounts/operator-tokens.ts';
import { QuarantinedTails } from '#engine/state/accounts/quarantined-tails.ts';
import { RecordedValue } from '#engine/state/state-table.ts';
import { RememberedOperations } from '#engine/state/accounts/remembered-operations.ts';
import { StpGroups } from '#engine/state/accounts/stp-groups.ts';
import { SubAccounts } from '#engine/state/accounts/sub-accounts.ts';
import { type Book, BookTables } from '#engine/book/book.ts';
import { MarkTable } from '#engine/state/futures/mark-table.ts';
import { Contracts } from '#engine/state/futures/contracts.ts';
import { Positions } from '#engine/state/futures/positions.ts';
import { Emitter } from '#engine/events/emitter.ts';
import { walletRules } from '#model/wallet.ts';
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
import { HotWalletPayments } from '#engine/state/wallet/hot-wallet-payments.ts';
import { PaidWithdrawals } from '#engine/state/wallet/paid-withdrawals.ts';
import { RecordedTransactions } from '#engine/state/wallet/recorded-transactions.ts';
import { SavedAddresses } from '#engine/state/wallet/saved-addresses.ts';
import { Sends } from '#engine/state/wallet/sends.ts';
import { Transfers, UniversalTransfers } from '#engine/state/wallet/transfers.ts';
import { UnknownPayments } from '#engine/state/wallet/unknown-payments.ts';
import { Withdrawals } from '#engine/state/wallet/withdrawals.ts';

/**
 * The whole state of the engine; nothing else survives a restart. Its members are tables, which images hold in this
 * order: one may depend on those before it. Only the first five are none: the packed tables are written together by
 * `#engine/image`, `progress` keeps the digest of `emit`, and `running` is empty between commands. Maps are used as
 * indexes only: their order is never visible outside, unless a comment says that it is stored.
 */
export class EngineState {
  readonly tables = new BookTables();
  readonly emit = new Emitter(this.tables.orders);
  readonly holds = new HoldTable();
  readonly ledger = new Ledger(this.emit, this.holds);
  readonly running = new RunningCommand();

  readonly progress = new Progress(this.emit);
  /** What this exchange is run for. DEC-OPR-100. */
  readonly profile = new RecordedValue('profile', oneOf(profiles));

  readonly assets = new Assets();
  /** The platform token in which fees can be paid at a discount. */
  readonly feeToken = new RecordedValue('feeToken', feeToken);
  readonly symbols = new Symbols(this.assets, this.tables);
  readonly trading = new Trading();
  readonly feeTiers = new FeeTiers();
  readonly tradeVolumes = new TradeVolumes();
  readonly referencePrices = new ReferencePrices();
  readonly priceTrail = new PriceTrail();

  readonly accounts = new AccountTable();
  readonly keys = new ApiKeys();
  readonly listenKeys = new ListenKeys();
  readonly stpGroups = new StpGroups(this.accounts);
  readonly subAccounts = new SubAccounts(this.accounts);
  readonly givenUids = new GivenUids(this.accounts);
  readonly frozenOrders = new FrozenOrders(this.accounts);
  readonly accountNotes = new AccountNotes();
  readonly bans = new Bans();
  readonly operatorBans = new OperatorBans();
  readonly operatorRateLimits = new OperatorRateLimits();
  readonly tails = new QuarantinedTails();

  readonly contracts = new Contracts(this.assets, this.tables);
  readonly positions = new Positions();
  readonly marks = new MarkTable();

  /** The sealed key under which the wallet's ids are printed; the engine cannot open it. DEC-WAL-171. */
  readonly idKey = new RecordedValue('idKey', text());
  /** Without a value nothing of the wallet is served yet. */
  readonly walletRules = new RecordedValue('walletRules', walletRules);
  readonly assetNetworks = new AssetNetworks();
  readonly depositAddresses = new DepositAddresses();
  readonly chains = new Chains();
  readonly deposits = new Deposits();
  readonly withdrawals = new Withdrawals();
  readonly freeNonces = new FreeNonces();
  readonly savedAddresses = new SavedAddresses();
  readonly sweeps = new RecordedTransactions('recordedSweeps');
  /** Payments that were signed on networks without nonces. */
  readonly signed = new RecordedTransactions('signedPayments');
  readonly hotWalletPayments = new HotWalletPayments();
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
  readonly webhooks = new Webhooks();
  readonly operations = new RememberedOperations();
  readonly acts = new ActChain();

  readonly inviteCodes = new InviteCodes(this.accounts);
  readonly invitations = new Invitations(this.accounts);
  readonly inviteClicks = new InviteClicks();
  readonly rebateRates = new OwnRebateRates(this.accounts);
  readonly rebateAccruals = new RebateAccruals(this.ledger);

  /** Time of the entry that is applied: the engine has no other clock. */
  get at(): TimestampMs {
    return this.progress.at;
  }

  /** Books of symbols and of contracts, by their id. */
  get books(): Book[] {
    return this.tables.books;
  }
}
