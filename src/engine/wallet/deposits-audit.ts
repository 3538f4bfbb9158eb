import { isSettled } from '#engine/wallet/deposit-states.ts';
import type { Deposits } from '#engine/wallet/deposits.ts';

/**
 * Adds what is wrong with the deposits: a payment is among the settled ones if and only if its deposit is settled (I28),
 * sums of small deposits are theirs, and an account paid no more of a lost deposit than it was.
 */
export function auditDeposits(deposits: Deposits, faults: string[]): void {
  const sums = new Map<number, bigint>();
  for (const deposit of deposits.all()) {
    const { status, amount } = deposit;
    const name = `deposit ${deposit.deposit}`;
    if (deposits.settled.has(deposit) !== isSettled(status)) faults.push(`${name} is ${status} and not remembered so`);
    if (status === 'removed' || deposit.isInside) faults.push(`${name} is over and still there`);
    if (deposit.deposit > deposits.lastDeposit) faults.push(`${name} has a number that was not given`);
    const paid = deposits.fromAccount(deposit.deposit);
    if (paid < 0n || paid > amount) faults.push(`the account of ${name} paid ${paid} of ${amount}`);
    if (status === 'small') sums.set(deposit.deposit, amount);
  }
  for (const { sum, deposits: numbers } of deposits.small.all()) {
    let found = 0n;
    for (const number of numbers) {
      found += sums.get(number) ?? 0n;
      sums.delete(number);
    }
    if (found !== sum) faults.push(`small deposits are ${found} together, not ${sum}`);
  }
  if (sums.size > 0) faults.push(`${sums.size} small deposits are in no sum`);
}
