import { parseSafeDecimal } from '#base/decimal.ts';
import { as, type AccountId, type Uid } from '#model/units.ts';
import type { ContactKind } from '#model/wallet.ts';
import type { EngineState } from '#engine/state/state.ts';

const uidPattern = /^[1-9]\d{0,14}$/;

/**
 * Whom a mail, uid or mobile number names; `null`: nobody. Accounts of the house and participants of the simulated
 * market have no name by which money can be sent to them. DEC-WAL-33, DEC-WAL-62.
 */
export function accountOfContact(state: EngineState, kind: ContactKind, target: string): AccountId | null {
  const account = named(state, kind, target);
  if (account === null || !state.accounts.isUser(account)) return null;
  return state.accounts.get(account)!.simulated ? null : account;
}

function named(state: EngineState, kind: ContactKind, target: string): AccountId | null {
  switch (kind) {
    case 'email':
      return state.contacts.ofEmail(target);
    case 'mobile':
      return state.contacts.ofMobile(target);
    case 'uid':
      return uidPattern.test(target) ? state.accounts.find(as<Uid>(parseSafeDecimal(target, 0) as number)) : null;
  }
}
