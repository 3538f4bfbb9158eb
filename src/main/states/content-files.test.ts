import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyContent, decideContent, finishReplacement, prepareContent } from '#main/states/content-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bourse-content-'));
  put(root, 'old');
  writeFileSync(join(root, 'seed'), 'kept');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const names = ['journal', 'snapshots', 'history.db', 'simulated-chain.jsonl'];
function put(folder: string, text: string): void {
  for (const name of ['journal', 'snapshots']) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'file'), text);
  }
  for (const name of ['history.db', 'simulated-chain.jsonl']) writeFileSync(join(folder, name), text);
}
const textOf = (name: string): string =>
  readFileSync(join(root, name, ...(name === 'journal' || name === 'snapshots' ? ['file'] : [])), 'utf8');
const contents = () => names.map((name) => (existsSync(join(root, name)) ? textOf(name) : null));
const all = (text: string | null) => names.map(() => text);

/** What a crash leaves at each step, and what the content is once the next start went on. */
const crashes: readonly (readonly [string, () => void, string | null])[] = [
  ['while the new content is prepared', () => put(join(root, '.content-preparing'), 'new'), 'old'],
  ['once it is decided', () => put(join(root, '.content-next'), 'new'), 'new'],
  [
    'while the old one is removed',
    () => {
      put(join(root, '.content-next'), 'new');
      rmSync(join(root, 'journal'), { recursive: true });
      rmSync(join(root, 'snapshots', 'file'));
    },
    'new',
  ],
  [
    'once the old one is gone',
    () => {
      put(join(root, '.content-moving'), 'new');
      for (const name of names) rmSync(join(root, name), { recursive: true });
    },
    'new',
  ],
  [
    'while the new one is moved',
    () => {
      put(join(root, '.content-moving'), 'new');
      for (const name of names) rmSync(join(root, name), { recursive: true });
      renameSync(join(root, '.content-moving', 'journal'), join(root, 'journal'));
    },
    'new',
  ],
  ['with an empty one decided', () => mkdirSync(join(root, '.content-next')), null],
];

test.each(crashes)('DEC-KIT-12: a crash %s leaves one content, whole', async (_when, crash, left) => {
  crash();
  await finishReplacement(root);
  expect([contents(), readFileSync(join(root, 'seed'), 'utf8')]).toEqual([all(left), 'kept']);
  expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('DEC-KIT-12: what was prepared takes the place of the content, and a failed preparation changes nothing', async () => {
  const broken = prepareContent(root, async () => {
    throw new Error('no room');
  });
  await expect(broken).rejects.toThrow('no room');
  await finishReplacement(root);
  expect(contents()).toEqual(all('old'));
  const other = mkdtempSync(join(tmpdir(), 'bourse-content-'));
  put(other, 'new');
  await prepareContent(root, (folder) => copyContent(other, folder));
  expect(contents()).toEqual(all('old'));
  await decideContent(root);
  expect(contents()).toEqual(all('new'));
  rmSync(other, { recursive: true });
});
