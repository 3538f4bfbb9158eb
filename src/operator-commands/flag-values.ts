import { timeOfIso } from '#base/clock.ts';
import type { Member, Notation } from '#operator-commands/member-flags.ts';

/*
 * Values of flags. What cannot be read stays text: then the schema of the endpoint says what it must be, in the words
 * that the exchange itself would use.
 */

const wholePattern = /^-?\d{1,16}$/;
const isoPattern = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/;

function whole(text: string): unknown {
  const value = wholePattern.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : text;
}

const moment = (text: string): unknown => (isoPattern.test(text) ? (timeOfIso(text) ?? text) : whole(text));

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function list(text: string, items: Notation): unknown {
  const parts = text === '' ? [] : text.split(',').map((part) => part.trim());
  return parts.map((part) => single(items, part, null));
}

function single(notation: Notation, text: string, items: Notation | null): unknown {
  switch (notation) {
    case 'text':
    case 'file':
    case 'switch':
      return text;
    case 'whole':
      return whole(text);
    case 'moment':
      return moment(text);
    case 'list':
      return list(text, items ?? 'text');
    case 'json':
      return json(text);
  }
}

/** The value of a member, as its flag or argument was written: `none` is null where null is taken. DEC-OPR-260. */
export function memberValue({ notation, isNullable, items }: Member, given: string | boolean): unknown {
  if (typeof given === 'boolean') return given;
  return isNullable && given === 'none' ? null : single(notation, given, items);
}
