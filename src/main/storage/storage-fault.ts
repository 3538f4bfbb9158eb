import { join } from 'node:path';
import { errorCode } from '#journal/file-operations.ts';

const noRoom = (root: string): string =>
  `there is no room left on the disk of ${root}: make some, for example by moving old backups away, then start again`;
const notWritable = (root: string, why: string): string =>
  `${root} cannot be written to (${why}): make the directory and all that is in it writable for the user that runs ` +
  'the exchange, mount its disk for writing, or name another directory with --data';
const noDirectory = (root: string): string =>
  `${root} cannot be the data directory, because a part of that path is a file: name another one with --data`;
const failing = (root: string, why: string): string =>
  `the disk of ${root} answered with an error (${why}): look at the kernel's log, and check or replace the disk ` +
  'before the next start';
const unfit = (root: string, why: string): string =>
  `the file system of ${root} is not enough for an exchange (${why}): files on it have to be locked, mapped and ` +
  'synced, which network and shared folders may not offer; name a directory on a local disk with --data';
const foreign = (root: string): string =>
  `${root} belongs to another user, so that it cannot be kept from others: change its owner, or name another ` +
  'directory with --data';

/** Messages for system and SQLite errors, by the first word of the code. */
const meanings: Readonly<Record<string, (root: string, why: string) => string>> = {
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  SQLITE_FULL: noRoom,
  EROFS: notWritable,
  EACCES: notWritable,
  EPERM: notWritable,
  // A file for shared memory could not be made long enough.
  SQLITE_IOERR_SHMSIZE: noRoom,
  SQLITE_READONLY: notWritable,
  SQLITE_PERM: notWritable,
  SQLITE_CANTOPEN: notWritable,
  ENOTDIR: noDirectory,
  EEXIST: noDirectory,
  ENOLCK: unfit,
  ENOSYS: unfit,
  ENOTSUP: unfit,
  EOPNOTSUPP: unfit,
  SQLITE_NOLFS: unfit,
  SQLITE_IOERR_LOCK: unfit,
  SQLITE_IOERR_RDLOCK: unfit,
  SQLITE_IOERR_UNLOCK: unfit,
  SQLITE_IOERR_CHECKRESERVEDLOCK: unfit,
  SQLITE_IOERR_SHMOPEN: unfit,
  SQLITE_IOERR_SHMLOCK: unfit,
  SQLITE_IOERR_SHMMAP: unfit,
  EIO: failing,
  SQLITE_IOERR: failing,
};

/** Messages of the database without an error code. */
const cannotOpen = /Unable to open connection to local database (.*): 14/;
const causesMax = 8;

/**
 * One line about what is wrong with the storage and what to do, where an error or one of its causes comes from there;
 * `null` for any other error.
 */
export function storageFault(error: unknown, root: string): string | null {
  let cause = error;
  for (let depth = 0; depth < causesMax && cause instanceof Error; depth += 1) {
    // Sockets use the same codes: a port without permission is not a storage fault.
    const meaning = 'address' in cause ? undefined : meaningOf(cause, root);
    const [why = ''] = cause.message.split('\n');
    if (meaning !== undefined) return meaning(root, why);
    if (cannotOpen.test(cause.message))
      return notWritable(root, `${cannotOpen.exec(cause.message)?.[1]} cannot be opened`);
    cause = cause.cause;
  }
  return null;
}

function meaningOf(error: Error, root: string): ((root: string, why: string) => string) | undefined {
  const code = errorCode(error);
  if (code === null) return undefined;
  const { syscall, path } = error as { readonly syscall?: unknown; readonly path?: unknown };
  if (code === 'EPERM' && syscall === 'chmod') return foreign;
  // File systems that nothing can be created on, as those of the kernel, report it as a missing file.
  if (code === 'ENOENT') return syscall === 'mkdir' || path === join(root, 'lock') ? notWritable : undefined;
  if (code === 'EINVAL') return syscall === 'fsync' ? unfit : undefined;
  // Codes of SQLite may go on in detail, as `SQLITE_READONLY_DIRECTORY`.
  return meanings[code] ?? meanings[code.split('_').slice(0, 2).join('_')];
}
