import { type AccountView, allSwitchedOn } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';

/** What is decided when an account is opened; `master` null: its own. */
type NewAccount = Pick<AccountView, 'uid' | 'name' | 'class' | 'kycLevel' | 'simulated'> & {
  readonly master: AccountId | null;
};

/** Whether an account may be a participant of a simulated market: in sandboxes only. DEC-OPR-101. */
export const maySimulate = ({ profile }: EngineState): boolean => profile.value !== 'production';

/** Adds an account with the next id and tells it. Its uid is nobody's. */
export function addAccount({ accounts, at, emit }: EngineState, opened: NewAccount): AccountView {
  const account = as<AccountId>(accounts.size);
  accounts.put({
    account,
    uid: opened.uid,
    name: opened.name,
    master: opened.master ?? account,
    class: opened.class,
    status: 'normal',
    kycLevel: opened.kycLevel,
    simulated: opened.simulated,
    feeDeduction: false,
    makerFeePpm: null,
    takerFeePpm: null,
    openOrdersMax: engineLimits.openOrdersPerAccount,
    switches: allSwitchedOn,
    openedAt: at,
  });
  const view = accounts.get(account)!;
  emit.fact({ kind: 'accountOpened', account: view });
  return view;
}
