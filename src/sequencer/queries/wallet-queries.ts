import { personOf } from '#model/person.ts';
import type { AccountId, AssetId, TimestampMs } from '#model/units.ts';
import type { ChainProgress, ContactKind, WithdrawalView } from '#model/wallet.ts';
import type { CommandOf } from '#model/command.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { assetPrices } from '#engine/money/valuation.ts';
import { supplyOf } from '#engine/money/free-balance.ts';
import { houseEquity } from '#engine/money/house-equity.ts';
import { liabilitiesOf } from '#engine/queries/liabilities.ts';
import { trialBalance } from '#engine/queries/trial-balance.ts';
import type { EngineState } from '#engine/state/state.ts';
import type { HotWalletCoin } from '#engine/state/wallet/hot-wallet-payments.ts';
import { accountOfContact } from '#engine/wallet/contact-target.ts';
import { dustQuotes } from '#engine/wallet/dust.ts';
import { refusalOfRequest } from '#engine/wallet/request-withdrawal.ts';
import { refusalOfBegin, refusalOfRelease } from '#engine/wallet/withdrawal-steps.ts';

/** Questions to the live state of the wallet; see `exchangeQueries`. */
export function walletQueries({ state }: StateMachine) {
  const { deposits, withdrawals, depositAddresses, savedAddresses } = state;
  return {
    /** `null` before the wallet is configured. */
    rules: async () => state.walletRules.value,
    /** In the order in which they were configured first. */
    networks: async () => [...state.assetNetworks.all()],
    chain: async (network: string) => chainOf(state, network),
    /** The address of an account on a network, if it has one. */
    depositAddress: async (account: AccountId, network: string) => depositAddresses.of(account, network),
    /** Whose an address is, in canonical form; `null`: nobody's. */
    accountOfAddress: async (network: string, address: string, memo: string | null) =>
      depositAddresses.find(network, address, memo)?.account ?? null,
    /** The address of a network with an index, if it was given. It reads all addresses: not for requests of clients. */
    addressAt: async (network: string, index: number) =>
      depositAddresses.all().find((each) => each.network === network && each.index === index) ?? null,
    /** Every address of an account. */
    depositAddressesOf: async (account: AccountId) =>
      state.chains.all().flatMap(({ network }) => depositAddresses.of(account, network) ?? []),
    /** Deposits that can change, were credited lately, rejected or refunded, by number; `null`: of all networks. */
    liveDeposits: async (network: string | null) =>
      deposits.all().filter((each) => network === null || each.network === network),
    /** Deposits of a network that are not final, and lost ones that are back, which custody saw in a block. */
    followedDeposits: async (network: string) => deposits.followed().filter((each) => each.network === network),
    /** Deposits of a network that a reorganisation left in doubt, by number. */
    doubtedDeposits: async (network: string) =>
      deposits.doubted.numbers().flatMap((number) => {
        const known = deposits.get(number);
        return known?.network === network ? [known] : [];
      }),
    /**
     * Deposits that custody saw in a block and that a withdrawal pays out, by number: the one that it pays back, else
     * what its account was credited within the last days.
     */
    depositsBehind: async ({ account, deposit }: Pick<WithdrawalView, 'account' | 'deposit'>) =>
      deposit === null ? deposits.creditedTo(account) : [deposits.get(deposit)!],
    /** The newest withdrawal that pays a deposit back, or did or tried within the last day. */
    refundOf: async (deposit: number) => withdrawals.refundOf(deposit),
    /** How many deposits and withdrawals there were ever, those inside included. */
    paymentCounts: async () => ({ deposits: deposits.lastDeposit, withdrawals: withdrawals.lastWithdrawal }),
    deposit: async (deposit: number) => deposits.get(deposit),
    /** Withdrawals that can still change, and those of the last day, by number. `null`: of every network. */
    liveWithdrawals: async (network: string | null) =>
      withdrawals.all().filter((each) => network === null || each.network === network),
    /** Withdrawals over a network that are not final, by number. */
    openWithdrawals: async (network: string) => withdrawals.allOpen().filter((each) => each.network === network),
    withdrawal: async (withdrawal: number) => withdrawals.get(withdrawal),
    /** What the hot wallet of a network paid of an asset in the hour before a time; at most 61 sums are added. */
    paidLastHour: async (coin: HotWalletCoin, at: TimestampMs) => state.hotWalletPayments.paidLastHour(coin, at),
    /** Why this request to withdraw would be refused now; `null`: it would not, or repeats an earlier one. */
    refusalOfRequest: async (request: CommandOf<'requestWithdrawal'>) => refusalOfRequest(state, request),
    /** Why a withdrawal may not be signed now: `notYet` while deposits are in doubt; `null`: it may. */
    refusalOfRelease: async (withdrawal: number) => {
      const known = withdrawals.get(withdrawal);
      return known === null ? 'unknownWithdrawal' : refusalOfRelease(state, known);
    },
    /** Why the event `begin` would be refused at this time of the exchange; `null`: it would not. */
    refusalOfBegin: async (withdrawal: number, at: TimestampMs) => {
      const known = withdrawals.get(withdrawal);
      if (known === null) return 'unknownWithdrawal';
      return known.status === 'wait' ? refusalOfBegin(state, known, at) : 'wrongState';
    },
    savedAddresses: async (account: AccountId) => [...savedAddresses.of(account)],
    isWithdrawalAllowListOn: async (account: AccountId) => savedAddresses.isWithdrawalAllowListOn(account),
    contact: async (account: AccountId) => state.contacts.of(account),
    /** Whom a mail, uid or mobile number names. */
    accountOfContact: async (kind: ContactKind, target: string) => accountOfContact(state, kind, target),
    /** Every asset of the account with something free, but the platform token. */
    dust: async (account: AccountId) => dustQuotes(state, account),
    /** What the rules take every asset to be worth now, by asset. */
    prices: async () => assetPrices(state),
    /** Sums of every asset over the ledger; together they are zero. */
    trialBalance: async () => trialBalance(state),
    /** What the house owns of an asset after all that it owes. */
    houseEquity: async (asset: AssetId) => houseEquity(state, asset),
    /** How much more of an asset accounts may be given: what is owned here stays within its cap. */
    roomUnderCap: async (asset: AssetId): Promise<bigint> => state.assets.at(asset).cap - supplyOf(state, asset),
    /** One of the last day's, by number. */
    adjustment: async (adjustment: number) => state.adjustments.find(adjustment),
    /** What an operator adjusted under an idempotency key within the last day. */
    adjustmentOfKey: async (actor: string, idempotencyKey: string) =>
      state.adjustments.ofKey(personOf(actor), idempotencyKey),
    /** What the exchange owes each account that owns something, at one entry: both wallets, free and held, by code. */
    liabilities: async () => liabilitiesOf(state),
    operatorToken: async (tokenHash: string) => state.operatorTokens.find(tokenHash),
    operatorTokens: async () => state.operatorTokens.all(),
  };
}

/** The query port of the wallet. */
export type WalletQueries = Readonly<ReturnType<typeof walletQueries>>;

/** What converting an asset into the platform token would give now. */
export type DustView = Awaited<ReturnType<WalletQueries['dust']>>[number];

/** Sums of one asset over the ledger, free and held; together they are zero. */
export type TrialBalance = Awaited<ReturnType<WalletQueries['trialBalance']>>[number];

/** A nonce that was signed for nothing comes before those that were never signed. DEC-WAL-59. */
function chainOf({ chains, freeNonces }: EngineState, network: string): ChainProgress | null {
  const chain = chains.get(network);
  return chain === null ? null : { ...chain, nextNonce: freeNonces.of(network)[0] ?? chain.nextNonce };
}
