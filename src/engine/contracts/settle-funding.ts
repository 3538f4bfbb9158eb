import { futuresWalletOf, house } from '#domain/account.ts';
import type { ContractRules } from '#domain/contract.ts';
import type { AccountId, Balance } from '#domain/units.ts';
import { as, toAmount } from '#domain/units.ts';
import { fundingPayments, type FundingPayment } from '#engine/contracts/funding-payments.ts';
import type { DueFunding } from '#engine/contracts/update-mark.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { EngineState } from '#engine/state.ts';

/** A position that pays or receives; `hold`: its margin, `noHold` if none is held. */
export interface FundedPosition {
  readonly account: AccountId;
  readonly lots: number;
  readonly hold: number;
}

/**
 * Posts a funding. Payers pay from what is free in their futures wallet, then from the margin of the position; both
 * may then be too little for the position, which the caller has to look at. Receivers share what was paid: if payers
 * could not pay all, each gets its part of it, rounded down. The rest goes to the house's rounding. Returns who could
 * not pay all, in the order of positions. DEC-FUT-14, DEC-FUT-29.
 */
export function settleFunding(
  state: EngineState,
  rules: ContractRules,
  positions: Iterable<FundedPosition>,
  { at, rate, fair }: DueFunding,
): readonly AccountId[] {
  const { ledger } = state;
  const { quotePerTickLot } = state.books[rules.id]!;
  const all = [...positions];
  const terms = { rate, fair, quotePerTickLot, priceDecimals: rules.priceDecimals };
  const { payments, received: owed } = fundingPayments(all, terms);
  const holds = new Map(all.map(({ account, hold }) => [account, hold]));
  const debtors: AccountId[] = [];
  let paid = 0n;
  for (const payment of payments) {
    if (payment.amount < 0n) continue;
    const collected = collect(state, rules, payment, holds.get(payment.account)!);
    if (collected < payment.amount) debtors.push(payment.account);
    paid += collected;
  }
  let received = 0n;
  for (const { account, amount } of payments) {
    if (amount > 0n) continue;
    const share = paid < owed ? (-amount * paid) / owed : -amount;
    received += share;
    if (share > 0n)
      ledger.post(ledger.balances.row(futuresWalletOf(account), rules.settle), toAmount(share), 'funding', null);
  }
  if (paid > received)
    ledger.post(ledger.balances.row(house.rounding, rules.settle), toAmount(paid - received), 'funding', null);
  const settlement = { contract: rules.id, at, rate, fair, paid: as<Balance>(paid), received: as<Balance>(received) };
  state.emit.fact({ kind: 'fundingSettled', funding: settlement });
  return debtors;
}

/** Takes a payment, or as much of it as there is; returns how much. */
function collect(state: EngineState, rules: ContractRules, payment: FundingPayment, hold: number): bigint {
  const { ledger, holds } = state;
  const row = ledger.balances.row(futuresWalletOf(payment.account), rules.settle);
  const fromFree = least(payment.amount, ledger.balances.free.get(row));
  const margin = hold === noHold ? 0n : BigInt(holds.amount(hold));
  const fromMargin = least(payment.amount - fromFree, margin);
  if (fromFree > 0n) ledger.post(row, toAmount(-fromFree), 'funding', null);
  if (fromMargin > 0n) ledger.payFromHold(hold, toAmount(fromMargin), 'funding');
  return fromFree + fromMargin;
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
