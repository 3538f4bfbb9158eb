import type { CommandOf } from '#model/command.ts';
import { house, innerHouse } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { PaidWithdrawal, UnknownPayment } from '#model/safety.ts';
import { as, toAmount, type Balance } from '#model/units.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import {
  bookToAccount,
  bookToCapital,
  bookToRefund,
  bookToRevenue,
  bookToWithdrawal,
  type MovedAmount,
} from '#engine/wallet/book-payment.ts';
import { fitsCap } from '#engine/money/free-balance.ts';
import { isKnownPayment } from '#engine/wallet/known-payments.ts';
import { bookNetworkFee, canOwe, isNetworkFeeBookable } from '#engine/money/outside-bounds.ts';
import type { EngineState } from '#engine/state/state.ts';

type Recorded = CommandOf<'recordUnknownPayment'>;
type Booked = CommandOf<'bookUnknownPayment'>;

const isText = (text: string | null, max: number): boolean => text === null || (text.length > 0 && text.length <= max);
const isAmount = (amount: bigint): boolean => amount >= 0n && amount < 1n << 62n;

/**
 * Records a payment of a hot wallet that the journal does not know, and later once what it was. From then on the
 * withdrawals of its network are held. One that moved nothing is booked at once. DEC-WAL-120, DEC-WAL-122.
 */
const recordUnknownPayment: CommandFunction<'recordUnknownPayment'> = (state, command) => {
  const { network, nonce, txId, asset, amount, address, memo, networkFee } = command;
  const payment = nonce === null ? (txId ?? '') : String(nonce);
  const before = state.unknownPayments.get(network, payment);
  const reason = refusalOfRecord(state, command, before);
  if (reason !== null) {
    refuse(state, reason);
    return;
  }
  const known: UnknownPayment = {
    ...{ network, payment, nonce, txId, asset, amount, address, memo, networkFee },
    searchFrom: before === null ? state.chains.at(network).position : before.searchFrom,
    foundAt: before?.foundAt ?? state.at,
    ...{ booking: null, bookedTo: null, bookedAt: null },
  };
  if (nonce !== null) takeNonce(state, network, nonce);
  const movedNothing = txId !== null && asset !== null && amount === 0n;
  if (movedNothing) conclude(state, known, 'nothing', null);
  else put(state, known);
};

function refusalOfRecord(
  state: EngineState,
  { network, nonce, txId, asset, amount, address, memo, networkFee }: Recorded,
  before: UnknownPayment | null,
): RejectReason | null {
  if (!state.chains.has(network)) return 'unknownNetwork';
  const isNonce = nonce === null ? txId !== null : Number.isSafeInteger(nonce + 1) && nonce >= 0;
  const isShaped =
    isNonce &&
    isText(txId, engineLimits.txIdLength) &&
    isText(address, engineLimits.addressLength) &&
    (memo?.length ?? 0) <= engineLimits.memoLength &&
    isAmount(amount) &&
    (asset === null ? amount === 0n : state.assets.has(asset));
  if (!isShaped || !isNetworkFeeBookable(state, network, networkFee)) return 'invalidConfiguration';
  if (before !== null)
    return before.booking === null && before.txId === null && txId !== null ? null : 'requestIdInUse';
  // A nonce that was signed for something else is told with the transaction that took it.
  if (isKnownPayment(state, network, { nonce, txId }) && (nonce === null || txId === null)) return 'requestIdInUse';
  return state.unknownPayments.openOf(network) < engineLimits.unknownPaymentsOpen ? null : 'tooManyInProgress';
}

/** The chain has seen it, so nothing else is signed with it. */
function takeNonce(state: EngineState, network: string, nonce: number): void {
  const chain = state.chains.at(network);
  state.freeNonces.remove(network, nonce);
  if (nonce >= chain.nextNonce) state.chains.put({ ...chain, nextNonce: nonce + 1 });
}

function put(state: EngineState, payment: UnknownPayment): void {
  state.unknownPayments.put(payment);
  state.emit.fact({ kind: 'unknownPaymentChanged', payment });
}

function conclude(
  state: EngineState,
  payment: UnknownPayment,
  booking: NonNullable<UnknownPayment['booking']>,
  bookedTo: number | null,
): void {
  bookNetworkFee(state, payment.network, payment.networkFee);
  put(state, { ...payment, booking, bookedTo, bookedAt: state.at });
}

/** What an operator says a payment was; the last one of a network lets its withdrawals go on. DEC-WAL-123. */
const bookUnknownPayment: CommandFunction<'bookUnknownPayment'> = (state, command) => {
  const { network, booking } = command;
  const known = state.unknownPayments.get(network, command.payment);
  const reason = known === null ? 'unknownPayment' : refusalOfBooking(state, known, command);
  if (known === null || reason !== null) {
    refuse(state, reason ?? 'unknownPayment');
    return;
  }
  const told: MovedAmount = {
    asset: known.asset ?? command.asset!,
    amount: known.asset === null ? command.amount : known.amount,
  };
  const failed = bookTo(state, known, command, told);
  if (failed !== null) {
    refuse(state, failed);
    return;
  }
  countAsPaid(state, known, command, told);
  const moved = booking === 'withdrawal' ? known : { ...known, asset: told.asset, amount: as<Balance>(told.amount) };
  conclude(state, moved, booking, bookedTo(command));
};

