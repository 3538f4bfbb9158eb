import { expect, test } from 'vitest';
import { csvText } from '#web/pages/trade/csv.ts';

test('DEC-WEB-13: cells keep their text, and none becomes a formula', () => {
  expect(
    csvText(
      ['a', 'b'],
      [
        ['1,5', 'say "x"'],
        ['-0.5', '=1+1'],
        ['+x', '@y'],
      ],
    ),
  ).toBe(`a,b\r\n"1,5","say ""x"""\r\n-0.5,'=1+1\r\n'+x,'@y\r\n`);
});
