import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorCode, withFile } from '#journal/file-operations.ts';
import { makeDirectories, syncParent } from '#journal/make-directories.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { tarEnd, tarHeader, tarPadding } from '#main/backup/tar-format.ts';
import { usedWrongly } from '#operator-commands/exit-codes.ts';

/** Where a backup is written to. */
export interface BackupTarget {
  /** A folder for what is needed until the backup is whole. */
  readonly scratch: string;
  /** Adds a file with a name of backups. `size`: bytes of its content. */
  add(name: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** The last file was added: the backup is there, and survives a crash of the machine. */
  finish(): Promise<void>;
  /** Removes what was written. */
  abandon(): void;
}

/** Makes sure that nothing is overwritten. @throws CommandFailed */
export function refuseExisting(path: string): void {
  try {
    if (fs.readdirSync(path).length === 0) return;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    if (errorCode(error) !== 'ENOTDIR') throw error;
  }
  throw usedWrongly(`${path} is there already, and nothing is overwritten: name another folder.`);
}

/** Makes a folder beside `path` that no other process uses, to be renamed to `path` when it is whole. */
export function folderBeside(path: string): string {
  makeDirectories(dirname(path));
  return fs.mkdtempSync(`${path}.partial-`);
}

/** Gives the folder its name. @throws CommandFailed if another one has it by now. */
export async function renameWhole(from: string, to: string): Promise<void> {
  for (const name of fs.readdirSync(from, { recursive: true, withFileTypes: true }))
    if (name.isDirectory()) await nodeFileOperations.syncDirectory(join(name.parentPath, name.name));
  await nodeFileOperations.syncDirectory(from);
  try {
    fs.renameSync(from, to);
  } catch (error) {
    refuseExisting(to);
    throw error;
  }
  syncParent(to);
}

/** Writes a file of a folder and syncs it. */
export async function writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await withFile(nodeFileOperations, path, 'create', async (file) => {
    let at = 0;
    for await (const chunk of content) {
      await file.write(chunk, at);
      at += chunk.length;
    }
    await file.sync();
  });
}

/** A folder that has its name once it is whole. @throws CommandFailed where it is there already. */
export function folderTarget(path: string): BackupTarget {
  const target = resolve(path);
  refuseExisting(target);
  const partial = folderBeside(target);
  const scratch = join(partial, 'scratch');
  fs.mkdirSync(scratch, { mode: 0o700 });
  return {
    scratch,
    add: (name, _size, content) => writeFile(join(partial, name), content),
    finish: async () => {
      fs.rmSync(scratch, { recursive: true });
      await renameWhole(partial, target);
    },
    abandon: () => fs.rmSync(partial, { recursive: true, force: true }),
  };
}

/** A tar stream. `write` resolves once more can be written, and may keep what it is given. */
export function streamTarget(write: (chunk: Uint8Array) => Promise<void>, atMs: number): BackupTarget {
  const scratch = fs.mkdtempSync(join(tmpdir(), 'bourse-backup-'));
  const removeScratch = (): void => fs.rmSync(scratch, { recursive: true, force: true });
  return {
    scratch,
    add: async (name, size, content) => {
      await write(tarHeader(name, size, atMs));
      for await (const chunk of content) await write(Uint8Array.from(chunk));
      await write(tarPadding(size));
    },
    finish: async () => {
      await write(tarEnd());
      removeScratch();
    },
    abandon: removeScratch,
  };
}
