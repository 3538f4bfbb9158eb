import { z } from 'zod';
import { isNoteText } from '#model/account-note.ts';
import { engineLimits } from '#model/limits.ts';
import { personOf } from '#model/person.ts';
import { as, type TimestampMs } from '#model/units.ts';
import type { AccountNoteRow } from '#history/tables/wallet-tables.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { createPast, numbersOf, pageOfPast } from '#operator-api/requests/paging.ts';
import { Problem } from '#operator-api/requests/problems.ts';

const text = () =>
  z.string().meta({ description: 'What is to be known of the account.', examples: ['Wrote about a lost phone.'] });
const note = z.strictObject({
  note: field.whole('Running number, over all accounts.', { min: 1, max: Number.MAX_SAFE_INTEGER }),
  text: text(),
  author: z.string().meta({ description: 'The operator who wrote it.', examples: ['erin'] }),
  at: field.moment('When.'),
});
const ofAccount = z.strictObject({ uid: field.uid() });
const noteRule = `must be text of 1 to ${engineLimits.noteLength} characters, with line feeds but no other controls`;

/** Endpoints of notes about accounts. */
export const noteEndpoints = {
  listNotes: endpoint.get('/v1/accounts/{uid}/notes', {
    scope: 'accounts:read',
    name: 'Notes about an account',
    command: 'notes list',
    summary: 'What operators wrote down about an account, newest first. The account does not see it.',
    parameters: ofAccount,
    query: z.strictObject(field.past),
    answer: field.page(note),
    problems: ['unknownAccount', 'historyUnavailable'],
  }),
  addNote: endpoint.post('/v1/accounts/{uid}/notes', {
    scope: 'accounts:write',
    name: 'Write a note',
    command: 'notes add',
    summary: 'Writes down something about an account. No note changes: correct it by another.',
    parameters: ofAccount,
    body: z.strictObject({
      text: text().refine(isNoteText, noteRule),
    }),
    answer: note,
    status: 201,
    problems: ['unknownAccount', 'tooManyNotes', 'historyUnavailable'],
  }),
} as const;

const shown = ({ note: number, text: content, author, at }: Omit<AccountNoteRow, 'seq' | 'account'>) => ({
  note: number,
  text: content,
  author,
  at,
});

/** Handlers of notes about accounts. DEC-OPR-237. */
export function noteHandlers(context: OperatorContext): HandlersOf<typeof noteEndpoints> {
  const { queries } = context;
  const past = createPast(context);
  return {
    listNotes: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const { limit, cursor } = query;
      const last = numbersOf(cursor, 2);
      const before = last && { at: as<TimestampMs>(last[0]!), note: last[1]! };
      const rows = await past.page('accountNotes', { account }, query, { limit, before });
      return pageOfPast(rows, limit, { item: shown, numbers: ({ at, note: number }) => [at, number] });
    },
    addNote: async ({ path, body, operator, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const events = await act({ kind: 'addAccountNote', account, text: body.text });
      const made = events.find((event) => event.kind === 'accountNoted');
      if (made !== undefined) return shown(made.note);
      // A repetition: the newest of this operator with this text.
      const where = { account, author: personOf(operator.actor), text: body.text };
      const [row] = await past.page('accountNotes', where, {}, { limit: 1, before: null });
      if (row === undefined) throw new Problem('outcomeUnknown');
      return shown(row);
    },
  };
}
