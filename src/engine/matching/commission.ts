import { shareUp } from '#domain/fees.ts';
import type { AccountId, AssetId, OrderNumber } from '#domain/units.ts';
import { accountShift, accountWord, accountFlag } from '#engine/accounts/account-table.ts';
import type { Book } from '#engine/book/book.ts';
import type { Taker } from '#engine/matching/taker.ts';
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
  /**
   * The commission on what a side has received, written into `into`: in that asset, rounded up; or in the platform
   * token at its discount, where the account wants that, prices are known and the token suffices. To be asked when all
   * else that the fill posts has been posted: the token suffices if what is free covers the whole fee and what later
   * fills of the taker will take.
   */
  commissionOf(into: Commission, book: Book, side: FillSide): void;
  /** Moves a commission to the house. */
  payCommission(commission: Commission, order: OrderNumber): void;
}

/** Whether commissions of this account may be taken from its balance of this asset, whatever asset it received. */
export const mayPayFeeFrom = (state: EngineState, account: AccountId, asset: AssetId): boolean =>
  state.feeToken?.token === asset &&
  (state.accounts.words[(account << accountShift) | accountWord.flags]! & accountFlag.feeDeduction) !== 0;

/** The commissions of one engine and its taker. */
export function createCommissions(state: EngineState, taker: Taker): Commissions {
  const { ledger, accounts } = state;

  function commissionOf(into: Commission, book: Book, { account, gets, received, isMaker }: FillSide): void {
    const flags = accounts.words[(account << accountShift) | accountWord.flags]!;
    let ppm = book.feePpm(isMaker);
    if ((flags & accountFlag.ownRates) !== 0) {
      const record = accounts.records[account]!;
      ppm = (isMaker ? record.makerFeePpm : record.takerFeePpm) ?? ppm;
    }
    into.asset = ledger.assetOf(gets);
    into.row = gets;
    into.amount = ppm === 0 ? 0 : shareUp(received, ppm);
    if ((flags & accountFlag.feeDeduction) !== 0 && into.amount > 0) deductFromToken(into, account, received, ppm);
  }

  /** Changes a commission into one in the platform token, if that can be paid. */
  function deductFromToken(into: Commission, account: AccountId, received: number, ppm: number): void {
    const { feeToken } = state;
    if (feeToken === null) return;
    const amount = tokenFee(state, into.asset, received, ppm);
    if (amount === null || amount > BigInt(Number.MAX_SAFE_INTEGER)) return;
    const row = ledger.balances.row(account, feeToken.token);
    const promised = row === taker.givesRow ? taker.toGive : 0;
    if (!ledger.canGive(row, Number(amount), promised)) return;
    into.amount = Number(amount);
    into.asset = feeToken.token;
    into.row = row;
  }

  function payCommission({ row, asset, amount }: Commission, order: OrderNumber): void {
    if (amount === 0) return;
    ledger.post(row, -amount, 'fee', order);
    ledger.post(ledger.feeRow(asset), amount, 'fee', order);
  }

  return { commissionOf, payCommission };
}

/**
 * The share `ppm` of `received` units as units of the token after its discount: exact, rounded up once; `null` while a
 * price is missing.
 */
function tokenFee(state: EngineState, asset: AssetId, received: number, ppm: number): bigint | null {
  const { token, valuedIn, discountPpm } = state.feeToken!;
  let numerator = BigInt(received) * BigInt(ppm) * (million - BigInt(discountPpm));
  let denominator = million * million;
  if (asset !== token) {
    if (asset !== valuedIn) {
      const priced = state.bookByAssets.get(`${asset}/${valuedIn}`);
      if (priced === undefined || priced.lastPrice === 0) return null;
      numerator *= BigInt(priced.lastPrice) * BigInt(priced.quotePerTickLot);
      denominator *= BigInt(priced.basePerLot);
    }
    if (token !== valuedIn) {
      const priced = state.bookByAssets.get(`${token}/${valuedIn}`);
      if (priced === undefined || priced.lastPrice === 0) return null;
      numerator *= BigInt(priced.basePerLot);
      denominator *= BigInt(priced.lastPrice) * BigInt(priced.quotePerTickLot);
    }
  }
  return (numerator + denominator - 1n) / denominator;
}
