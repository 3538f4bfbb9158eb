import { expect, test } from 'vitest';
import { finderOf, queryOf } from '#web/office/accounts/account-queries.ts';

test.each([
  ['10000001', 'uid'],
  ['C02__100000000000000001', 'order'],
  ['alice@example.com', 'email'],
  ['44 7700900123', 'mobile'],
  ['mx0vglBqhzhnd7hVQM', 'apiKey'],
  ['5f3c'.repeat(8), 'withdrawal'],
  [`0x${'5f3c'.repeat(16)}`, 'transaction'],
  ['0x52908400098527886E0F7030069857D2E4169EE7', 'depositAddress'],
  ['TRfxNyTd4U1EJ5WY8Mp8xFsSbAPPj3qFUt', 'depositAddress'],
  ['carol', 'name'],
  ['<img src=x onerror=alert(1)>', 'name'],
])('DEC-WEB-46: %s is looked for as %s', (words, finder) => {
  expect(finderOf(words)).toBe(finder);
});

test('a uid is asked for as a number, and nothing asks for everybody', () => {
  expect(queryOf('uid', '17')).toEqual({ uid: 17 });
  expect(queryOf('name', 'carol')).toEqual({ name: 'carol' });
  expect(queryOf('name', '')).toEqual({});
});
