import type { NaiveFutures } from './naive-contracts.ts';
import { addFree, crossOf, freeOf, markedOf, termsOf } from './naive-contracts.ts';
import { fundingDue } from './naive-funding.ts';
import type { Marked, NaivePosition } from './naive-margin.ts';
import { greater, lesser, unrealised } from './naive-margin.ts';

// Who pays a funding and who gets it, written from the rules.

/** What a funding moved. */
export interface NaiveFunding {
  readonly paid: bigint;
  readonly received: bigint;
  /** Who could not pay all of it, by account; they are liquidated next. */
  readonly unable: readonly NaivePosition[];
}

/**
 * Funding of a contract: payers pay from what is free, then from the position's margin, and no more than they are
 * worth at the index, cross positions together and an isolated one by itself; receivers share what came in
 * where it is less than they are owed; the rest goes to the rounding account. DEC-FUT-14, DEC-FUT-50, DEC-FUT-103.
 */
export function settleFunding(state: NaiveFutures, contract: number, rate: bigint): NaiveFunding {
  const terms = termsOf(state, contract);
  const mark = state.marks.get(contract) ?? 0n;
  const dues = state.positions
    .filter((position) => position.contract === contract)
    .map((position) => ({ position, due: rate === 0n ? 0n : fundingDue(terms, position, mark, rate) }));
  const unable: NaivePosition[] = [];
  let paid = 0n;
  for (const { position, due } of dues.filter((one) => one.due > 0n)) {
    const most = payable(state, position);
    const fromFree = lesser(due, most.free);
    const fromMargin = lesser(due - fromFree, most.margin(fromFree));
    addFree(state, position.account, -fromFree);
    position.margin -= fromMargin;
    paid += fromFree + fromMargin;
    if (fromFree + fromMargin < due) unable.push(position);
  }
  const receivers = dues.filter((one) => one.due < 0n);
  const owed = receivers.reduce((total, one) => total - one.due, 0n);
  let received = 0n;
  for (const { position, due } of receivers) {
    const share = paid >= owed ? -due : (-due * paid) / owed;
    addFree(state, position.account, share);
    received += share;
  }
  state.rounding += paid - received;
  return { paid, received, unable };
}

/** What of an account's free money, and then of the margin of a position, may pay its funding. DEC-FUT-103. */
function payable(state: NaiveFutures, position: NaivePosition) {
  const { account, contract, margin } = position;
  const free = freeOf(state, account);
  if (account === termsOf(state, contract).fund) return { free: 0n, margin: () => 0n };
  const atIndex = ({ position: one, terms, index }: Marked): bigint => one.margin + unrealised(terms, one, index);
  const worth = crossOf(state, account).reduce((total, one) => total + atIndex(one), free);
  const some = greater(0n, lesser(free, worth));
  if (position.mode === 'isolated')
    return { free: some, margin: () => greater(0n, lesser(margin, atIndex(markedOf(state, position)))) };
  return { free: some, margin: (paid: bigint) => greater(0n, lesser(margin, worth - paid)) };
}
