import { accountOfReferCode } from '#domain/refer-code.ts';
import type { AccountId } from '#domain/units.ts';
import type { EngineState } from '#engine/state.ts';

/** The account that invites under a code; `null`: nobody. Sub-accounts do not invite. */
export function ownerOfInviteCode({ accounts }: EngineState, code: string): AccountId | null {
  const owner = accountOfReferCode(code);
  return owner !== null && accounts.isMaster(owner) ? owner : null;
}
