import { expect, test } from 'vitest';
import { mixesMakingAndApproving, personOf } from '#model/person.ts';

test.each(['Erin', 'ERIN', 'eRiN', 'ｅｒｉｎ', 'ＥＲＩＮ', ' erin ', '\u00a0erin\u3000', 'erin\ufeff'])(
  'DEC-OPR-140: %j is erin',
  (name) => {
    expect(personOf(name)).toBe('erin');
  },
);

test.each([
  ['ROOT', 'root'],
  ['ｒｏｏｔ', 'root'],
  ['Straße', 'STRASSE'],
  ['\u212Aate', 'kate'],
  ['ﬁona', 'FIONA'],
  ['je\u017F\u017Fie', 'jessie'],
  ['Ame\u0301lie', 'AM\u00c9LIE'],
  ['σίσυφος', 'ΣΊΣΥΦΟΣ'],
])('DEC-OPR-140: %j and %j are one person', (one, other) => {
  expect(personOf(one)).toBe(personOf(other));
});

test('DEC-OPR-140: folding what is folded changes nothing, and other names stay apart', () => {
  for (const name of ['Erin', 'ﬁona', 'Straße', '\u1E9E', '\u0130', '\u0345', 'ΑΣ'])
    expect(personOf(personOf(name))).toBe(personOf(name));
  expect(personOf('erin1')).not.toBe(personOf('erin'));
  // A letter of another alphabet is another letter: names of tokens have none.
  expect(personOf('\u0435rin')).not.toBe(personOf('erin'));
});

test('DEC-OPR-141: making tokens and approving are two persons', () => {
  expect(mixesMakingAndApproving(['tokens:write', 'ledger:read'])).toBe(false);
  expect(mixesMakingAndApproving(['withdrawals:review', 'deposits:review'])).toBe(false);
  expect(mixesMakingAndApproving(['withdrawals:review', 'tokens:write'])).toBe(true);
});
