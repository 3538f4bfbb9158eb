import type { Invitation } from '#model/rebate.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Notes who invited a new account, and tells it; `null` if the code is nobody's. Call it in the command that opens the
 * account, after `accountOpened`. DEC-SUB-23.
 */
export function inviteAccount(state: EngineState, account: AccountId, code: string): Invitation | null {
  const owner = state.inviteCodes.find(code)?.owner ?? account;
  if (owner === account) return null;
  const never = as<TimestampMs>(0);
  const invitation: Invitation = {
    account,
    inviter: owner,
    code,
    invitedAt: state.at,
    firstDepositAt: never,
    lastDepositAt: never,
    firstTradeAt: never,
    lastTradeAt: never,
  };
  state.invitations.put(invitation);
  state.emit.fact({ kind: 'accountInvited', invitation });
  return invitation;
}
