import type { CommandFunction } from '#engine/money/command-function.ts';
import { refuse } from '#engine/money/command-function.ts';
import type { EngineState } from '#engine/state/state.ts';

/** A running number that clients see in ids: the last one that was given. */
interface RunningNumber {
  of(state: EngineState): number;
  raise(state: EngineState, to: number): void;
}

const ofTable = <Name extends keyof EngineState, Member extends keyof EngineState[Name]>(
  table: Name,
  last: Member,
): RunningNumber => ({
  of: (state) => state[table][last] as number,
  raise: (state, to) => {
    (state[table] as Record<Member, number>)[last] = to;
  },
});

const runningNumbers: readonly RunningNumber[] = [
  ofTable('tables', 'lastOrder'),
  ofTable('deposits', 'lastDeposit'),
  ofTable('withdrawals', 'lastWithdrawal'),
  ofTable('transfers', 'lastTransfer'),
  ofTable('universalTransfers', 'lastTransfer'),
  ofTable('sends', 'lastTransfer'),
  ofTable('conversions', 'lastConversion'),
];

/** What an exchange has given of the numbers that clients see in ids. */
export interface GivenNumbers {
  /** The greatest number of an order, a trade, a deposit, a withdrawal, a transfer or a conversion. */
  readonly number: number;
  /** How many uids were given or passed over. */
  readonly uids: number;
}

/** What was given so far. */
export const givenNumbersOf = (state: EngineState): GivenNumbers => ({
  number: Math.max(...runningNumbers.map((each) => each.of(state)), ...state.books.map(({ trades }) => trades)),
  uids: state.givenUids.passed,
});

/**
 * Passes over numbers that an exchange gave which was put back since: all that are given from now on are greater.
 * Numbers that are there already stay as they are. Sandboxes only. DEC-KIT-13.
 */
export const raiseNumbers: CommandFunction<'raiseNumbers'> = (state, { number, uids }) => {
  if (state.profile.value !== 'sandbox') {
    refuse(state, 'wrongState');
    return;
  }
  for (const each of runningNumbers) each.raise(state, Math.max(each.of(state), number));
  for (const book of state.books) book.trades = Math.max(book.trades, number);
  state.givenUids.passOver(uids);
  state.emit.fact({ kind: 'numbersRaised', number, uids });
};
