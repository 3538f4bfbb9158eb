import { isWhole } from '#base/whole-numbers.ts';
import { isEmail, isMobile } from '#model/contact.ts';
import type { CommandOf } from '#model/command.ts';
import type { RejectReason } from '#model/rejection.ts';
import { addAccount, maySimulate } from '#engine/accounts/new-account.ts';
import { changeAccount } from '#engine/accounts/account-commands.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { inviteAccount } from '#engine/rebates/invite-account.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Opens the account of a person with its contact and who invited it, under a uid of the engine unless one is asked for.
 * DEC-SUB-23.
 */
export const registerAccount: CommandFunction<'registerAccount'> = (state, command) => {
  const reason = refusalOfRegistration(state, command);
  // The uid is taken last: a refused command leaves it to the next one.
  const uid = reason === null ? (command.uid ?? state.givenUids.take()) : null;
  if (uid === null) {
    refuse(state, reason ?? 'uidInUse');
    return;
  }
  const { name, class: accountClass, kycLevel, simulated, email, mobile, inviteCode } = command;
  const { account } = addAccount(state, { uid, name, master: null, class: accountClass, kycLevel, simulated });
  if (email !== null || mobile !== null) {
    const contact = { account, email, mobile };
    state.contacts.put(contact);
    state.emit.fact({ kind: 'contactChanged', contact });
  }
  if (inviteCode !== null) inviteAccount(state, account, inviteCode);
};

function refusalOfRegistration(state: EngineState, command: CommandOf<'registerAccount'>): RejectReason | null {
  const { accounts, contacts, inviteCodes } = state;
  const { uid, kycLevel, simulated, email, mobile, inviteCode } = command;
  if (uid !== null && accounts.find(uid) !== null) return 'uidInUse';
  const isEmailInUse = email !== null && contacts.ofEmail(email) !== null;
  if (isEmailInUse || (mobile !== null && contacts.ofMobile(mobile) !== null)) return 'contactInUse';
  if (inviteCode !== null && inviteCodes.find(inviteCode) === null) return 'unknownInviteCode';
  if (simulated && !maySimulate(state)) return 'invalidConfiguration';
  const isKnown = isWhole(kycLevel, 1, 4);
  const isReachable = (email === null || isEmail(email)) && (mobile === null || isMobile(mobile));
  return isKnown && isReachable ? null : 'invalidConfiguration';
}

/**
 * Makes an account a user, a broker or an affiliate. What a broker's sub-accounts may do differs from others, so an
 * account with sub-accounts stays what it is in that. DEC-SUB-33.
 */
export const setAccountClass: CommandFunction<'setAccountClass'> = (state, { account, class: next }) => {
  const { accounts } = state;
  const known = accounts.isUser(account) ? accounts.get(account)!.class : null;
  const isOfBroker = (known === 'broker') !== (next === 'broker');
  if (known === null) refuse(state, 'unknownAccount');
  else if (!accounts.isMaster(account)) refuse(state, 'wrongState');
  else if (isOfBroker && accounts.hasSubAccounts(account)) refuse(state, 'wrongState');
  else changeAccount(state, account, { class: next });
};
