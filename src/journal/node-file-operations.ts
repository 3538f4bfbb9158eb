import fs from 'node:fs';
import path from 'node:path';
import { stopwatch } from '#base/clock.ts';
import { errorCode } from '#journal/file-operations.ts';
import type { FileOperations, HeldName, OpenFile, OpenPurpose } from '#journal/file-operations.ts';
import { WritePace } from '#journal/write-pace.ts';

const ownerOnlyFile = 0o600;
const ownerOnlyDirectory = 0o700;

/** Platforms where a write with O_DSYNC passes the disk's cache; on others each write is followed by a sync. */
const synchronousFlag: number | undefined = process.platform === 'linux' ? fs.constants.O_DSYNC : undefined;

const flagsOf: Record<OpenPurpose | 'temporary', number> = {
  read: fs.constants.O_RDONLY,
  create: fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_TRUNC,
  durable: fs.constants.O_RDWR | (synchronousFlag ?? 0),
  temporary: fs.constants.O_RDWR,
};

const openDescriptor = (file: string, flags: number): Promise<number> =>
  call<number>((done) => fs.open(file, flags, ownerOnlyFile, done));

/** Turns one call of `node:fs` into a promise; callbacks are cheaper on this path than `fs/promises`. */
function call<Value>(start: (done: (error: Error | null, value?: Value) => void) => void): Promise<Value> {
  return new Promise<Value>((resolve, reject) => {
    start((error, value) => {
      if (error === null) resolve(value as Value);
      else reject(error);
    });
  });
}

async function writeAll(descriptor: number, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const from = written;
    const count = await call<number>((done) =>
      fs.write(descriptor, bytes, from, bytes.length - from, position + from, done),
    );
    // A short write is not an error yet: the next call fails with the reason.
    written += count;
  }
}

/** The same synchronously; only for files whose writes are durable by themselves. */
function writeAllNow(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += fs.writeSync(descriptor, bytes, written, bytes.length - written, position + written);
}

async function readAll(descriptor: number, into: Uint8Array, position: number): Promise<number> {
  let count = 0;
  while (count < into.length) {
    const from = count;
    const more = await call<number>((done) =>
      fs.read(descriptor, into, from, into.length - from, position + from, done),
    );
    if (more === 0) break;
    count += more;
  }
  return count;
}

function openFile(descriptor: number): OpenFile {
  const pace = new WritePace();
  return {
    size: async () => (await call<fs.Stats>((done) => fs.fstat(descriptor, done))).size,
    read: (into, position) => readAll(descriptor, into, position),
    write: (bytes, position) => writeAll(descriptor, bytes, position),
    writeThrough: async (bytes, position) => {
      if (synchronousFlag !== undefined && pace.isPrompt(bytes.length)) {
        const began = stopwatch();
        writeAllNow(descriptor, bytes, position);
        pace.took(stopwatch() - began);
        return;
      }
      await writeAll(descriptor, bytes, position);
      if (synchronousFlag === undefined) await call<void>((done) => fs.fsync(descriptor, done));
    },
    sync: () => call<void>((done) => fs.fsync(descriptor, done)),
    close: () => call<void>((done) => fs.close(descriptor, done)),
  };
}

async function syncDirectory(directory: string): Promise<void> {
  const descriptor = await call<number>((done) => fs.open(directory, fs.constants.O_RDONLY, done));
  try {
    await call<void>((done) => fs.fsync(descriptor, done));
  } catch (error) {
    // Some systems cannot sync a directory at all: EINVAL, and EPERM on Windows. Real faults have other names.
    const code = errorCode(error);
    if (code !== 'EINVAL' && !(code === 'EPERM' && process.platform === 'win32')) throw error;
  } finally {
    await call<void>((done) => fs.close(descriptor, done));
  }
}

async function makeDirectory(directory: string): Promise<void> {
  const full = path.resolve(directory);
  const options = { recursive: true, mode: ownerOnlyDirectory };
  const first = await call<string | undefined>((done) => fs.mkdir(full, options, done));
  if (first === undefined) return;
  // The name of a new directory becomes durable by a sync of its parent.
  for (let made = full; made.length >= first.length; made = path.dirname(made)) await syncDirectory(path.dirname(made));
}

/** Device and inode; whole only as big integers. */
const isSame = (one: fs.BigIntStats, other: fs.BigIntStats): boolean => one.dev === other.dev && one.ino === other.ino;

/** Kept open, so that the inode cannot be reused by another file. */
async function hold(file: string): Promise<HeldName> {
  const descriptor = await call<number>((done) => fs.open(file, fs.constants.O_RDONLY, done));
  const held = fs.fstatSync(descriptor, { bigint: true });
  return {
    path: file,
    isStillNamed: () => {
      const found = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
      return found !== undefined && isSame(found, held);
    },
    release: () => call<void>((done) => fs.close(descriptor, done)),
  };
}

/** The machine's file system. Only writes chosen by `WritePace` block the event loop. */
export const nodeFileOperations: FileOperations = {
  open: async (file, purpose) => openFile(await openDescriptor(file, flagsOf[purpose])),
  hold,
  rename: (from, to) => call<void>((done) => fs.rename(from, to, done)),
  unlink: (file) => call<void>((done) => fs.unlink(file, done)),
  list: (directory) => call<readonly string[]>((done) => fs.readdir(directory, done)),
  makeDirectory,
  syncDirectory,
};

/**
 * The same for files that nobody needs after the process: what is written survives no crash of the machine, and nobody
 * waits for its disk. DEC-KIT-38.
 */
export const temporaryFileOperations: FileOperations = {
  ...nodeFileOperations,
  open: async (file, purpose) => {
    const descriptor = await openDescriptor(file, flagsOf[purpose === 'durable' ? 'temporary' : purpose]);
    return {
      ...openFile(descriptor),
      writeThrough: async (bytes, position) => writeAllNow(descriptor, bytes, position),
      sync: async () => {},
    };
  },
  makeDirectory: async (directory) => void fs.mkdirSync(directory, { recursive: true, mode: ownerOnlyDirectory }),
  syncDirectory: async () => {},
};
