import { isWhole } from '#base/whole-numbers.ts';
import type { CommandOf } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import { isSubAccountName } from '#model/sub-account.ts';
import { hasAtMost } from '#model/text-length.ts';
import type { AccountId } from '#model/units.ts';
import { addAccount } from '#engine/accounts/new-account.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import type { EngineState } from '#engine/state/state.ts';

type OpenSubAccount = CommandOf<'openSubAccount'>;

const { subAccountNoteLength, subAccountsMax } = engineLimits;

/** Opens a sub-account with a uid of the engine; that of a broker has futures only once enabled. DEC-SUB-01. */
export const openSubAccount: CommandFunction<'openSubAccount'> = (state, command) => {
  const reason = refusalOfOpening(state, command);
  // The uid is taken last: a refused command leaves it to the next one.
  const uid = reason === null ? state.givenUids.take() : null;
  if (uid === null) {
    refuse(state, reason ?? 'uidInUse');
    return;
  }
  const { master, name, note, passwordHash } = command;
  const { class: classOfMaster, kycLevel } = state.accounts.get(master)!;
  const { account } = addAccount(state, { uid, name, master, class: 'user', kycLevel, simulated: false });
  state.subAccounts.put({
    account,
    uid,
    master,
    name,
    note,
    passwordHash,
    isFuturesEnabled: classOfMaster !== 'broker',
    openedAt: state.at,
  });
  emitSubAccount(state, account);
};

/** Lets money go to the futures wallet of a sub-account; told also where it could already. DEC-SUB-17. */
export const enableFutures: CommandFunction<'enableFutures'> = (state, { master, account }) => {
  const known = state.subAccounts.of(account);
  const reason = refusalOfMaster(state, master);
  if (reason !== null) refuse(state, reason);
  else if (known?.master !== master) refuse(state, 'notOfThisMaster');
  else if (state.accounts.isUnusable(account)) refuse(state, 'targetForbidden');
  else {
    state.subAccounts.put({ ...known, isFuturesEnabled: true });
    emitSubAccount(state, account);
  }
};

/** Why an account cannot do what masters do; `null`: it can. */
export function refusalOfMaster({ accounts }: EngineState, master: AccountId): RejectReason | null {
  if (!accounts.isMaster(master)) return 'unknownAccount';
  return accounts.isUnusable(master) ? 'accountNotUsable' : null;
}

/** Why a sub-account cannot be opened now; `null`: it can. Changes nothing. */
export function refusalOfOpening(state: EngineState, command: OpenSubAccount): RejectReason | null {
  const { subAccounts } = state;
  const { master, name, note, atMost } = command;
  const byMaster = refusalOfMaster(state, master);
  if (byMaster !== null) return byMaster;
  const isLimit = isWhole(atMost, 0, subAccountsMax);
  if (!isLimit || !isSubAccountName(name) || !hasAtMost(note, subAccountNoteLength)) return 'invalidConfiguration';
  if (subAccounts.named(master, name) !== null) return 'subAccountNameInUse';
  return subAccounts.ofMaster(master).length >= atMost ? 'tooManySubAccounts' : null;
}

function emitSubAccount({ subAccounts, emit }: EngineState, account: AccountId): void {
  emit.fact({ kind: 'subAccountChanged', subAccount: subAccounts.of(account)! });
}
