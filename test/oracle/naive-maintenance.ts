import type { NaiveFillSide, NaiveFutures } from './naive-contracts.ts';
import {
  crossOf,
  freeOf,
  markedOf,
  payForSelf,
  positionOf,
  settingOf,
  settleSide,
  termsOf,
} from './naive-contracts.ts';
import { lackAt, magnitude } from './naive-margin.ts';

// Whether a fill may happen, written from the rules: it is carried out on a copy, which is looked at afterwards.

/** What an account's cross positions lack beyond what is free, at fair prices or at the indices. */
const shortfallBeyondFree = (state: NaiveFutures, account: number, price: 'mark' | 'index'): bigint =>
  crossOf(state, account).reduce((total, one) => total + lackAt(one, one[price]), -freeOf(state, account));

/**
 * Whether a side of a fill, carried out on a copy of all there is, leaves its account at or above maintenance, at the
 * fair price and at the index. What is free covers what cross positions lack; a fill that opens nothing may leave that
 * uncovered, too, if no more is lacking than before. Funds have no margin. DEC-FUT-101, DEC-FUT-102.
 */
export function keepsMaintenance(state: NaiveFutures, fill: NaiveFillSide, isSelf: boolean): boolean {
  const { account, contract, lots } = fill;
  if (account === termsOf(state, contract).fund) return true;
  const copy: NaiveFutures = {
    ...state,
    free: new Map(state.free),
    orders: state.orders.map((order) => ({ ...order })),
    positions: state.positions.map((position) => ({ ...position })),
    settings: new Map(state.settings),
  };
  const before = positionOf(state, account, contract)?.lots ?? 0n;
  if (isSelf) payForSelf(copy, fill);
  else settleSide(copy, fill);
  const opens = !isSelf && (before === 0n || before > 0n === lots > 0n || magnitude(lots) > magnitude(before));
  const isCross = settingOf(state, account, contract).mode === 'cross';
  const own = positionOf(copy, account, contract);
  return (['mark', 'index'] as const).every((price) => {
    if (opens && !isCross && own !== undefined) {
      const marked = markedOf(copy, own);
      if (lackAt(marked, marked[price]) > 0n) return false;
    }
    const lacking = shortfallBeyondFree(copy, account, price);
    return lacking <= 0n || (!(opens && isCross) && lacking <= shortfallBeyondFree(state, account, price));
  });
}
