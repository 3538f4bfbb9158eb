import type { CommandOf } from '#model/command.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { UniversalTransferView } from '#model/sub-account.ts';
import type { AccountId } from '#model/units.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { refusalOfMaster } from '#engine/accounts/sub-account-commands.ts';
import { isInDoubt } from '#engine/money/network-forks.ts';
import { isWalletEnabled, transferableOf, walletOf } from '#engine/wallet/transferable.ts';
import type { EngineState } from '#engine/state/state.ts';

type MakeUniversalTransfer = CommandOf<'makeUniversalTransfer'>;

const clientTranIds = /^[A-Za-z0-9]{32}$/;

/**
 * Moves money between the wallets of a master and its sub-accounts. A repeated `clientTranId` of the master with the
 * same terms moves nothing and tells the first transfer; a refused transfer takes no id. SPEC-SUB-07, DEC-REQ-27.
 */
export const makeUniversalTransfer: CommandFunction<'makeUniversalTransfer'> = (state, command) => {
  const { master, from, fromWallet, to, toWallet, asset, amount, clientTranId } = command;
  const { universalTransfers, at } = state;
  universalTransfers.forget(at);
  const known = clientTranId === null ? null : universalTransfers.find(master, clientTranId);
  if (known !== null && isSameTransfer(known, command)) {
    state.emit.fact({ kind: 'universalTransferRepeated', transfer: known });
    return;
  }
  const reason =
    refusalOfParties(state, command) ??
    refusalOfTerms(state, command) ??
    refusalOfMoney(state, command, known !== null);
  if (reason !== null) {
    refuse(state, reason);
    return;
  }
  const transfer: UniversalTransferView = {
    transfer: universalTransfers.lastTransfer + 1,
    master,
    from,
    fromWallet,
    to,
    toWallet,
    asset,
    amount,
    clientTranId,
    at,
  };
  const kind = from === to ? 'contractTransfer' : 'transfer';
  state.ledger.move(walletOf(from, fromWallet), walletOf(to, toWallet), asset, amount, kind);
  universalTransfers.put(transfer);
  state.emit.fact({ kind: 'universalTransferMade', transfer });
};

const isSameTransfer = (known: UniversalTransferView, command: MakeUniversalTransfer): boolean =>
  known.from === command.from &&
  known.fromWallet === command.fromWallet &&
  known.to === command.to &&
  known.toWallet === command.toWallet &&
  known.asset === command.asset &&
  known.amount === command.amount;

/**
 * The master is usable, and both sides are the master or sub-accounts of it that may transfer. What may not leave the
 * exchange goes to no account that it could leave from. DEC-SUB-32, DEC-OPR-167.
 */
function refusalOfParties(state: EngineState, { master, from, to }: MakeUniversalTransfer): RejectReason | null {
  const { accounts, subAccounts } = state;
  if (!accounts.isMaster(master)) return 'unknownAccount';
  const isOwn = (account: AccountId): boolean => account === master || subAccounts.of(account)?.master === master;
  if (!isOwn(from) || !isOwn(to)) return 'notOfThisMaster';
  const byMaster = refusalOfMaster(state, master);
  if (byMaster !== null) return byMaster;
  const statuses = [from, to].map((account) => accounts.statusOf(account));
  if (statuses.includes('frozen')) return 'targetForbidden';
  if (statuses.includes('abnormal') || statuses.includes('closed')) return 'targetNotUsable';
  if (accounts.isOff(from, 'withdraw') && !accounts.isOff(to, 'withdraw')) return 'withdrawalsOffForAccount';
  return isInDoubt(state, from) ? 'depositInDoubt' : null;
}

function refusalOfTerms(state: EngineState, command: MakeUniversalTransfer): RejectReason | null {
  const { from, fromWallet, to, toWallet, asset, clientTranId } = command;
  const rules = state.walletRules.value;
  if (rules === null) return 'walletNotConfigured';
  if (clientTranId !== null && !clientTranIds.test(clientTranId)) return 'invalidConfiguration';
  if (from === to && fromWallet === toWallet) return 'sameWallet';
  if (!state.assets.has(asset)) return 'unknownAsset';
  const isOfFutures = fromWallet === 'futures' || toWallet === 'futures';
  if (isOfFutures && !rules.transferable.includes(asset)) return 'notTransferable';
  return isWalletEnabled(state, to, toWallet) ? null : 'futuresNotEnabled';
}

function refusalOfMoney(
  state: EngineState,
  { master, from, fromWallet, asset, amount, clientTranId }: MakeUniversalTransfer,
  isIdInUse: boolean,
): RejectReason | null {
  if (amount <= 0n) return 'wrongAmount';
  if (isIdInUse) return 'requestIdInUse';
  if (amount > transferableOf(state, from, fromWallet, asset)) return 'notEnoughFunds';
  return clientTranId !== null && !state.universalTransfers.hasRoom(master) ? 'tooManyInProgress' : null;
}
