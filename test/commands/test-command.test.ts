import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SmallProject } from './small-project.ts';

/** Each test runs tools of their own to their end, on a machine that may be busy. */
const timeout = 120_000;

let small: SmallProject;
beforeAll(() => {
  small = new SmallProject([
    'typescript',
    'typescript-native',
    '@types/node',
    'undici-types',
    'rolldown',
    'vitest',
    'vite',
  ]);
  small.write('src/main/bourse.ts', 'export {};\n');
  // What the check of words and citations reads: it passes here, while checks whose packages are not linked fail.
  small.write('docs/glossary.md', '# Glossary\n');
  small.write('docs/rules/orders.md', '# Orders\n\n- DEC-ORD-30: an example.\n');
  small.write('docs/rules/operator.md', '# Operator\n\n- DEC-OPR-25: an example.\n');
  small.write(
    'src/base/one.test.ts',
    "import { expect, test } from 'vitest';\ntest('one is one', () => expect(1).toBe(1));\n",
  );
  small.write(
    'src/base/two.test.ts',
    "import { expect, test } from 'vitest';\ntest('one is two', () => expect(1).toBe(2));\n",
  );
  small.write('src/base/three.test.ts', "import '#base/gone.ts';\n");
});
afterAll(() => small.remove());

test('the last line counts static checks, tests, and files that cannot be loaded, and a failure ends with 1', {
  timeout,
}, () => {
  const { status, lines } = small.run('test');
  const told = lines.flatMap((line) => [...line.matchAll(/^(ok|FAILED) +(\S+(?: \S+)*) +\d+\.\d s$/g)]);
  const names = told.map(([, , name]) => name);
  expect(names).toEqual(
    expect.arrayContaining(['types', 'floors', 'lint', 'format', 'tidy', 'dead code', 'reference']),
  );
  const sound = told.filter(([, word]) => word === 'ok').length;
  expect(sound).toBeGreaterThan(0);
  expect(lines.at(-1)).toBe(`${1 + sound} passed, ${2 + told.length - sound} failed`);
  expect(status).toBe(1);
});

test('arguments go to vitest without any check, and success ends with 0', { timeout }, () => {
  const { status, lines } = small.run('test', 'src/base/one.test.ts');
  expect(lines.filter((line) => /^(?:ok|FAILED) /.test(line))).toEqual([]);
  expect(lines.at(-1)).toBe('1 passed, 0 failed');
  expect(status).toBe(0);
});

test('where Python is too old its tests are skipped, in a loud line', { timeout }, () => {
  small.write('clients/python/pyproject.toml', '');
  small.write('old/python3', '#!/bin/sh\necho 3 9 18\n');
  chmodSync(join(small.folder, 'old', 'python3'), 0o755);
  vi.stubEnv('PATH', join(small.folder, 'old'));
  try {
    const { status, lines } = small.run('test', 'clients/python');
    expect(lines).toContain('!!! Python tests skipped: there is no python3 of 3.10 or later with venv and pip');
    expect([lines.at(-1), status]).toEqual(['0 passed, 0 failed', 1]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a run without any test is a failure', { timeout }, () => {
  const { status, lines } = small.run('test', 'src/absent');
  expect(lines.at(-1)).toBe('0 passed, 1 failed');
  expect(status).toBe(1);
});

test('npm run check tells its usage when asked, and refuses what it does not know, without any check', {
  timeout,
}, () => {
  const usage = small.run('check', '--help');
  expect([usage.status, usage.lines[0]]).toEqual([0, expect.stringContaining('`npm run check`')]);
  expect(usage.lines.join('\n')).toContain('`--static`');
  const refused = small.run('check', '--statik');
  expect([refused.status, refused.lines]).toEqual([2, ['']]);
  expect(refused.stderr).toContain("'--statik'");
});
