import { lesserOf } from '#base/whole-numbers.ts';
import { futuresWalletOf, house } from '#model/account.ts';
import type { ContractRules } from '#model/contract.ts';
import type { AccountId, Balance } from '#model/units.ts';
import { as, toAmount } from '#model/units.ts';
import { crossPositions, profitAt } from '#engine/futures/equity.ts';
import { fundingPayments, type FundingPayment } from '#engine/futures/funding-payments.ts';
import { marginOf } from '#engine/futures/position-margin.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import type { DueFunding } from '#engine/futures/update-mark.ts';
import type { EngineState } from '#engine/state/state.ts';
import { freeOf } from '#engine/money/free-balance.ts';

/** A position that pays or receives; `hold`: its margin, `noHold` if none is held. */
export interface FundedPosition {
  readonly account: AccountId;
  readonly lots: number;
  readonly hold: number;
}

/**
 * Posts a funding. Payers pay from what is free in their futures wallet, then from the margin of the position, but no
 * more than they are worth at the index; both may then be too little for the position, which the caller has to look
 * at. Receivers share what was paid: if payers could not pay all, each gets its part of it, rounded down. The rest goes
 * to the house's rounding. Returns who could not pay all, in the order of positions. DEC-FUT-14, DEC-FUT-29,
 * DEC-FUT-103.
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
  const { ledger } = state;
  const row = ledger.balances.row(futuresWalletOf(payment.account), rules.settle);
  const most = payable(state, rules, payment.account);
  const fromFree = lesserOf(payment.amount, most.free);
  const fromMargin = lesserOf(lesserOf(payment.amount, most.together) - fromFree, most.margin);
  if (fromFree > 0n) ledger.post(row, toAmount(-fromFree), 'funding', null);
  if (fromMargin > 0n) ledger.payFromHold(hold, toAmount(fromMargin), 'funding');
  return fromFree + fromMargin;
}

/**
 * What can be taken for the funding of a position: of what is free, of its margin, and of both together. An account
 * that paid more than it is worth at the index could be liquidated at the cost of the insurance fund only. The fund
 * itself pays nothing, or two accounts could hand it a position just before. DEC-FUT-103.
 */
function payable(state: EngineState, { id, settle }: ContractRules, account: AccountId) {
  if (account === state.contracts.at(id).insurer) return { free: 0n, margin: 0n, together: 0n };
  const position = state.positions.find(account, id)!;
  const free = freeOf(state, futuresWalletOf(account), settle);
  const margin = marginOf(state, position);
  const worth = crossPositions(state, account, settle).reduce((sum, each) => sum + worthAtIndex(state, each), free);
  const fromFree = atLeastNone(lesserOf(free, worth));
  if (position.mode === 'cross') return { free: fromFree, margin, together: atLeastNone(worth) };
  const fromMargin = atLeastNone(lesserOf(margin, worthAtIndex(state, position)));
  return { free: fromFree, margin: fromMargin, together: fromFree + fromMargin };
}

const worthAtIndex = (state: EngineState, position: Position): bigint =>
  marginOf(state, position) + profitAt(state, position, 'index');

const atLeastNone = (amount: bigint): bigint => (amount > 0n ? amount : 0n);
