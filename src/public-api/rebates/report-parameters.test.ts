import { expect, test } from 'vitest';
import type { Contact } from '#model/wallet.ts';
import { as } from '#model/units.ts';
import { maskedAccount, maskedMail } from '#public-api/rebates/report-parameters.ts';

const mail = (email: string): Contact => ({ account: as(5), email, mobile: null });

test('DEC-SUB-24: an account shows 3 characters at both ends of its mail, or of its uid', () => {
  expect(maskedAccount(mail('15455556291@qq.com'), 1)).toBe('154****291@qq.com');
  expect(maskedAccount(mail('abcdefg@x.y'), 1)).toBe('abc****efg@x.y');
  expect(maskedAccount(null, 90_012_345)).toBe('900****345');
  expect(maskedAccount({ account: as(5), email: null, mobile: '44 7700900123' }, 90_012_345)).toBe('900****345');
});

test('DEC-SUB-24: mails in reports of affiliates show the first 2 characters and the last', () => {
  expect(maskedMail(mail('admin6@mailtemp.top'), 1)).toBe('ad*****6@mailtemp.top');
  expect(maskedMail(null, 90_012_345)).toBe('90*****5');
});

test('DEC-SUB-69: of a short mail one character at least stays hidden, and the mask is as long as ever', () => {
  const shown = (text: string): string => text.replaceAll('*', '');
  for (const local of ['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef']) {
    const account = maskedAccount(mail(`${local}@x.y`), 1).replace('@x.y', '');
    const address = maskedMail(mail(`${local}@x.y`), 1).replace('@x.y', '');
    expect([local, account.replaceAll(/[^*]/g, ''), address.replaceAll(/[^*]/g, '')]).toEqual([local, '****', '*****']);
    expect(shown(account).length).toBeLessThan(local.length);
    expect(shown(address).length).toBeLessThan(local.length);
  }
});
