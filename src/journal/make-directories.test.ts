import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeDirectories, removeEmptyDirectories } from '#journal/make-directories.ts';

const scratch = mkdtempSync(join(tmpdir(), 'directories-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('what is missing of a path is made for its owner only and named, outermost first', () => {
  const [one, two] = [join(scratch, 'one'), join(scratch, 'one', 'two')];
  expect(makeDirectories(two)).toEqual([one, two]);
  expect([one, two].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(makeDirectories(two)).toEqual([]);
});

test('of the directories that were made, those that are empty are removed', () => {
  const made = makeDirectories(join(scratch, 'a', 'b', 'c'));
  writeFileSync(join(scratch, 'a', 'note'), '');
  removeEmptyDirectories(made);
  expect([existsSync(join(scratch, 'a')), existsSync(join(scratch, 'a', 'b'))]).toEqual([true, false]);
});

test('a path through a file is refused', () => {
  const file = join(scratch, 'file');
  writeFileSync(file, '');
  expect(() => makeDirectories(join(file, 'x', 'y'))).toThrow('ENOTDIR');
});

test.runIf(process.platform === 'linux')('a path under /proc is refused', () => {
  expect(() => makeDirectories('/proc/bourse/data')).toThrow('ENOENT');
});
