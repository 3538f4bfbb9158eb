import { innerHouse } from '#model/account.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import { toAmount } from '#model/units.ts';
import type { DepositDecision, DepositView } from '#model/wallet.ts';
import { refuse } from '#engine/money/command-function.ts';
import { noteInviteeMove } from '#engine/rebates/invitee-moves.ts';
import { putDeposit } from '#engine/wallet/deposit-money.ts';
import type { EngineState } from '#engine/state/state.ts';

/** A payment from another account of this exchange. `txId` names it and is never used again. */
export interface InsidePayment {
  /** The receiver. */
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly txId: string;
  readonly amount: Balance;
}

/**
 * Moves the money of a payment: to the receiver, or to the house's account of what is not delivered while the receiver
 * is not usable. DEC-WAL-150.
 */
export function moveInside(state: EngineState, sender: AccountId, { account, asset, amount }: InsidePayment): void {
  const { ledger } = state;
  const to = state.accounts.isUnusable(account) ? innerHouse.undelivered : account;
  ledger.post(ledger.balances.row(sender, asset), -toAmount(amount), 'withdrawal', null);
  ledger.post(ledger.balances.row(to, asset), toAmount(amount), 'deposit', null);
}

/**
 * Tells of a deposit that came without a chain. A credited one leaves nothing in the state but its number, since no
 * chain can take it back; one of an account that is not usable waits for an operator. DEC-WAL-25, DEC-WAL-150.
 */
export function receiveInside(state: EngineState, sender: AccountId, payment: InsidePayment): void {
  const isRestricted = state.accounts.isUnusable(payment.account);
  const deposit: DepositView = {
    ...payment,
    deposit: state.deposits.nextNumber(),
    output: 0,
    status: isRestricted ? 'restricted' : 'success',
    confirmations: 0,
    minConfirm: 0,
    isInside: true,
    block: null,
    approvals: [],
    insertedAt: state.at,
    updatedAt: state.at,
  };
  if (isRestricted) {
    putDeposit(state, deposit);
    state.deposits.setSender(deposit.deposit, sender);
    return;
  }
  state.emit.fact({ kind: 'depositChanged', deposit });
  noteInviteeMove(state, 'deposit', deposit);
}

/** An operator credits what waits, or gives it back to its sender; nothing else can be decided. DEC-WAL-150. */
export function reviewInside(state: EngineState, known: DepositView, decision: DepositDecision): void {
  const isDecidable = known.status === 'restricted' && (decision === 'credit' || decision === 'refund');
  if (!isDecidable) {
    refuse(state, 'wrongState');
    return;
  }
  const { deposit, account, asset, amount } = known;
  const isCredit = decision === 'credit';
  if (state.accounts.isClosed(isCredit ? account : state.deposits.senderOf(deposit))) {
    refuse(state, 'accountClosed');
    return;
  }
  const to = isCredit ? account : state.deposits.senderOf(deposit);
  state.ledger.move(innerHouse.undelivered, to, asset, amount, isCredit ? 'deposit' : 'withdrawal');
  putDeposit(state, { ...known, status: isCredit ? 'success' : 'refund', updatedAt: state.at });
  if (isCredit) noteInviteeMove(state, 'deposit', known);
}
