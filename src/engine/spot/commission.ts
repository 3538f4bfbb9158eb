import { bigMillion } from '#base/whole-numbers.ts';
import type { AccountView } from '#model/account.ts';
import { shareUp } from '#model/fees.ts';
import type { AccountId, AssetId, OrderNumber } from '#model/units.ts';
import { accountFlag } from '#engine/state/accounts/account-table.ts';
import type { Book } from '#engine/book/book.ts';
import type { EngineState } from '#engine/state/state.ts';
import { tokenValue } from '#engine/money/valuation.ts';

/** The fee of one side of a fill, and the asset it is paid in. */
export interface Commission {
  amount: number;
  asset: AssetId;
  /** Balance row that pays it; not meaningful if the amount is zero. */
  row: number;
}

/** One side of a fill whose payments and receipts are posted. */
export interface FillSide {
  readonly account: AccountId;
  /** Balance row that received. */
  readonly gets: number;
  /** Units that it received. */
  readonly received: number;
  readonly isMaker: boolean;
}

/** Money that a token fee must not take: units of a balance row that later payments of the same order need. */
export interface LaterPayments {
  readonly row: number;
  readonly amount: number;
}

/**
 * Fees of fills. A fee is taken from the asset received (fee in received asset), or from the platform token (token
 * deduction).
 */
export interface Commissions {
  /** Fee in received asset: a share of what a side received, rounded up. DEC-ORD-15. */
  ownCommission(book: Book, side: FillSide): number;
  /**
   * Writes the fee of a side into `into`. It is the fee in the received asset, or by token deduction the fee in the
   * platform token at its discount: if the account has token deduction enabled, prices are known and the token balance
   * suffices. Call it after all else of the fill is posted: the balance suffices if its free part besides `needed`
   * covers the whole fee. DEC-ORD-15, DEC-ORD-32, DEC-ORD-33.
   */
  commissionOf(into: Commission, book: Book, side: FillSide, needed: LaterPayments): void;
  /** Posts a fee from its payer to the house. */
  payCommission(commission: Commission, order: OrderNumber): void;
}

/** Whether token deduction may take fees of this account from its balance of this asset. */
export const mayPayFeeFrom = (state: EngineState, account: AccountId, asset: AssetId): boolean =>
  state.feeToken.value?.token === asset && hasFeeDeduction(state, account);

const hasFeeDeduction = (state: EngineState, account: AccountId): boolean =>
  state.accounts.has(account, accountFlag.feeDeduction);

/** Rates of an account, or of a tier. */
type Rates = Pick<AccountView, 'makerFeePpm' | 'takerFeePpm'>;

/**
 * Rate of an account in parts per million: its own, else that of the tier of its master, but no more than the pair's.
 * DEC-OPR-168, DEC-OPR-214.
 */
export function ratePpmOf(state: EngineState, account: AccountId, ofPair: number, isMaker: boolean): number {
  const { accounts, feeTiers } = state;
  const tier: Rates | null = feeTiers.of(accounts.master(account));
  const own = accounts.has(account, accountFlag.ownRates) ? accounts.records[account]! : null;
  if (own === null && tier === null) return ofPair;
  const rate = rateIn(own, isMaker) ?? rateIn(tier, isMaker) ?? ofPair;
  return Math.min(rate, ofPair);
}

const rateIn = (rates: Rates | null, isMaker: boolean): number | null =>
  rates === null ? null : isMaker ? rates.makerFeePpm : rates.takerFeePpm;

/** Creates the fee functions of one engine. */
export function createCommissions(state: EngineState): Commissions {
  const { ledger } = state;

  const ratePpm = (book: Book, { account, isMaker }: FillSide): number =>
    ratePpmOf(state, account, book.feePpm(isMaker), isMaker);

  const ownCommission = (book: Book, side: FillSide): number => shareUp(side.received, ratePpm(book, side));

  function commissionOf(into: Commission, book: Book, side: FillSide, needed: LaterPayments): void {
    into.asset = ledger.assetOf(side.gets);
    into.row = side.gets;
    into.amount = ownCommission(book, side);
    if (into.amount > 0 && hasFeeDeduction(state, side.account))
      deductFromToken(into, side, ratePpm(book, side), needed);
  }

  /** Token deduction: replaces a fee by one in the platform token, if the account can pay that. */
  function deductFromToken(
    into: Commission,
    { account, received }: FillSide,
    ppm: number,
    needed: LaterPayments,
  ): void {
    const feeToken = state.feeToken.value;
    if (feeToken === null) return;
    const amount = tokenFee(state, into.asset, received, ppm);
    if (amount === null || amount > BigInt(Number.MAX_SAFE_INTEGER)) return;
    const row = ledger.balances.row(account, feeToken.token);
    if (!ledger.canPay(row, Number(amount), row === needed.row ? needed.amount : 0)) return;
    into.amount = Number(amount);
    into.asset = feeToken.token;
    into.row = row;
  }

  function payCommission({ row, asset, amount }: Commission, order: OrderNumber): void {
    if (amount === 0) return;
    ledger.post(row, -amount, 'fee', order);
    ledger.post(ledger.feeRow(asset), amount, 'fee', order);
  }

  return { ownCommission, commissionOf, payCommission };
}

/**
 * The share `ppm` of `received` units, in units of the token after its discount: exact, rounded up once; `null` if a
 * price is missing.
 */
function tokenFee(state: EngineState, asset: AssetId, received: number, ppm: number): bigint | null {
  const value = tokenValue(state, asset);
  if (value === null) return null;
  const discounted = BigInt(received) * BigInt(ppm) * (bigMillion - BigInt(state.feeToken.value!.discountPpm));
  const denominator = bigMillion * bigMillion * value.denominator;
  return (discounted * value.numerator + denominator - 1n) / denominator;
}
