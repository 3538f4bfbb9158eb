import type { AccountId } from '#model/units.ts';
import { remainsOf } from '#engine/accounts/closing-commands.ts';
import type { StateMachine } from '#engine/create-engine.ts';

/** Questions of those who help the users; see `exchangeQueries`. */
export function supportQueries({ state }: StateMachine) {
  return {
    /** Accounts of a name, sub-accounts too, in the order of opening; case and blanks around do not count. */
    accountsNamed: async (name: string) => [...state.accounts.named(name)],
    /** What an account of a user still has: each a reason not to close it. */
    remainsOf: async (account: AccountId) => remainsOf(state, account),
    /** By id. */
    webhooks: async () => state.webhooks.all(),
    webhook: async (id: string) => state.webhooks.find(id),
  };
}
