import { expect, test } from 'vitest';
import { csvText } from '#web/data/csv.ts';

test('DEC-WEB-36: cells keep their text, and none is a formula', () => {
  expect(csvText(['a', 'b'], [['x,"y"', 1.5]])).toBe('a,b\r\n"x,""y""",1.5\r\n');
  expect(csvText(['a'], [['=1+1'], ['@x'], ['-2.5'], ['-cmd']])).toBe("a\r\n'=1+1\r\n'@x\r\n-2.5\r\n'-cmd\r\n");
});
