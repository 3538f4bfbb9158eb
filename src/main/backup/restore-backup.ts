import fs from 'node:fs';
import { join, resolve } from 'node:path';
import { chunksOf } from '#journal/file-copy.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import {
  type BackupManifest,
  BackupRefused,
  isBackupName,
  manifestName,
  parseManifest,
  parseSums,
  PassingSum,
  sumsName,
} from '#main/backup/backup-files.ts';
import { folderBeside, refuseExisting, renameWhole, writeFile } from '#main/backup/backup-target.ts';
import { readTar, type TarFile } from '#main/backup/tar-format.ts';
import { verifyDataDirectory } from '#main/commands/verify.ts';
import { layoutOf } from '#main/storage/data-directory.ts';

/** A restored exchange: what the backup said of itself, and the report of the check. */
export interface RestoredBackup {
  readonly manifest: BackupManifest;
  readonly report: string;
}

/** Far more than the names of a journal of a terabyte. */
const textSizeMax = 64 * 1024 * 1024;

/**
 * Puts a backup into a new data directory: compares every file with its hash, then checks the exchange in it as
 * `bourse verify` does. The directory is there once all is sound. `source`: a folder, a tar file, or `-` for a tar
 * stream on standard input.
 * @throws BackupRefused, CommandFailed where the directory is there, JournalOfOtherBuild. Then nothing is left.
 */
export async function restoreBackup(
  source: string,
  to: string,
  tell: (message: string) => void,
): Promise<RestoredBackup> {
  const target = resolve(to);
  refuseExisting(target);
  const partial = folderBeside(target);
  try {
    const texts = await copyChecked(filesOf(source), partial);
    const manifest = parseManifest(texts.get(manifestName) ?? '');
    tell('Every file has its hash. Checking the exchange.');
    const { isSound, text } = await verifyDataDirectory(layoutOf(partial), tell);
    if (!isSound) throw new BackupRefused(`the exchange in the backup is not sound:\n${text.trimEnd()}`);
    await renameWhole(partial, target);
    return { manifest, report: text };
  } catch (error) {
    fs.rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Copies every file, then holds all of them against the hashes. Answers the files that describe the backup. */
async function copyChecked(files: AsyncIterable<TarFile>, folder: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const found = new Map<string, string>();
  for await (const { name, content } of files) {
    if (found.has(name)) throw new BackupRefused(`the backup holds ${name} twice`);
    const sum = new PassingSum();
    if (name === manifestName || name === sumsName) texts.set(name, await readText(name, sum.through(content)));
    else await writeFile(join(folder, name.replace(/^data\//, '')), sum.through(content));
    found.set(name, sum.digest());
  }
  const text = texts.get(sumsName);
  if (text === undefined) throw new BackupRefused(`the backup is not whole: ${sumsName} is missing`);
  found.delete(sumsName);
  const sums = parseSums(text);
  if (!sums.has(manifestName)) throw new BackupRefused(`${sumsName} does not name ${manifestName}`);
  for (const [name, sum] of sums) {
    const is = found.get(name);
    if (is === undefined) throw new BackupRefused(`${name} is missing in the backup`);
    if (is !== sum) throw new BackupRefused(`${name} is damaged: its SHA-256 is not that of ${sumsName}`);
  }
  for (const name of found.keys())
    if (!sums.has(name)) throw new BackupRefused(`${name} is in the backup, but not in ${sumsName}`);
  return texts;
}

async function readText(name: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > textSizeMax) throw new BackupRefused(`${name} is larger than that of any backup`);
    chunks.push(Uint8Array.from(chunk));
  }
  return Buffer.concat(chunks).toString('utf8');
}

function filesOf(source: string): AsyncIterable<TarFile> {
  if (source === '-') return readTar(process.stdin);
  return fs.statSync(source).isDirectory() ? filesOfFolder(source) : readTar(fs.createReadStream(source));
}

async function* filesOfFolder(folder: string): AsyncGenerator<TarFile> {
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(join(folder, '/').length).replaceAll('\\', '/');
    if (!entry.isFile() || !isBackupName(name))
      throw new BackupRefused(`the backup holds ${JSON.stringify(name)}, which no backup does`);
    yield { name, content: contentOf(path) };
  }
}

async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await nodeFileOperations.open(path, 'read');
  try {
    yield* chunksOf(file, await file.size());
  } finally {
    await file.close();
  }
}
