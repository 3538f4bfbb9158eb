import fs from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * What an exchange is, on the disk, stands in some files of its data directory, its content. What it is called with
 * (seed, moment, master key) stays when the content is replaced. The replacement is one rename for whoever starts after
 * a crash:
 *
 *   .content-next      the new content, whole: it is decided, and the old one is removed
 *   .content-moving    the old content is gone, and what is left here takes its place
 *
 * `finishReplacement` goes on from wherever a process was killed.
 */

/** Names of the content in a data directory. */
export const contentNames = [
  'journal',
  'snapshots',
  'history.db',
  'history.db-wal',
  'history.db-shm',
  'broken-entry.json',
  'secrets-made.json',
  'simulated-chain.jsonl',
  'raise-numbers.json',
  'exchange-time.json',
] as const;

const preparing = '.content-preparing';
const decided = '.content-next';
const moving = '.content-moving';

const exists = (path: string): boolean => fs.existsSync(path);

/**
 * Puts what is to be the content into an empty folder beside the present one, by `prepare`. Answers the folder.
 * Nothing changes before `decideContent`.
 */
export async function prepareContent(root: string, prepare: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(root, preparing);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await prepare(folder);
  return folder;
}

/**
 * Replaces the content by what was prepared. After a crash there is either the old one or, once `finishReplacement`
 * ran, the new one. The exchange must be closed, and its directory locked. `isTemporary`: nobody needs it after the
 * process.
 */
export async function decideContent(root: string, { isTemporary = false } = {}): Promise<void> {
  if (!isTemporary) await syncAll(join(root, preparing));
  await rename(join(root, preparing), join(root, decided));
  if (!isTemporary) await syncFolder(root);
  await finishReplacement(root, { isTemporary });
}

/** Completes a replacement that was decided, and forgets one that was not. */
export async function finishReplacement(root: string, { isTemporary = false } = {}): Promise<void> {
  const sync = (): Promise<void> => (isTemporary ? Promise.resolve() : syncFolder(root));
  await rm(join(root, preparing), { recursive: true, force: true });
  if (exists(join(root, decided))) {
    for (const name of contentNames) await rm(join(root, name), { recursive: true, force: true });
    await rename(join(root, decided), join(root, moving));
    await sync();
  }
  if (!exists(join(root, moving))) return;
  for (const name of await readdir(join(root, moving))) await rename(join(root, moving, name), join(root, name));
  await rm(join(root, moving), { recursive: true });
  await sync();
}

/**
 * Copies content from folder to folder. What never changes again, snapshots and compressed segments, is shared by a
 * link where the file system has links. Nothing may write to the content meanwhile.
 */
export async function copyContent(from: string, to: string): Promise<void> {
  for (const name of contentNames) if (exists(join(from, name))) await copyTree(join(from, name), join(to, name));
}

const neverChanges = (path: string): boolean => path.endsWith('.journal.z') || path.endsWith('.snapshot');

async function copyTree(from: string, to: string): Promise<void> {
  if ((await stat(from)).isDirectory()) {
    await mkdir(to, { mode: 0o700 });
    for (const name of await readdir(from)) await copyTree(join(from, name), join(to, name));
    return;
  }
  if (neverChanges(from)) await linkOrCopy(from, to);
  else await copyFile(from, to, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL);
}

/** Shares a file, or copies it where it cannot be shared. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    await copyFile(from, to, fs.constants.COPYFILE_FICLONE);
  }
}

/** Bytes of all files in a folder. */
export async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

/** Resolves once all files in a folder survive a crash of the machine. */
export async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await syncFolder(path);
    else await syncPath(path, 'r+');
  }
  await syncFolder(folder);
}

/** On Windows folders cannot be synchronised. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await syncPath(path, 'r');
}

async function syncPath(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
