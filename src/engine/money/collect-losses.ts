import { innerHouse } from '#model/account.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Takes what an account has free for its deposits that left their chain, the first deposit first, where the house had
 * to pay for it: money that orders or withdrawals held then, and that is free now. DEC-WAL-153.
 */
export function collectLosses(state: EngineState, account: AccountId): void {
  const { deposits } = state;
  for (const deposit of deposits.lostOf(account)) {
    const paid = deposits.fromAccount(deposit.deposit);
    const owed = deposit.amount - paid;
    const missing = owed - freeOf(state, account, deposit.asset);
    const left = missing > 0n ? missing : 0n;
    const taken = owed - left;
    if (taken === 0n) continue;
    state.ledger.move(account, innerHouse.chainLosses, deposit.asset, taken, 'chainLoss');
    deposits.setFromAccount(deposit.deposit, paid + taken);
    const [fromAccount, fromHouse] = [as<typeof deposit.amount>(paid + taken), as<typeof deposit.amount>(left)];
    state.emit.fact({ kind: 'depositLost', deposit, fromAccount, fromHouse });
  }
}
