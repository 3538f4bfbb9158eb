import { expect, test } from 'vitest';
import { BourseError, UnknownOutcome } from '#client/client.ts';
import { refusalOf } from '#web/data/refusal.ts';

const refused = (code: number, detail: string, isLost = false) =>
  refusalOf(new BourseError({ endpoint: 'withdraw', status: isLost ? 0 : 400, code, detail, isLost }));

test('DEC-WEB-30: a refusal is told with words, code and the parameter that it names', () => {
  expect(refused(33333, "Parameter 'address' is invalid: it is none of this network.")).toEqual({
    text: "Parameter 'address' is invalid: it is none of this network (code 33333)",
    parameter: 'address',
  });
  expect(refused(10101, 'Insufficient balance. (10101)')).toEqual({
    text: 'Insufficient balance. (10101)',
    parameter: null,
  });
  expect(refused(700_007, 'No permission.').text).toMatch(/^This key or account may not do that: .*700007/);
  expect(refused(60_005, 'Account abnormal. (60005)').text).toMatch(/^This account is frozen or closed.*60005/);
  expect(refused(60_005, 'Account abnormal: a deposit of it is being checked.').text).toContain('a deposit of it');
});

test('DEC-WEB-30: what had no answer is not told as refused', () => {
  const lost = { endpoint: 'withdraw', status: 0, code: 0, detail: 'no answer' };
  expect(refusalOf(new UnknownOutcome(lost, 'w-1')).text).toContain('it may have happened');
  expect(refused(0, 'no answer', true).text).toBe('The exchange does not answer.');
  expect(refusalOf(new TypeError('x')).text).toBe('This browser could not send it.');
});