/** It left the hot wallet, about when it was found: it counts towards the limit of that hour. DEC-WAL-48. */
function countAsPaid(
  { hotWalletPayments, withdrawals, at }: EngineState,
  { network, foundAt }: UnknownPayment,
  { withdrawal }: Booked,
  told: MovedAmount,
): void {
  const paid = withdrawal === null ? null : withdrawals.get(withdrawal);
  const { asset } = paid ?? told;
  const amount = paid === null ? told.amount : paid.amount - paid.fee;
  hotWalletPayments.add({ network, asset }, amount, foundAt, at);
}

/** Books what was moved; answers why it cannot. */
function bookTo(state: EngineState, known: UnknownPayment, command: Booked, told: MovedAmount): RejectReason | null {
  const { booking, withdrawal, account, deposit } = command;
  switch (booking) {
    case 'nothing':
      return 'invalidConfiguration';
    case 'withdrawal':
      return bookToWithdrawal(state, known, withdrawal!);
    case 'account':
      return bookToAccount(state, account!, told);
    case 'capital':
      return bookToCapital(state, told);
    case 'revenue':
      return bookToRevenue(state, told);
    case 'refund':
      return bookToRefund(state, known, deposit!, told);
  }
}

/** The withdrawal, the account or the deposit that a booking names. */
const bookedTo = ({ booking, withdrawal, account, deposit }: Booked): number | null =>
  ({ nothing: null, withdrawal, account, capital: null, revenue: null, refund: deposit })[booking];

function refusalOfBooking(state: EngineState, known: UnknownPayment, command: Booked): RejectReason | null {
  const { booking, withdrawal, account, asset, amount, deposit } = command;
  if (known.booking !== null) return 'wrongState';
  if (!isNetworkFeeBookable(state, known.network, known.networkFee)) return 'houseHasTooLittle';
  if (booking === 'nothing') return 'invalidConfiguration';
  if (booking === 'withdrawal') return withdrawal === null ? 'unknownWithdrawal' : null;
  if (booking === 'account' && account === null) return 'unknownAccount';
  if (booking === 'refund' && deposit === null) return 'unknownDeposit';
  if (known.asset !== null)
    return asset === null || (asset === known.asset && amount === known.amount) ? null : 'paymentDiffers';
  if (asset === null || state.assetNetworks.get(asset, known.network) === null) return 'unknownAsset';
  return amount > 0n && isAmount(amount) ? null : 'wrongAmount';
}

/** The transaction of a paid withdrawal can never be in a block any more. DEC-WAL-127. */
const recordLostPayment: CommandFunction<'recordLostPayment'> = (state, { withdrawal, by }) => {
  const paid = state.paidWithdrawals.get(withdrawal);
  if (paid === null) refuse(state, 'unknownWithdrawal');
  else if (paid.lostBy !== null) refuse(state, 'wrongState');
  else if (!state.assets.has(paid.asset)) refuse(state, 'unknownAsset');
  else if (by.length === 0 || by.length > engineLimits.txIdLength) refuse(state, 'invalidConfiguration');
  else putLost(state, { ...paid, lostBy: by, lostAt: state.at });
};

function putLost(state: EngineState, paid: PaidWithdrawal): void {
  state.paidWithdrawals.putLost(paid);
  state.emit.fact({ kind: 'paidWithdrawalLost', paid });
}

/** What was never paid goes back to the account, or is the operator's, who pays it in another way. DEC-WAL-127. */
const bookLostPayment: CommandFunction<'bookLostPayment'> = (state, { withdrawal, booking }) => {
  const paid = state.paidWithdrawals.get(withdrawal);
  if (paid === null || paid.lostBy === null) refuse(state, 'unknownWithdrawal');
  else if (paid.booking !== null) refuse(state, 'wrongState');
  else if (booking === 'account' && !state.accounts.isUser(paid.account)) refuse(state, 'unknownAccount');
  else if (booking === 'account' && state.accounts.isClosed(paid.account)) refuse(state, 'accountClosed');
  else if (!fitsCap(state, paid.asset, paid.amount)) refuse(state, 'aboveAssetCap');
  else if (!canOwe(state, house.outside, paid.asset, paid.amount)) refuse(state, 'houseHasTooLittle');
  else {
    const isAccounts = booking === 'account';
    const to = isAccounts ? paid.account : innerHouse.capital;
    state.ledger.move(house.outside, to, paid.asset, toAmount(paid.amount), isAccounts ? 'withdrawal' : 'capital');
    putLost(state, { ...paid, booking });
  }
};

/** The functions of all commands about payments that are not as the journal has them. */
export const safetyCommands = { recordUnknownPayment, bookUnknownPayment, recordLostPayment, bookLostPayment } as const;
