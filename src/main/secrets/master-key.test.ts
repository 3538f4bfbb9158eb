import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { assertNotKnownDefault, loadMasterKeys } from '#main/secrets/master-key.ts';

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-key-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
const settings = { profile: 'sandbox', seed: null, masterKey: null, masterKeyFile: null } as const;
const hexOf = (keys: { readonly keys: readonly Uint8Array[] }): readonly string[] =>
  keys.keys.map((key) => Buffer.from(key).toString('hex'));
const writeKeys = (text: string, mode = 0o600): string => {
  const path = join(newFolder(), 'keys');
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
  return path;
};

describe('the sandbox', () => {
  test('makes a random key of mode 0600 once and finds it again', () => {
    const data = join(newFolder(), 'fresh');
    const first = loadMasterKeys({ ...settings, data });
    expect(statSync(join(data, 'master.key')).mode & 0o777).toBe(0o600);
    expect(hexOf(loadMasterKeys({ ...settings, data }))).toEqual(hexOf(first));
    expect(hexOf(loadMasterKeys({ ...settings, data: newFolder() }))).not.toEqual(hexOf(first));
    expect([first.nonces, first.isGuessable]).toEqual(['synthetic', false]);
  });

  test('derives the key from a seed, the same in every directory, and remembers that it can be guessed', () => {
    const [one, two] = [newFolder(), newFolder()];
    const first = loadMasterKeys({ ...settings, data: one, seed: '7' });
    expect(hexOf(loadMasterKeys({ ...settings, data: two, seed: '7' }))).toEqual(hexOf(first));
    expect(hexOf(loadMasterKeys({ ...settings, data: newFolder(), seed: '8' }))).not.toEqual(hexOf(first));
    const later = loadMasterKeys({ ...settings, data: one });
    expect([hexOf(later), later.isGuessable]).toEqual([hexOf(first), true]);
  });

  test('makes no new key for a journal whose key is missing', () => {
    const data = newFolder();
    mkdirSync(join(data, 'journal'));
    writeFileSync(join(data, 'journal', '0001.segment'), 'x');
    expect(() => loadMasterKeys({ ...settings, data })).toThrow('holds an exchange but not its master.key');
  });
});

describe('a key file', () => {
  test('that others may read is refused with the command that mends it', () => {
    const masterKeyFile = writeKeys(`${'ab'.repeat(32)}\n`, 0o640);
    expect(() => loadMasterKeys({ ...settings, data: '', masterKeyFile })).toThrow(
      `(mode 0640); run: chmod 600 ${masterKeyFile}`,
    );
  });

  test('that is missing, empty or malformed is refused by name', () => {
    for (const path of ['/nowhere/master.key', writeKeys(''), writeKeys('abc\n'), writeKeys('AB'.repeat(32))]) {
      expect(() => loadMasterKeys({ ...settings, data: '', masterKeyFile: path })).toThrow(`master key file ${path}`);
    }
  });

  test('may hold older keys after the active one, and comments', () => {
    const masterKeyFile = writeKeys(`# rotated in May\n${'ab'.repeat(32)}\n\n${'cd'.repeat(32)}\n`);
    const keys = loadMasterKeys({ ...settings, profile: 'production', data: '', masterKeyFile });
    expect([hexOf(keys), keys.nonces]).toEqual([['ab'.repeat(32), 'cd'.repeat(32)], 'random']);
  });
});

test('DEC-OPR-298: production takes no key that was derived from a seed, on any host', () => {
  const data = newFolder();
  loadMasterKeys({ ...settings, data, seed: '7' });
  const masterKeyFile = join(data, 'master.key');
  const asked = { ...settings, profile: 'production', data: newFolder(), masterKeyFile } as const;
  expect(() => loadMasterKeys(asked)).toThrow('was derived from the seed of a sandbox');
  expect(loadMasterKeys({ ...asked, profile: 'sandbox' }).isGuessable).toBe(true);
});

test('production makes no key of its own and starts with none', () => {
  const data = newFolder();
  expect(() => loadMasterKeys({ ...settings, profile: 'production', data })).toThrow('production needs the key');
  expect(() => readFileSync(join(data, 'master.key'))).toThrow();
  expect(hexOf(loadMasterKeys({ ...settings, profile: 'production', data, masterKey: 'ef'.repeat(32) }))).toEqual([
    'ef'.repeat(32),
  ]);
});

test('demo keys that can be guessed are refused where other machines can use them', () => {
  for (const host of ['127.0.0.1', '::1', 'localhost', '127.9.9.9']) {
    expect(() => assertNotKnownDefault(host, { isGuessable: true })).not.toThrow();
  }
  for (const host of ['0.0.0.0', '::', '192.168.1.4', 'exchange.example', '127.0.0.1.example']) {
    expect(() => assertNotKnownDefault(host, { isGuessable: true })).toThrow('known to everyone');
    expect(() => assertNotKnownDefault(host, { isGuessable: false })).not.toThrow();
  }
});
