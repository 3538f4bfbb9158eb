import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { project, runProcess } from './run-process.ts';

/** The page of the client: its examples with the package as it is built, and its table of options. */

test.each([
  [
    'trade.mjs',
    [
      'prices have 2 decimals',
      'the order is NEW',
      'placeOrder was refused with 400, 30003',
      '2 orders are open, one of them at 49000',
    ],
  ],
  ['listen.mjs', ['best bid 50000 x 0.01', 'alice bought 0.004 at 50000', '1 gap, best ask 60000 x 0.5']],
])('DEC-KIT-84: the example %s prints what its comments say', async (name, lines) => {
  expect(await runProcess(process.execPath, join('examples', 'client', name))).toEqual({ code: 0, lines });
});

test('DEC-KIT-85: the page has every option of the client', () => {
  const page = readFileSync(join(project, 'docs', 'guides', 'client.md'), 'utf8');
  const source = readFileSync(join(project, 'src', 'client', 'client-options.ts'), 'utf8');
  const [, declared = ''] = /interface ClientOptions \{(.*?)\n\}/s.exec(source) ?? [];
  const names = [...declared.matchAll(/readonly (\w+)\?/g)].map(([, name]) => name as string);
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
