import type { NaiveFutures } from './naive-contracts.ts';
import { addFree, crossOf, freeOf, termsOf } from './naive-contracts.ts';
import type { NaivePosition } from './naive-margin.ts';
import { backing, lesser, nearestTick, notional } from './naive-margin.ts';

/** A position that a delivery ended. */
export interface NaiveDelivered {
  readonly account: number;
  readonly contract: number;
  readonly lots: bigint;
  readonly ticks: bigint;
  readonly realised: bigint;
  /** What the fund paid for it; of its own position what it lost. */
  readonly fromFund: bigint;
}

/**
 * Settles every position of a contract at its fair price, to the tick. Losers pay, the fund first, what is behind their
 * positions, and the fund what they lack. Winners share what came in, the fund after all others; what was paid out for
 * profits before and is missing now, the house gives. DEC-FUT-56.
 */
export function deliver(state: NaiveFutures, contract: number, last: bigint): NaiveDelivered[] {
  const terms = termsOf(state, contract);
  const mark = state.marks.get(contract) ?? 0n;
  const ticks = mark === 0n ? last : nearestTick(terms, mark);
  const done: NaiveDelivered[] = [];
  const all = state.positions.filter((position) => position.contract === contract);
  const isFund = ({ account }: NaivePosition): boolean => account === terms.fund;
  const ordered = [...all.filter(isFund), ...all.filter((position) => !isFund(position))];
  const profits = new Map(ordered.map((one) => [one, notional(terms, ticks, one.lots) - one.cost]));
  const profitOf = (position: NaivePosition): bigint => profits.get(position) as bigint;
  // What the clearing has for these positions.
  let pot = -all.reduce((total, { cost }) => total + cost, 0n);

  const end = (position: NaivePosition, realised: bigint, covered: bigint): void => {
    const { account, lots } = position;
    addFree(state, account, position.margin + realised);
    state.positions.splice(state.positions.indexOf(position), 1);
    state.clearing -= realised;
    pot -= realised;
    done.push({ account, contract, lots, ticks, realised, fromFund: isFund(position) ? -realised : covered });
  };

  for (const position of ordered.filter((one) => profitOf(one) < 0n)) {
    const loss = -profitOf(position);
    const paid = lesser(loss, backing(position, freeOf(state, position.account), crossOf(state, position.account)));
    const free = freeOf(state, terms.fund) + (isFund(position) ? -paid : 0n);
    const covered = lesser(loss - paid, free);
    end(position, -paid, covered);
    addFree(state, terms.fund, -covered);
    state.clearing += covered;
    pot += covered;
  }
  if (pot < 0n) {
    state.clearing -= pot;
    state.transferredIn -= pot;
    pot = 0n;
  }
  for (const winners of [ordered.filter((one) => !isFund(one)), ordered.filter(isFund)]) {
    const own = winners.filter((one) => profitOf(one) >= 0n);
    const owed = own.reduce((total, one) => total + profitOf(one), 0n);
    const there = pot;
    for (const one of own) end(one, there < owed ? (profitOf(one) * there) / owed : profitOf(one), 0n);
  }
  state.rounding += pot;
  state.clearing -= pot;
  state.fundSince.delete(contract);
  return done;
}
