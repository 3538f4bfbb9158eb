import { expect, test } from 'vitest';
import { accountOfReferCode, isInviteCode, referCodeOf } from '#model/refer-code.ts';
import { engineLimits, tableBounds } from '#model/limits.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';

const accounts = [
  ...Array.from({ length: 3000 }, (_, index) => index),
  ...Array.from({ length: 3000 }, (_, index) => tableBounds.accounts - index),
  36 ** 5 - 1,
].map((account) => as<AccountId>(account));

test('DEC-SUB-23: a refer code is 5 base-36 characters, and names one account', () => {
  const codes = accounts.map(referCodeOf);
  for (const code of codes) expect(code).toMatch(/^[0-9a-z]{5}$/);
  expect(new Set(codes).size).toBe(accounts.length);
  expect(codes.map(accountOfReferCode)).toEqual(accounts);
  expect(tableBounds.accounts).toBeLessThan(36 ** 5);
});

test('DEC-SUB-23: neighbours have codes that are far apart', () => {
  const values = accounts.slice(0, 3000).map((account) => Number.parseInt(referCodeOf(account), 36));
  const steps = values.slice(1).map((value, index) => Math.abs(value - values[index]!));
  expect(Math.min(...steps)).toBeGreaterThan(engineLimits.inviteCodesPerAccount);
});

test.for(['', '0000', '000000', 'ABCDE', 'ab-de', 'äbcde', '0000\n'])('%j is no refer code', (text) => {
  expect(accountOfReferCode(text)).toBeNull();
});

test('an invite code has a dash, so it is no refer code', () => {
  for (const code of ['a-1', '-----', `${'a'.repeat(19)}-`]) expect(isInviteCode(code)).toBe(true);
  for (const code of ['ab123', 'a-', `${'a'.repeat(20)}-`, 'a b-c', 'ä-bc', 'a-b\n'])
    expect(isInviteCode(code)).toBe(false);
});
