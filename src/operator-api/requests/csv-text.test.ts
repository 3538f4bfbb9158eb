import { expect, test } from 'vitest';
import { csvRow } from '#operator-api/requests/csv-text.ts';

test.each<[string, Parameters<typeof csvRow>[0], string]>([
  ['numbers stay numbers', ['-12.5', 7, -3, '0', '0.00000001'], '-12.5,7,-3,0,0.00000001'],
  ['nothing is an empty cell', [null, 'a', null], ',a,'],
  ['quotes, commas and line breaks are quoted', ['a"b', 'c,d', 'e\r\nf'], '"a""b","c,d","e\r\nf"'],
  ['flags are words', [true, false], 'true,false'],
])('DEC-OPR-228: %s', (_name, cells, text) => {
  expect(csvRow(cells)).toBe(`${text}\r\n`);
});

test.each([
  ['=1+2', "'=1+2"],
  ['+1', "'+1"],
  ['-1+2', "'-1+2"],
  ['-', "'-"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['\n=1', '"\'\n=1"'],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['-1e5', "'-1e5"],
])('DEC-OPR-228: %j is no formula', (text, cell) => {
  expect(csvRow([text])).toBe(`${cell}\r\n`);
});
