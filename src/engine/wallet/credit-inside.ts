import type { AccountId, AssetId, Balance } from '#domain/units.ts';
import type { DepositView } from '#domain/wallet.ts';
import { noteInviteeMove } from '#engine/rebates/invitee-moves.ts';
import type { EngineState } from '#engine/state.ts';

/** A payment from another account of this exchange. `txId` names it and is never used again. */
export interface InsidePayment {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly txId: string;
  readonly amount: Balance;
}

/**
 * Tells of a deposit that came without a chain, credited at once; the caller moves the money. No chain can take it
 * back, so nothing of it stays in the state but its number. DEC-WAL-25.
 */
export function creditInside(state: EngineState, payment: InsidePayment): void {
  const deposit: DepositView = {
    ...payment,
    deposit: state.deposits.nextNumber(),
    output: 0,
    status: 'success',
    confirmations: 0,
    minConfirm: 0,
    isInside: true,
    block: null,
    vouchers: [],
    insertedAt: state.at,
    updatedAt: state.at,
  };
  state.emit.fact({ kind: 'depositChanged', deposit });
  noteInviteeMove(state, 'deposit', deposit);
}
