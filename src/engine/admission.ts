import type { Command, CommandOf } from '#model/command.ts';
import { tableBounds } from '#model/limits.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Whether the engine's tables have capacity for what a command may add. Checked before the command is journaled: a
 * table that overflows while a command is applied would stop the exchange for good. Commands that add nothing, such as
 * cancels, always pass. The bounds leave enough capacity for the commands that are queued already. DEC-ORD-37.
 */
export function hasRoomFor(state: EngineState, command: Pick<Command, 'kind'>, bounds = tableBounds): boolean {
  const { kind } = (command as Command).kind === 'operate' ? (command as CommandOf<'operate'>).command : command;
  const { tables, accounts, ledger, holds, deposits, withdrawals, savedAddresses } = state;
  const { invitations, inviteCodes, inviteClicks, rebateAccruals } = state;
  switch (kind) {
    case 'placeOrder':
    case 'placeOrders':
    case 'requote':
    case 'reducePosition':
      return (
        tables.orders.count < bounds.orders &&
        tables.blocks.count < bounds.priceBlocks &&
        ledger.balances.count < bounds.balances &&
        holds.count < bounds.holds &&
        rebateAccruals.count < bounds.rebateAccruals &&
        state.positions.count < bounds.positions
      );
    case 'openAccount':
    case 'openSubAccount':
    case 'configureContract':
      return accounts.size < bounds.accounts;
    case 'registerAccount':
      return accounts.size < bounds.accounts && invitations.count < bounds.invitations;
    case 'setLeverage':
      return state.positions.count < bounds.positions;
    case 'createInviteCode':
      return inviteCodes.count < bounds.inviteCodes;
    case 'recordClicks':
      return inviteClicks.count < bounds.clickedCodes;
    case 'requestWithdrawal':
    case 'payBackDeposit':
      return (
        ledger.balances.count < bounds.balances &&
        holds.count < bounds.holds &&
        withdrawals.count < bounds.withdrawals &&
        deposits.live.size < bounds.liveDeposits
      );
    case 'saveAddress':
      return savedAddresses.count < bounds.savedAddresses;
    case 'reportDeposit':
      return (
        ledger.balances.count < bounds.balances &&
        deposits.finalPayments.count < bounds.deposits &&
        deposits.live.size < bounds.liveDeposits
      );
    case 'reviewDeposit':
    case 'creditSmallDeposits':
      return ledger.balances.count < bounds.balances && deposits.finalPayments.count < bounds.deposits;
    case 'creditFunds':
    case 'adjustBalance':
    case 'approveProposal':
    case 'bookUnknownPayment':
    case 'bookLostPayment':
    case 'transferFunds':
    case 'sendFunds':
    case 'makeUniversalTransfer':
    case 'convertDust':
    case 'settleRebates':
    case 'fundInsurance':
      return ledger.balances.count < bounds.balances;
    default:
      return true;
  }
}
