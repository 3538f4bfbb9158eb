import { isNoteText } from '#model/account-note.ts';
import { engineLimits } from '#model/limits.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';

/** Tells a note of the acting operator about an account; the state counts it. DEC-OPR-237. */
export const addAccountNote: CommandFunction<'addAccountNote'> = (state, { account, text }) => {
  const { accounts, accountNotes, at, emit } = state;
  const { actor: author } = state.running;
  if (!accounts.isUser(account)) refuse(state, 'unknownAccount');
  else if (author === null || !isNoteText(text)) refuse(state, 'invalidConfiguration');
  else if (accountNotes.countOf(account) >= engineLimits.notesPerAccount) refuse(state, 'tooManyNotes');
  else emit.fact({ kind: 'accountNoted', note: { note: accountNotes.add(account), account, text, author, at } });
};
