import { integer, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';
import { engineLimits } from '#model/limits.ts';
import { hasAtMost } from '#model/text-length.ts';
import type { AccountId } from '#model/units.ts';

/** What an operator wrote down about an account. It never changes; another may follow it. DEC-OPR-237. */
export const accountNote = record({
  /** Running number, from 1, over all accounts. */
  note: integer(),
  account: integer<AccountId>(),
  text: text(),
  /** Who wrote it: the folded name of the operator. */
  author: text(),
  at: time(),
});
export type AccountNote = ValueOf<typeof accountNote>;

/** Characters of control that a note may not have: all but tabs and line feeds. */
const controls = /[^\P{Cc}\t\n]|\p{Cs}/u;

/** Whether a text can be that of a note. */
export const isNoteText = (text: string): boolean =>
  text.trim().length > 0 && hasAtMost(text, engineLimits.noteLength) && !controls.test(text);
