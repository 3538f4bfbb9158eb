/** An open file. Positions and sizes are in bytes. Every method may reject with a system error, see `errorCode`. */
export interface OpenFile {
  size(): Promise<number>;
  /** Fills `into` from `position` on. Answers how many bytes there were: fewer only where the file ends. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Writes all of `bytes`, which may not change before this settles. After an error any part may be written. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** As `write`, and resolves once the bytes survive a crash of the machine. For files opened as `durable`. */
  writeThrough(bytes: Uint8Array, position: number): Promise<void>;
  /** Resolves once content and size survive a crash of the machine. Not to be repeated after an error. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file or directory and the name under which it was found. */
export interface HeldName {
  readonly path: string;
  /**
   * Whether the name still stands for the very same file or directory: by device and inode, so that a copy in its place
   * is another one. Without waiting. @throws a system error where that cannot be told.
   */
  isStillNamed(): boolean;
  release(): Promise<void>;
}

/** `create` makes a file anew, empty, for its owner only; `durable` opens an existing one for `writeThrough` too. */
export type OpenPurpose = 'read' | 'create' | 'durable';

/** What the stores of this folder ask of a file system; so faults and crashes can be put between any two calls. */
export interface FileOperations {
  open(path: string, purpose: OpenPurpose): Promise<OpenFile>;
  /** Remembers which file or directory stands at `path` now, and keeps it from going until it is released. */
  hold(path: string): Promise<HeldName>;
  /** Within one directory; replaces what is there. Survives a crash after `syncDirectory`. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Names of the files in a directory, in no order. */
  list(directory: string): Promise<readonly string[]>;
  /** Makes the directory and those above it, for their owner only, where they are missing; survives a crash. */
  makeDirectory(directory: string): Promise<void>;
  /** Resolves once the names in the directory survive a crash of the machine. */
  syncDirectory(directory: string): Promise<void>;
}

/** The system's name of an error, such as `ENOSPC`; `null` for any other error. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** The disk or the quota has no room; nothing else is wrong. */
export const isOutOfSpace = (error: unknown): boolean => {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
};

/** Runs `use` on an open file and closes it whatever happens. An error of `use` comes before one of closing. */
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
