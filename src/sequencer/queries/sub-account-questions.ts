import type { SubAccountView } from '#model/sub-account.ts';
import type { AccountId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { refusalOfOpening } from '#engine/accounts/sub-account-commands.ts';
import type { EngineState } from '#engine/state/state.ts';
import { transferableOf } from '#engine/wallet/transferable.ts';
import type { SubAccountPage, SubAccountQueries } from '#sequencer/queries/sub-account-queries.ts';

/** The query port of sub-accounts where asker and engine share a process. */
export function subAccountQuestions({ state }: StateMachine): SubAccountQueries {
  const { subAccounts } = state;
  return {
    page: async (master, asked) => pageOf(state, master, asked),
    accountsOf: async (master) => [...subAccounts.ofMaster(master)],
    named: async (master, name) => subAccounts.named(master, name),
    of: async (account) => subAccounts.of(account),
    refusalOfOpening: async (command) => refusalOfOpening(state, command),
    transferable: async (account, wallet, asset) => as<Balance>(transferableOf(state, account, wallet, asset)),
  };
}

/** Without a filter it costs what the page has, however many there are. */
function pageOf(
  state: EngineState,
  master: AccountId,
  { name, isFrozen, offset, limit }: SubAccountPage,
): { items: readonly SubAccountView[]; total: number } {
  const { accounts, subAccounts } = state;
  const ofName = name === undefined ? null : subAccounts.named(master, name);
  const candidates = name === undefined ? subAccounts.ofMaster(master) : ofName === null ? [] : [ofName.account];
  const matching =
    isFrozen === undefined
      ? candidates
      : candidates.filter((account) => (accounts.statusOf(account) === 'frozen') === isFrozen);
  const items = matching.slice(offset, offset + limit).map((account) => subAccounts.of(account)!);
  return { items, total: matching.length };
}
