import { house, innerHouse } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import { hasAtMost } from '#model/text-length.ts';
import { as, type Balance, toAmount } from '#model/units.ts';
import type { CommandOf } from '#model/command.ts';
import type { AssetNetwork, DepositView, WithdrawalView } from '#model/wallet.ts';
import { refusalOfApproving } from '#engine/accounts/may-approve.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { fitsCap } from '#engine/money/free-balance.ts';
import { isBeforeFork, isSightValid } from '#engine/money/network-forks.ts';
import { canOwe, outsideTakes } from '#engine/money/outside-bounds.ts';
import { higherValue } from '#engine/money/valuation.ts';
import { depositSteps } from '#engine/state/wallet/deposit-states.ts';
import type { EngineState } from '#engine/state/state.ts';
import { putDeposit } from '#engine/wallet/deposit-money.ts';
import { acceptForChain } from '#engine/wallet/request-withdrawal.ts';
import { hasTooMany } from '#engine/wallet/withdrawal-refusal.ts';
import { takeStep, type StepOfWithdrawal } from '#engine/wallet/withdrawal-steps.ts';

type PayBack = CommandOf<'payBackDeposit'>;

/** Of steps that end a withdrawal before it is signed. */
const nothing = { transaction: null, confirmations: 0, networkFee: as<Balance>(0n), remark: null } as const;

/**
 * Has a deposit that is to be refunded paid back: it comes in to the house account of refunds, and a withdrawal of that
 * account pays it to the address, less the fee of its network. DEC-OPR-215, DEC-OPR-216.
 */
const payBackDeposit: CommandFunction<'payBackDeposit'> = (state, command) => {
  const { sight } = command;
  const known = state.deposits.current(command.deposit, state.at);
  const reason = known === null ? 'unknownDeposit' : refusalOfRefund(state, command, known);
  if (known === null || sight === null || reason !== null) {
    refuse(state, reason ?? 'invalidConfiguration');
    return;
  }
  const { asset, amount } = known;
  const { block, confirmations } = sight;
  state.deposits.doubted.delete(known.deposit);
  state.ledger.move(house.outside, innerHouse.refunds, asset, toAmount(amount), 'deposit');
  putDeposit(state, { ...known, block, confirmations, status: 'refunding', updatedAt: state.at });
  acceptForChain(state, withdrawalOf(state, known, command));
};

/** Why a deposit cannot be paid back now, by the first reason that applies. DEC-OPR-216. */
function refusalOfRefund(state: EngineState, command: PayBack, known: DepositView): RejectReason | null {
  const { address, memo, sight } = command;
  const listed = state.assetNetworks.get(known.asset, known.network);
  const refusal = state.running.actor === null ? null : refusalOfApproving(state);
  if (refusal !== null) return refusal;
  if (known.isInside || depositSteps[known.status].payBack === undefined) return 'wrongState';
  if (listed === null) return 'unknownNetwork';
  const isText = address.length > 0 && address.length <= engineLimits.addressLength;
  const areTexts = isText && hasAtMost(memo ?? '', engineLimits.memoLength);
  if (!areTexts || sight === null || !isSightValid(sight)) return 'invalidConfiguration';
  if (isBeforeFork(state, known.network, sight.forks)) return 'notYet';
  if (sight.confirmations < listed.minConfirm) return 'notConfirmed';
  if (!listed.withdrawEnabled) return 'withdrawalsOff';
  if (state.depositAddresses.isOurs(known.network, address)) return 'addressNotAllowed';
  return refusalOfMoney(state, known, listed);
}

/** The fee must leave something, and stays here: it must fit the cap. */
function refusalOfMoney(
  state: EngineState,
  { asset, amount }: DepositView,
  { withdrawFee }: AssetNetwork,
): RejectReason | null {
  if (amount <= withdrawFee) return 'nothingLeft';
  if (hasTooMany(state, innerHouse.refunds)) return 'tooManyInProgress';
  const isBookable = canOwe(state, house.outside, asset, amount) && outsideTakes(state, asset, amount);
  return isBookable && fitsCap(state, asset, withdrawFee) ? null : 'aboveAssetCap';
}

function withdrawalOf(state: EngineState, known: DepositView, { address, memo }: PayBack): WithdrawalView {
  const { deposit, asset, network, amount } = known;
  return {
    withdrawal: state.withdrawals.lastWithdrawal + 1,
    account: innerHouse.refunds,
    ...{ deposit, asset, network, address, memo, amount },
    fee: state.assetNetworks.get(asset, network)!.withdrawFee,
    value: higherValue(state, asset, amount),
    status: 'apply',
    isInside: false,
    transaction: null,
    confirmations: 0,
    withdrawOrderId: null,
    remark: null,
    reviewRemark: null,
    approvals: [],
    requestedAt: state.at,
    updatedAt: state.at,
  };
}

/** An operator takes the decision where to pay a deposit back, while the withdrawal can be cancelled. DEC-OPR-218. */
const cancelRefund: CommandFunction<'cancelRefund'> = (state, { deposit }) => {
  const known = state.deposits.current(deposit, state.at);
  const reason =
    known === null
      ? 'unknownDeposit'
      : known.status === 'refunding'
        ? endRefund(state, deposit, 'cancel')
        : ('wrongState' as const);
  if (reason !== null) refuse(state, reason);
};

const endRefund = (state: EngineState, deposit: number, step: StepOfWithdrawal['step']): RejectReason | null =>
  takeStep(state, state.withdrawals.refundOf(deposit)!, { ...nothing, step });

/** The chain dropped a deposit that is paid back: unless something was signed for that, it is not. DEC-OPR-217. */
export function endUnsignedRefund(state: EngineState, deposit: number): void {
  const { status, transaction } = state.withdrawals.refundOf(deposit)!;
  if (transaction === null) endRefund(state, deposit, status === 'processing' ? 'fail' : 'cancel');
}

/** The functions of all commands about deposits that are paid back. */
export const refundCommands = { payBackDeposit, cancelRefund } as const;
