import { futuresWalletOf } from '#model/account.ts';
import type { AccountId, AssetId, Balance, SymbolId } from '#model/units.ts';
import type { WalletKind } from '#model/wallet.ts';
import { changeAccount, removeKey } from '#engine/accounts/account-commands.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { pendingRebatesOf } from '#engine/rebates/pending-rebates.ts';
import type { EngineState } from '#engine/state/state.ts';

/** What an account still has, each a reason not to close it. */
export interface AccountRemains {
  /** Free and held together, by wallet. */
  readonly balances: readonly { readonly wallet: WalletKind; readonly asset: AssetId; readonly amount: Balance }[];
  readonly openOrders: number;
  /** Contracts of open positions. */
  readonly positions: readonly SymbolId[];
  /** Withdrawals that are not final. */
  readonly withdrawals: number;
  /** Deposits that are not final, and lost ones that their chain may bring back, by number. */
  readonly deposits: readonly number[];
  /** Whether rebates of it wait for their settlement. */
  readonly hasRebates: boolean;
  /** Sub-accounts that are not closed. */
  readonly subAccounts: readonly AccountId[];
}

/** Everything that an account of a user still has. It reads all accounts and all deposits that wait. */
export function remainsOf(state: EngineState, account: AccountId): AccountRemains {
  const { accounts, positions, withdrawals, deposits } = state;
  const waiting = deposits.allWaiting().filter((deposit) => deposit.account === account);
  return {
    balances: [...balancesIn(state, account, 'spot'), ...balancesIn(state, account, 'futures')],
    openOrders: accounts.openCount(account),
    positions: positions.of(account).map(({ contract }) => contract),
    withdrawals: withdrawals.inProgressOf(account),
    deposits: [...waiting, ...deposits.lostOf(account)].map(({ deposit }) => deposit),
    hasRebates: pendingRebatesOf(state, account, 1).length > 0,
    subAccounts: accounts.records
      .filter((each) => each.master === account && each.account !== account && each.status !== 'closed')
      .map((each) => each.account),
  };
}

function balancesIn({ ledger: { balances } }: EngineState, account: AccountId, wallet: WalletKind) {
  const owner = wallet === 'spot' ? account : futuresWalletOf(account);
  const found: AccountRemains['balances'][number][] = [];
  for (let row = balances.first(owner); row >= 0; row = balances.next(row)) {
    const amount = (BigInt(balances.free.get(row)) + BigInt(balances.held.get(row))) as Balance;
    if (amount !== 0n) found.push({ wallet, asset: balances.assetOf(row) as AssetId, amount });
  }
  return found.sort((first, second) => first.asset - second.asset);
}

const isNothing = ({ openOrders, withdrawals, hasRebates, ...lists }: AccountRemains): boolean =>
  openOrders === 0 && withdrawals === 0 && !hasRebates && Object.values(lists).every(({ length }) => length === 0);

/**
 * Closes an account that has nothing left: its keys end, and nothing comes to it until it is opened again. What is paid
 * to its addresses waits for operators, as with every account that is not usable. DEC-OPR-235, DEC-OPR-236.
 */
export const setAccountClosed: CommandFunction<'setAccountClosed'> = (state, { account, closed }) => {
  const { accounts, keys, contracts } = state;
  if (!accounts.isUser(account)) refuse(state, 'unknownAccount');
  else if (!closed) reopen(state, account);
  else if (accounts.isClosed(account)) refuse(state, 'accountClosed');
  else if (contracts.isInsurer(account)) refuse(state, 'accountNotUsable');
  else if (!isNothing(remainsOf(state, account))) refuse(state, 'accountNotEmpty');
  else {
    for (const key of [...keys.of(account)]) removeKey(state, key);
    changeAccount(state, account, { status: 'closed' });
  }
};

function reopen(state: EngineState, account: AccountId): void {
  const { accounts } = state;
  if (!accounts.isClosed(account)) refuse(state, 'wrongState');
  else if (accounts.isClosed(accounts.master(account)) && !accounts.isMaster(account)) refuse(state, 'accountClosed');
  else changeAccount(state, account, { status: 'normal' });
}
