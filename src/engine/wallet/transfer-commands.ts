import { isEmail, isMobile } from '#model/contact.ts';
import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId } from '#model/units.ts';
import type { SendView, TransferView } from '#model/wallet.ts';
import type { CommandOf } from '#model/command.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { accountOfContact } from '#engine/wallet/contact-target.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import { isAboveWithdrawalLimit } from '#engine/wallet/withdrawal-limit.ts';
import { isInDoubt } from '#engine/money/network-forks.ts';
import { isWalletEnabled, transferableOf, walletOf } from '#engine/wallet/transferable.ts';
import { higherValue } from '#engine/money/valuation.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Moves money between the wallets of an account. A repeated `clientTranId` with the same terms moves nothing and tells
 * the first transfer; a refused transfer takes no id. DEC-REQ-27, DEC-WAL-05.
 */
export const transferFunds: CommandFunction<'transferFunds'> = (state, command) => {
  const { account, from, to, asset, amount, clientTranId } = command;
  const { transfers } = state;
  transfers.forget(state.at);
  const known = clientTranId === null ? null : transfers.find(account, clientTranId);
  if (known !== null && isSameTransfer(known, command)) {
    state.emit.fact({ kind: 'transferRepeated', transfer: known });
    return;
  }
  const reason = refusalOfTransfer(state, command, known !== null);
  if (reason !== null) {
    refuse(state, reason);
    return;
  }
  const { at } = state;
  const transfer = { transfer: transfers.lastTransfer + 1, account, asset, amount, from, to, clientTranId, at };
  state.ledger.move(walletOf(account, from), walletOf(account, to), asset, amount, 'contractTransfer');
  transfers.put(transfer);
  state.emit.fact({ kind: 'fundsTransferred', transfer });
};

const isSameTransfer = (known: TransferView, { from, to, asset, amount }: CommandOf<'transferFunds'>): boolean =>
  known.from === from && known.to === to && known.asset === asset && known.amount === amount;

function refusalOfTransfer(
  state: EngineState,
  command: CommandOf<'transferFunds'>,
  isIdInUse: boolean,
): RejectReason | null {
  const { account, from, to, asset, amount, clientTranId } = command;
  const { transfers } = state;
  const rules = state.walletRules.value;
  const byAccount = refusalOfAccount(state, account);
  if (byAccount !== null) return byAccount;
  if (rules === null) return 'walletNotConfigured';
  if (clientTranId !== null && !isIdFit(clientTranId)) return 'invalidConfiguration';
  if (from === to) return 'sameWallet';
  if (!state.assets.has(asset)) return 'unknownAsset';
  if (!rules.transferable.includes(asset)) return 'notTransferable';
  if (!isWalletEnabled(state, account, to)) return 'futuresNotEnabled';
  if (amount <= 0n) return 'wrongAmount';
  if (isIdInUse) return 'requestIdInUse';
  if (amount > transferableOf(state, account, from, asset)) return 'notEnoughFunds';
  return clientTranId !== null && !transfers.hasRoom(account) ? 'tooManyInProgress' : null;
}

const isIdFit = (id: string): boolean => id.length > 0 && id.length <= engineLimits.clientTranIdLength;

function refusalOfAccount(state: EngineState, account: AccountId): RejectReason | null {
  const { accounts } = state;
  if (!accounts.isUser(account)) return 'unknownAccount';
  if (accounts.isUnusable(account)) return 'accountNotUsable';
  return isInDoubt(state, account) ? 'depositInDoubt' : null;
}

/**
 * Moves money to another account. The target is judged last. A repeated `clientTranId` with the same terms moves
 * nothing and tells the first send; a refused one takes no id. DEC-WAL-33, DEC-WAL-63, DEC-WAL-152.
 */
export const sendFunds: CommandFunction<'sendFunds'> = (state, command) => {
  const { account, targetKind, target, asset, amount, clientTranId } = command;
  const { sends, at } = state;
  sends.forget(at);
  const known = clientTranId === null ? null : sends.find(account, clientTranId);
  if (known !== null && isSameSend(known, command)) {
    state.emit.fact({ kind: 'sendRepeated', send: known });
    return;
  }
  const to = accountOfContact(state, targetKind, target);
  const reason =
    refusalOfAccount(state, account) ??
    (state.accounts.isOff(account, 'withdraw') ? 'withdrawalsOffForAccount' : null) ??
    refusalOfAmount(state, command, known !== null) ??
    refusalOfTarget(state, account, to);
  if (reason !== null || to === null) {
    refuse(state, reason ?? 'unknownTarget');
    return;
  }
  const send = { send: sends.lastTransfer + 1, from: account, to, asset, amount, targetKind, target, clientTranId, at };
  const worth = higherValue(state, asset, amount);
  state.ledger.move(account, to, asset, amount, 'transfer');
  sends.put(send);
  if (worth !== null) sends.value({ account, worth, at });
  state.emit.fact({ kind: 'fundsSent', send });
};

const isSameSend = (known: SendView, { targetKind, target, asset, amount }: CommandOf<'sendFunds'>): boolean =>
  known.targetKind === targetKind && known.target === target && known.asset === asset && known.amount === amount;

function refusalOfAmount(
  state: EngineState,
  { account, asset, amount, clientTranId }: CommandOf<'sendFunds'>,
  isIdInUse: boolean,
): RejectReason | null {
  if (state.walletRules.value === null) return 'walletNotConfigured';
  if (clientTranId !== null && !sendIds.test(clientTranId)) return 'invalidConfiguration';
  if (!state.assets.has(asset)) return 'unknownAsset';
  if (amount <= 0n) return 'wrongAmount';
  if (isIdInUse) return 'requestIdInUse';
  if (amount > freeOf(state, account, asset)) return 'notEnoughFunds';
  if (isAboveWithdrawalLimit(state, { account, asset, amount })) return 'dailyCapExceeded';
  const { sends } = state;
  const hasRoom = sends.hasRoomToday(account) && (clientTranId === null || sends.hasRoom(account));
  return hasRoom ? null : 'tooManyInProgress';
}

const sendIds = /^[A-Za-z0-9]{32}$/;

function refusalOfTarget(state: EngineState, account: AccountId, to: AccountId | null): RejectReason | null {
  if (to === null) return 'unknownTarget';
  if (to === account) return 'sameAccount';
  const status = state.accounts.statusOf(to);
  if (status === 'frozen' && !state.accounts.isMaster(to)) return 'targetForbidden';
  return status === 'normal' ? null : 'targetNotUsable';
}

/** Sets how an account can be reached; without mail and number, it cannot be any more. DEC-WAL-62. */
export const setContact: CommandFunction<'setContact'> = (state, { account, email, mobile }) => {
  const { contacts } = state;
  const isFit = (email === null || isEmail(email)) && (mobile === null || isMobile(mobile));
  const owners = [email === null ? null : contacts.ofEmail(email), mobile === null ? null : contacts.ofMobile(mobile)];
  if (!state.accounts.isUser(account)) refuse(state, 'unknownAccount');
  else if (!isFit) refuse(state, 'invalidConfiguration');
  else if (owners.some((owner) => owner !== null && owner !== account)) refuse(state, 'contactInUse');
  else {
    const contact = { account, email, mobile };
    contacts.put(contact);
    state.emit.fact({ kind: 'contactChanged', contact });
  }
};
