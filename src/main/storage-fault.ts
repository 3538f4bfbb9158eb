import { errorCode } from '#journal/file-operations.ts';

const noRoom = (root: string): string =>
  `there is no room left on the disk of ${root}: make some, for example by moving old backups away, then start again`;
const notWritable = (root: string, why: string): string =>
  `${root} cannot be written to (${why}): make the directory and all that is in it writable for the user that runs ` +
  'the exchange, or mount its disk for writing, then start again';
const noDirectory = (root: string): string =>
  `${root} cannot be the data directory, because a part of that path is a file: name another one with --data`;
const failing = (root: string, why: string): string =>
  `the disk of ${root} answered with an error (${why}): look at the kernel's log, and check or replace the disk ` +
  'before the next start';

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
    const code = errorCode(cause);
    // Sockets use the same codes: a port without permission is not a storage fault.
    const isOfSocket = 'address' in cause;
    // Node reports this when a directory cannot be created on a read-only file system.
    const isNotMade = code === 'ENOENT' && 'syscall' in cause && cause.syscall === 'mkdir';
    const meaning = code === null || isOfSocket ? undefined : isNotMade ? notWritable : meaningOf(code);
    const [why = ''] = cause.message.split('\n');
    if (meaning !== undefined) return meaning(root, why);
    if (cannotOpen.test(cause.message))
      return notWritable(root, `${cannotOpen.exec(cause.message)?.[1]} cannot be opened`);
    cause = cause.cause;
  }
  return null;
}

/** Codes of SQLite may go on in detail, as `SQLITE_READONLY_DIRECTORY`. */
function meaningOf(code: string): ((root: string, why: string) => string) | undefined {
  return meanings[code] ?? meanings[code.split('_').slice(0, 2).join('_')];
}
