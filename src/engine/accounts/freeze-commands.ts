import type { AccountStatus } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId } from '#model/units.ts';
import { changeAccount } from '#engine/accounts/account-commands.ts';
import { refuse, type CommandFunction, type CommandTable } from '#engine/money/command-function.ts';
import type { Cancelling } from '#engine/spot/cancel-order.ts';
import { collectLosses } from '#engine/money/collect-losses.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Sets what an account may do. One that may no longer trade keeps no open orders. DEC-SUB-102. */
const setAccountStatus: CommandFunction<'setAccountStatus'> = (state, { account, status }) => {
  if (!state.accounts.isUser(account)) refuse(state, 'unknownAccount');
  else if (state.accounts.isClosed(account)) refuse(state, 'accountClosed');
  else if (status === 'closed') refuse(state, 'invalidConfiguration');
  else changeStatus(state, account, status);
};

/**
 * Changes the status of a user's account. Where it may no longer trade, its orders and those of sub-accounts that are
 * frozen with it are cancelled: as many as one entry may by the end of it, the rest by `cancelFrozenOrders`.
 */
export function changeStatus(state: EngineState, account: AccountId, status: AccountStatus): void {
  changeAccount(state, account, { status });
  if (status !== 'normal') state.frozenOrders.add(account);
}

/**
 * Switches what an account may do; its sub-accounts follow, unless it is a broker. Its orders are cancelled as those of
 * one that is frozen, where they are to be. DEC-OPR-167.
 */
const setAccountSwitches: CommandFunction<'setAccountSwitches'> = (state, { account, switches, cancelOrders }) => {
  if (cancelOrders && switches.trade) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  changeAccount(state, account, { switches });
  if (cancelOrders && state.accounts.isUser(account)) state.frozenOrders.add(account);
};

/**
 * Cancels open orders of frozen accounts, the first account first, as many as one entry may. An account that may trade
 * again meanwhile keeps what it still has. What comes free pays first for deposits that left their chain.
 */
export function cancelSomeFrozen(state: EngineState, { cancelOldest }: Cancelling): void {
  const { frozenOrders, accounts } = state;
  frozenOrders.isFresh = false;
  let left: number = engineLimits.cancelledOrdersPerEntry;
  for (let account = frozenOrders.next; account !== null && left > 0; account = frozenOrders.next) {
    if (accounts.isStopped(account)) {
      left -= cancelOldest(account, left);
      collectLosses(state, account);
    }
    if (!accounts.isStopped(account) || accounts.openCount(account) === 0) frozenOrders.delete(account);
  }
}

/** The functions of commands that freeze and go on with it, with this matching. */
export const freezeCommands = (matching: Cancelling) =>
  ({
    setAccountStatus,
    setAccountSwitches,
    cancelFrozenOrders: (state) => cancelSomeFrozen(state, matching),
  }) satisfies Partial<CommandTable>;
