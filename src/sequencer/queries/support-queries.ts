import type { StateMachine } from '#engine/create-engine.ts';

/** Questions of those who help the users; see `exchangeQueries`. */
export function supportQueries({ state }: StateMachine) {
  return {
    /** Accounts of a name, sub-accounts too, in the order of opening; case and blanks around do not count. */
    accountsNamed: async (name: string) => [...state.accounts.named(name)],
  };
}
