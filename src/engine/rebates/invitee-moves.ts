import type { InviteeMove } from '#model/rebate.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { sourceOf } from '#engine/rebates/commission-source.ts';
import { lastValue } from '#engine/money/valuation.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Money that came to an account or left it. */
export interface MoneyMoved {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Balance;
}

/** Tells that a deposit was credited or a withdrawal paid out, if the account was invited. DEC-SUB-39. */
export function noteInviteeMove(state: EngineState, direction: InviteeMove['direction'], moved: MoneyMoved): void {
  const { account, asset, amount } = moved;
  const { invitations, accounts, at } = state;
  const invitation = invitations.of(sourceOf(accounts, account));
  if (invitation === null) return;
  if (direction === 'deposit') invitations.noteDeposit(invitation.account, at);
  invitations.lastMove += 1;
  const move: InviteeMove = {
    move: invitations.lastMove,
    account: invitation.account,
    inviter: invitation.inviter,
    code: invitation.code,
    direction,
    asset,
    amount,
    value: lastValue(state, asset, amount) ?? as<Balance>(0n),
    at,
  };
  state.emit.fact({ kind: 'inviteeMoved', move });
}
