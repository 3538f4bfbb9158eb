import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const project = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(project, 'docs', 'operations', 'custody.md'), 'utf8');
/** Shell blocks of the page, each with the output that follows it. */
const examples = [...page.matchAll(/^( *)```sh\n([\s\S]*?)```\n\n *```text\n([\s\S]*?)```/gm)].map(
  ([, margin = '', script = '', output = '']) => ({
    script: script.replace(new RegExp(`^${margin}`, 'gm'), ''),
    output: output.trimEnd().replace(new RegExp(`^${margin}`, 'gm'), ''),
  }),
);

test('the page about custody shows both commands', () => {
  expect(examples.map(({ script }) => /custody (\w+)/.exec(script)?.[1])).toEqual(['address', 'check']);
});

test.each(examples)('the page about custody prints what this prints: $script', ({ script, output }) => {
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], { cwd: project, encoding: 'utf8' });
  expect([status, stderr, stdout.trimEnd()]).toEqual([0, '', output]);
});

test('an address that is not payable is told on standard error, with exit code 1', () => {
  const args = ['dist/main/bourse.js', 'custody', 'check', '--network', 'TRX', 'nowhere'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    'not payable: the address is not a TRON address: a character is wrong or missing\n',
  ]);
});
