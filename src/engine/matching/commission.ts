import { shareUp } from '#domain/fees.ts';
import type { AccountId, AssetId, OrderNumber } from '#domain/units.ts';
import { accountFlag } from '#engine/accounts/account-table.ts';
import type { Book } from '#engine/book/book.ts';
import type { Taker } from '#engine/matching/taker.ts';
import { tokenValue } from '#engine/matching/token-value.ts';
import type { EngineState } from '#engine/state.ts';

const million = 1_000_000n;

/** What one side of a fill pays, and in which asset. */
export interface Commission {
  amount: number;
  asset: AssetId;
  /** Balance row it is taken from; nothing is there if the amount is zero. */
  row: number;
}

/** One side of a fill after its payments and receipts. */
export interface FillSide {
  readonly account: AccountId;
  /** Balance row that received. */
  readonly gets: number;
  /** Units that it received. */
  readonly received: number;
  readonly isMaker: boolean;
}

/** What fills cost those who trade. */
export interface Commissions {
  /** The commission on what a side has received, in that asset, rounded up. */
  ownCommission(book: Book, side: FillSide): number;
  /**
   * The commission on what a side has received, written into `into`: in that asset, or in the platform token at its
   * discount, where the account wants that, prices are known and the token suffices. To be asked when all else of the
   * fill has been posted: the token suffices if what is free covers the whole fee. `promised` units of the balance that
   * the taker gives from are not free: later fills, or the other side's commission, will take them. DEC-ORD-15,
   * DEC-ORD-32, DEC-ORD-33.
   */
  commissionOf(into: Commission, book: Book, side: FillSide, promised: number): void;
  /** Moves a commission to the house. */
  payCommission(commission: Commission, order: OrderNumber): void;
}

/** Whether commissions of this account may be taken from its balance of this asset, whatever asset it received. */
export const mayPayFeeFrom = (state: EngineState, account: AccountId, asset: AssetId): boolean =>
  state.feeToken?.token === asset && wantsDeduction(state, account);

const wantsDeduction = (state: EngineState, account: AccountId): boolean =>
  state.accounts.has(account, accountFlag.feeDeduction);

/** The commissions of one engine and its taker. */
export function createCommissions(state: EngineState, taker: Taker): Commissions {
  const { ledger, accounts } = state;

  function ratePpm(book: Book, { account, isMaker }: FillSide): number {
    if (!accounts.has(account, accountFlag.ownRates)) return book.feePpm(isMaker);
    const record = accounts.records[account]!;
    return (isMaker ? record.makerFeePpm : record.takerFeePpm) ?? book.feePpm(isMaker);
  }

  const ownCommission = (book: Book, side: FillSide): number => shareUp(side.received, ratePpm(book, side));

  function commissionOf(into: Commission, book: Book, side: FillSide, promised: number): void {
    into.asset = ledger.assetOf(side.gets);
    into.row = side.gets;
    into.amount = ownCommission(book, side);
    if (into.amount > 0 && wantsDeduction(state, side.account))
      deductFromToken(into, side, ratePpm(book, side), promised);
  }

  /** Changes a commission into one in the platform token, if that can be paid. */
  function deductFromToken(into: Commission, { account, received }: FillSide, ppm: number, promised: number): void {
    const { feeToken } = state;
    if (feeToken === null) return;
    const amount = tokenFee(state, into.asset, received, ppm);
    if (amount === null || amount > BigInt(Number.MAX_SAFE_INTEGER)) return;
    const row = ledger.balances.row(account, feeToken.token);
    if (!ledger.canGive(row, Number(amount), row === taker.givesRow ? promised : 0)) return;
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
 * The share `ppm` of `received` units as units of the token after its discount: exact, rounded up once; `null` while a
 * price is missing.
 */
function tokenFee(state: EngineState, asset: AssetId, received: number, ppm: number): bigint | null {
  const value = tokenValue(state, asset);
  if (value === null) return null;
  const discounted = BigInt(received) * BigInt(ppm) * (million - BigInt(state.feeToken!.discountPpm));
  const denominator = million * million * value.denominator;
  return (discounted * value.numerator + denominator - 1n) / denominator;
}
