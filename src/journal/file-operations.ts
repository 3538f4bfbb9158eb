/** An open file. Positions and sizes are in bytes. Every method may reject with a system error, see `errorCode`. */
export interface OpenFile {
  size(): Promise<number>;
  /** Reads into `into` from `position` on. Answers the number of bytes, fewer only at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Writes all of `bytes`, which may not change before this settles. After an error any part may be written. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** As `write`, and resolves once the bytes survive a crash of the machine. For files opened as `durable`. */
  writeThrough(bytes: Uint8Array, position: number): Promise<void>;
  /** Resolves once content and size survive a crash of the machine. Must not be retried after an error. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file or directory and the name under which it was found. */
export interface HeldName {
  readonly path: string;
  /**
   * Whether the name still refers to this file or directory, by device and inode: a copy in its place does not count.
   * Synchronous. @throws a system error if that cannot be determined.
   */
  isStillNamed(): boolean;
  release(): Promise<void>;
}

/** `create`: a new empty file, for its owner only; `durable`: an existing file, also for `writeThrough`. */
export type OpenPurpose = 'read' | 'create' | 'durable';

/** The file system as the stores of this folder use it. Tests inject faults and crashes at any call. */
export interface FileOperations {
  open(path: string, purpose: OpenPurpose): Promise<OpenFile>;
  /** Remembers the file or directory at `path` and keeps it open until it is released. */
  hold(path: string): Promise<HeldName>;
  /** Within one file system; replaces what is there. Survives a crash after `syncDirectory` of where it goes. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Names of the files in a directory, in no order. */
  list(directory: string): Promise<readonly string[]>;
  /** Creates missing directories of the path, for their owner only; they survive a crash. */
  makeDirectory(directory: string): Promise<void>;
  /** Resolves once the names in the directory survive a crash of the machine. */
  syncDirectory(directory: string): Promise<void>;
}

/** The system's name of an error, such as `ENOSPC`; `null` for any other error. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** Whether an error says that the disk or the quota is full. */
export const isOutOfSpace = (error: unknown): boolean => {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
};

/** Runs `use` on an open file and closes it afterwards. An error of `use` takes precedence over one of closing. */
export async function withFile<Result>(
  files: FileOperations,
  path: string,
  purpose: OpenPurpose,
  use: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  const file = await files.open(path, purpose);
  let result: Result;
  try {
    result = await use(file);
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  await file.close();
  return result;
}
