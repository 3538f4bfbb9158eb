import { shareUp } from '#domain/fees.ts';
import type { AccountId, AssetId, OrderNumber } from '#domain/units.ts';
import { accountFlag } from '#engine/accounts/account-table.ts';
import type { Book } from '#engine/book/book.ts';
import { lastTokenValue } from '#engine/matching/token-value.ts';
import type { EngineState } from '#engine/state.ts';

const million = 1_000_000n;

/** The fee of one side of a fill, and the asset it is paid in. Reused: read it before the next call. */
export interface Commission {
  amount: number;
  asset: AssetId;
  /** Balance row that pays it. */
  row: number;
}

/** Fees of fills by rules version 1. */
export interface Commissions {
  /**
   * Fee on `received` units of balance row `gets`: in the received asset, rounded up; or by token deduction in the
   * platform token at its discount, if the account has it enabled, prices are known and the token balance suffices.
   * DEC-ORD-16.
   */
  commissionOf(book: Book, account: AccountId, gets: number, received: number, isMaker: boolean): Commission;
  /** Posts the payment of a fee. */
  payCommission(row: number, amount: number, order: OrderNumber): void;
  /** Posts the receipt of a fee by the house. */
  bookCommission(asset: AssetId, amount: number, order: OrderNumber): void;
}

/** Creates the fee functions of rules version 1: it computes a token fee from a fee that was rounded up already. */
export function createCommissionsOfRules1(state: EngineState): Commissions {
  const { ledger, accounts } = state;
  const commission: Commission = { amount: 0, asset: 0 as AssetId, row: 0 };

  function commissionOf(book: Book, account: AccountId, gets: number, received: number, isMaker: boolean): Commission {
    let ppm = book.feePpm(isMaker);
    if (accounts.has(account, accountFlag.ownRates)) {
      const record = accounts.records[account]!;
      ppm = (isMaker ? record.makerFeePpm : record.takerFeePpm) ?? ppm;
    }
    commission.asset = ledger.assetOf(gets);
    commission.row = gets;
    commission.amount = ppm === 0 ? 0 : shareUp(received, ppm);
    if (accounts.has(account, accountFlag.feeDeduction) && commission.amount > 0)
      deductFromToken(state, account, commission);
    return commission;
  }

  function payCommission(row: number, amount: number, order: OrderNumber): void {
    if (amount > 0) ledger.post(row, -amount, 'fee', order);
  }

  function bookCommission(asset: AssetId, amount: number, order: OrderNumber): void {
    if (amount > 0) ledger.post(ledger.feeRow(asset), amount, 'fee', order);
  }

  return { commissionOf, payCommission, bookCommission };
}

/** Token deduction: replaces the fee by one in the platform token, if the account can pay that. */
function deductFromToken(state: EngineState, account: AccountId, commission: Commission): void {
  const { feeToken } = state;
  if (feeToken === null) return;
  const row = state.ledger.balances.find(account, feeToken.token);
  if (row < 0) return;
  const amount = tokenAmount(state, commission.asset, commission.amount);
  if (amount === null || amount > BigInt(Number.MAX_SAFE_INTEGER)) return;
  if (!state.ledger.canPay(row, Number(amount))) return;
  commission.amount = Number(amount);
  commission.asset = feeToken.token;
  commission.row = row;
}

/** `fee` units of `asset`, in units of the token after its discount, rounded up; `null` if a price is missing. */
function tokenAmount(state: EngineState, asset: AssetId, fee: number): bigint | null {
  const value = lastTokenValue(state, asset);
  if (value === null) return null;
  const discounted = BigInt(fee) * (million - BigInt(state.feeToken!.discountPpm));
  const denominator = million * value.denominator;
  return (discounted * value.numerator + denominator - 1n) / denominator;
}
