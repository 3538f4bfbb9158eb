import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storageFault } from '#main/storage/storage-fault.ts';

const coded = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`${code}: it went wrong`), { code, ...more });

test.each([
  ['ENOSPC', 'no room left on the disk of /data'],
  ['EDQUOT', 'no room left'],
  ['SQLITE_FULL', 'no room left'],
  ['SQLITE_IOERR_SHMSIZE', 'no room left'],
  ['EROFS', 'cannot be written to (EROFS: it went wrong)'],
  ['EACCES', 'cannot be written to'],
  ['EPERM', 'cannot be written to'],
  ['SQLITE_READONLY_DIRECTORY', 'cannot be written to'],
  ['SQLITE_CANTOPEN', 'cannot be written to'],
  ['SQLITE_IOERR_LOCK', 'the file system of /data is not enough for an exchange (SQLITE_IOERR_LOCK: it went wrong)'],
  ['SQLITE_IOERR_SHMMAP', 'name a directory on a local disk with --data'],
  ['ENOLCK', 'name a directory on a local disk with --data'],
  ['EOPNOTSUPP', 'is not enough for an exchange'],
  ['EIO', 'answered with an error'],
  ['SQLITE_IOERR_WRITE', 'answered with an error'],
])('%s is one line about the directory, also as the cause of another error', (code, text) => {
  const outer = new Error('outer', { cause: new Error('inner', { cause: coded(code) }) });
  for (const error of [coded(code), outer]) {
    const line = storageFault(error, '/data');
    expect(line).toContain(text);
    expect(line).toContain('/data');
    expect(line).not.toContain('\n');
  }
});

test('a path through a file is told as such, and so is a directory that the system does not let be made', () => {
  const root = mkdtempSync(join(tmpdir(), 'fault-'));
  const file = join(root, 'file');
  writeFileSync(file, '');
  let thrown: unknown = null;
  try {
    mkdirSync(join(file, 'data'), { recursive: true });
  } catch (error) {
    thrown = error;
  }
  expect(storageFault(thrown, file)).toContain('a part of that path is a file');
  expect(storageFault(coded('ENOENT', { syscall: 'mkdir' }), root)).toContain('cannot be written to');
  expect(storageFault(coded('ENOENT', { syscall: 'open', path: join(root, 'lock') }), root)).toContain(
    'cannot be written',
  );
  rmSync(root, { recursive: true });
});

test('a directory of another user, and one that cannot be synced, are told as such', () => {
  expect(storageFault(coded('EPERM', { syscall: 'chmod' }), '/data')).toContain('/data belongs to another user');
  expect(storageFault(coded('EINVAL', { syscall: 'fsync' }), '/data')).toContain('is not enough for an exchange');
  expect(storageFault(coded('EINVAL', { syscall: 'read' }), '/data')).toBe(null);
});

test('other errors, and those of sockets, are not explained by the storage', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address() as { readonly port: number };
  const taken = createServer().listen(address.port, '127.0.0.1');
  const inUse = await new Promise((resolve) => taken.once('error', resolve));
  server.close();
  const forbidden = coded('EACCES', { syscall: 'listen', address: '127.0.0.1', port: 80 });
  const others = [inUse, forbidden, coded('ENOENT', { syscall: 'open' }), new Error('any'), 'text', null];
  expect(others.map((error) => storageFault(error, '/data'))).toEqual(others.map(() => null));
});
