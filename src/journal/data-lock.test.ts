import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataDirectoryInUse, lockDataDirectory } from '#journal/data-lock.ts';

const scratch = mkdtempSync(join(tmpdir(), 'lock-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Another process that takes the lock as this project does, and holds it. */
const holder = `
  const database = new (require('libsql'))(process.argv[1] + '/lock', { timeout: 0 });
  database.exec('BEGIN EXCLUSIVE');
  process.stdout.write('held');
  setInterval(() => database.inTransaction, 1000);
`;

test('a directory is held by one process, and free at once when that one is killed', async () => {
  const directory = join(scratch, 'one');
  lockDataDirectory(directory).release();
  const other = spawn(process.execPath, ['-e', holder, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryInUse);
  expect(() => lockDataDirectory(directory)).toThrow(
    `the data directory ${directory} is in use by another running process`,
  );
  other.kill('SIGKILL');
  await once(other, 'exit');
  lockDataDirectory(directory).release();
});

test('the same process cannot take it twice, and can again after releasing it', () => {
  const directory = join(scratch, 'two');
  const lock = lockDataDirectory(directory);
  expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryInUse);
  lock.release();
  lockDataDirectory(directory).release();
});

test('a lock file that a crash left behind keeps nobody out, and is for its owner only', () => {
  const directory = join(scratch, 'three');
  lockDataDirectory(directory).release();
  writeFileSync(join(directory, 'lock'), '');
  lockDataDirectory(directory).release();
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, 'lock')).mode & 0o777).toBe(0o600);
});

test('a lock that is undone leaves nothing that was made for it, and lets the next one in', () => {
  const made = join(scratch, 'above', 'four');
  lockDataDirectory(made).undo();
  expect(existsSync(join(scratch, 'above'))).toBe(false);
  const present = join(scratch, 'five');
  mkdirSync(present);
  lockDataDirectory(present).undo();
  expect(readdirSync(present)).toEqual([]);
  lockDataDirectory(present).release();
  lockDataDirectory(present).undo();
  expect(readdirSync(present)).toEqual(['lock']);
});

test('a directory that is not empty stays when the lock it was made for is undone', () => {
  const directory = join(scratch, 'six');
  const lock = lockDataDirectory(directory);
  writeFileSync(join(directory, 'note'), '');
  lock.undo();
  expect(readdirSync(directory)).toEqual(['note']);
});

test('one that is refused while another process holds it removes nothing', () => {
  const directory = join(scratch, 'seven');
  const lock = lockDataDirectory(directory);
  const before = readdirSync(directory);
  expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryInUse);
  expect(readdirSync(directory)).toEqual(before);
  lock.release();
});
