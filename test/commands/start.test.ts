import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** `npm start` over a small project of its own, so that nothing here touches the packages and outputs of this one. */

const project = join(import.meta.dirname, '..', '..');
let folder = '';

const entry = `
import { word } from '#main/word.ts';
const wait = setTimeout(() => {}, 60_000);
process.on('SIGTERM', () => process.exit(7));
console.log(JSON.stringify({ word, args: process.argv.slice(2) }));
if (process.argv.includes('--exit')) clearTimeout(wait);
process.exitCode = 3;
`;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-start-'));
  for (const name of ['tools', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']) {
    cpSync(join(project, name), join(folder, name), { recursive: true });
  }
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  for (const name of ['typescript', '@types/node', 'undici-types']) {
    symlinkSync(join(project, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const lock = readFileSync(join(folder, 'package-lock.json'));
  write('node_modules/.package-lock.json', '{}');
  write('node_modules/.bourse-lock-stamp', createHash('sha256').update(lock).digest('hex'));
  write('src/main/bourse.ts', entry);
  write('src/main/word.ts', "/** A word. */\nexport const word: string = 'first';\n");
  write('src/history/tables.sql', 'select 1;\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (...args: readonly string[]) => {
  const run = spawnSync(process.execPath, ['tools/start.mjs', ...args], { cwd: folder, encoding: 'utf8' });
  return { status: run.status, lines: run.stdout.trim().split('\n'), stderr: run.stderr };
};

test('the first start builds, tells so, passes options on and keeps the exit code', () => {
  const { status, lines } = start('--port', '0', '--exit');
  expect(lines[0]).toBe('Building …');
  expect(lines[1]).toMatch(/^Built in \d+\.\d s\.$/);
  expect(JSON.parse(lines[2]!)).toEqual({ word: 'first', args: ['start', '--port', '0', '--exit'] });
  expect(status).toBe(3);
  expect(readFileSync(join(folder, 'dist', 'history', 'tables.sql'), 'utf8')).toBe('select 1;\n');
});

test('a later start builds nothing', () => {
  const before = statSync(join(folder, 'dist', '.build-stamp')).mtimeMs;
  expect(start('--exit').lines).toHaveLength(1);
  expect(statSync(join(folder, 'dist', '.build-stamp')).mtimeMs).toBe(before);
});

test('a changed source is built again and the output of a removed one goes', () => {
  write('src/main/other.ts', "/** A word. */\nexport const word: string = 'second';\n");
  write('src/main/bourse.ts', entry.replace('#main/word.ts', '#main/other.ts'));
  rmSync(join(folder, 'src', 'main', 'word.ts'));
  expect(JSON.parse(start('--exit').lines.at(-1)!)).toMatchObject({ word: 'second' });
  expect(existsSync(join(folder, 'dist', 'main', 'word.js'))).toBe(false);
  expect(existsSync(join(folder, 'dist', 'main', 'other.js'))).toBe(true);
});

test('SIGTERM reaches the server itself', async () => {
  const child = spawn(process.execPath, ['tools/start.mjs'], { cwd: folder });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(7);
});

test('a build that fails ends with 1 and the compiler’s words, and runs nothing', () => {
  write('src/main/other.ts', 'export const word: string = 5;\n');
  const { status, lines, stderr } = start('--exit');
  expect(status).toBe(1);
  expect(lines.join('\n')).toContain("Type 'number' is not assignable to type 'string'");
  expect(lines.join('\n')).not.toContain('{"word"');
  expect(stderr).toContain('The build failed');
});
