import { expect, test } from 'vitest';
import { refusals } from '#model/rejection.ts';

test('every reason of a refusal has a number that no other has', () => {
  const numbers = Object.values(refusals).map(({ number }) => number);
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});
