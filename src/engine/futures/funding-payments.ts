import type { AccountId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { dividedUp } from '#base/whole-numbers.ts';
import { rateScale } from '#engine/state/futures/funding-rate.ts';
import { marksPerTick } from '#engine/state/futures/mark-price.ts';

/** What the payments of a funding follow from. */
export interface FundingTerms {
  /** In parts per 10^8: longs pay it to shorts, below zero shorts pay. */
  readonly rate: number;
  /** In steps of 10^-markDecimals. */
  readonly fair: number;
  /** Units of the settle asset in one tick times one lot. */
  readonly quotePerTickLot: number;
  readonly priceDecimals: number;
}

/** What an account pays, in units of the settle asset; below zero it receives. */
export interface FundingPayment {
  readonly account: AccountId;
  readonly amount: Balance;
}

/** The payments of one funding. `paid` − `received` is the rest of rounding, which is never below zero. */
export interface FundingPayments {
  /** In the order of the positions; without payments of nothing. */
  readonly payments: readonly FundingPayment[];
  readonly paid: Balance;
  readonly received: Balance;
}

/**
 * What a position pays: lots × contract size × fair price × rate. Payers are rounded up and receivers down, so the
 * signed amount is rounded up. DEC-FUT-14.
 */
export function fundingPayment(lots: number, terms: FundingTerms): Balance {
  const { rate, fair, quotePerTickLot, priceDecimals } = terms;
  const over = BigInt(lots) * BigInt(quotePerTickLot) * BigInt(fair) * BigInt(rate);
  return as<Balance>(dividedUp(over, marksPerTick(priceDecimals) * rateScale));
}

/** What each of the positions pays; lots above zero are long, below zero short, and sum up to zero. DEC-FUT-14. */
export function fundingPayments(
  positions: Iterable<{ readonly account: AccountId; readonly lots: number }>,
  terms: FundingTerms,
): FundingPayments {
  const payments: FundingPayment[] = [];
  let paid = 0n;
  let received = 0n;
  for (const { account, lots } of positions) {
    const amount = fundingPayment(lots, terms);
    if (amount === 0n) continue;
    payments.push({ account, amount });
    if (amount > 0n) paid += amount;
    else received -= amount;
  }
  return { payments, paid: as<Balance>(paid), received: as<Balance>(received) };
}
