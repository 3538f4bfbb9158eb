import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isoTime } from '#base/clock.ts';
import type { Seq } from '#model/units.ts';
import { copyHistory } from '#history/sqlite/history-copy.ts';
import { chunksOf } from '#journal/file-copy.ts';
import { FileSnapshotStore, snapshotName } from '#journal/file-snapshot-store.ts';
import { HeldFiles } from '#journal/held-files.ts';
import { endJournal, holdSegments } from '#journal/held-journal.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { verifyJournalFiles } from '#journal/verify.ts';
import {
  type BackupManifest,
  looseFiles,
  manifestName,
  manifestText,
  PassingSum,
  sumsName,
  sumsText,
} from '#main/backup/backup-files.ts';
import type { BackupTarget } from '#main/backup/backup-target.ts';
import type { ConfigurationFiles } from '#main/backup/configuration-files.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { CommandFailed, exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';

/** What a backup is made of, and where it goes. */
export interface BackupParts {
  readonly directory: DataDirectory;
  readonly configuration: ConfigurationFiles;
  readonly withHistory: boolean;
  readonly target: BackupTarget;
  readonly version: string;
  /** The time of the backup. */
  readonly nowMs: number;
  readonly tell: (message: string) => void;
}

const snapshotPattern = /^\d{16}\.snapshot$/;

/**
 * Copies an exchange that may be running: first it holds what may be deleted, then it copies history, then it ends the
 * journal. So the journal holds all that history and snapshot know, and all that was acknowledged before the backup.
 * Every byte of journal and snapshot is checked before it is copied.
 * @throws CommandFailed where something is damaged. Then nothing is left of the backup.
 */
export async function makeBackup(parts: BackupParts): Promise<BackupManifest> {
  const held = new HeldFiles(nodeFileOperations);
  try {
    const manifest = await holdExchange(held, parts);
    await writeBackup(held, parts, manifest);
    await parts.target.finish();
    return manifest;
  } catch (error) {
    parts.target.abandon();
    throw error;
  } finally {
    await held.release();
  }
}

/** Holds what belongs to one moment, and checks it. */
async function holdExchange(held: HeldFiles, parts: BackupParts): Promise<BackupManifest> {
  const { directory, configuration, withHistory, target, version, nowMs, tell } = parts;
  for (const name of await nodeFileOperations.list(directory.snapshots))
    if (snapshotPattern.test(name)) await held.keep(`${directory.snapshots}/${name}`);
  await holdSegments(nodeFileOperations, held, directory.journal);
  if (withHistory) {
    tell('Copying history.');
    const copy = historyCopy(target);
    copyHistory(directory.history, copy);
    await held.keep(copy);
    rmSync(copy);
  }
  await endJournal(nodeFileOperations, held, directory.journal);
  // After the journal: the chains of a sandbox know every block that the journal knows.
  for (const name of looseFiles) await held.keep(join(directory.root, name));
  const { firstEntry, lastEntry, snapshotAt } = await checkHeld(held, parts);
  return {
    format: 1,
    madeBy: `Bourse ${version}`,
    madeAt: isoTime(nowMs),
    firstEntry,
    lastEntry,
    lastEntryAt: lastEntry === 0 ? null : await timeOf(held, directory, lastEntry),
    snapshotAt,
    holdsHistory: withHistory,
    holdsMasterKey: configuration.holdsMasterKey,
    settingsLeftOut: [...configuration.settingsLeftOut],
    filesLeftOut: [...configuration.filesLeftOut],
    places: Object.fromEntries(configuration.places),
  };
}

const historyCopy = ({ scratch }: BackupTarget): string => join(scratch, 'history.db');

interface CheckedRange {
  readonly firstEntry: Seq;
  readonly lastEntry: Seq;
  readonly snapshotAt: Seq | null;
}

/** Reads every byte of journal and snapshots; holds the newest sound snapshot alone then. */
async function checkHeld(held: HeldFiles, { directory, withHistory, tell }: BackupParts): Promise<CheckedRange> {
  const { journal, snapshots } = directory;
  const store = new FileSnapshotStore({ files: held, directory: snapshots, notice: () => undefined });
  for (const { file, fault } of await store.check()) {
    if (fault === null) continue;
    tell(`${file} is passed over: ${fault}.`);
    await held.drop(file);
  }
  const found = await verifyJournalFiles({ files: held, journal, snapshots, progress: tell });
  const [fault] = found.faults;
  if (fault !== undefined) throw new CommandFailed(exitCodes.data, `${fault}. Nothing was backed up.`);
  const { firstSeq: firstEntry, lastSeq: lastEntry } = found;
  if (firstEntry > 1 && !withHistory)
    throw usedWrongly(
      `--without-history: the journal begins at entry ${firstEntry}, so that history could not be rebuilt from it.`,
    );
  const usable = found.snapshots.map(({ at }) => at).filter((at) => at <= lastEntry && at + 1 >= firstEntry);
  const [snapshotAt = null] = usable;
  if (snapshotAt === null && firstEntry > 1)
    throw new CommandFailed(
      exitCodes.data,
      `the journal begins at entry ${firstEntry}, and no sound snapshot reaches it. Nothing was backed up.`,
    );
  for (const { at } of found.snapshots) if (at !== snapshotAt) await held.drop(`${snapshots}/${snapshotName(at)}`);
  return { firstEntry, lastEntry, snapshotAt };
}

async function timeOf(held: HeldFiles, { journal }: DataDirectory, seq: Seq): Promise<string | null> {
  const reader = await openJournalReader(held, journal);
  for await (const [entry] of reader.read(seq)) if (entry !== undefined) return isoTime(entry.at);
  return null;
}

async function writeBackup(held: HeldFiles, parts: BackupParts, manifest: BackupManifest): Promise<void> {
  const { directory, configuration, target } = parts;
  const sums = new Map<string, string>();
  const add = async (name: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void> => {
    const sum = new PassingSum();
    await target.add(name, size, sum.through(content));
    sums.set(name, sum.digest());
  };
  for (const path of held.paths()) {
    const file = await held.open(path);
    const size = await file.size();
    const name = path === historyCopy(target) ? 'history.db' : path.slice(directory.root.length + 1);
    await add(`data/${name}`, size, chunksOf(file, size));
  }
  const texts = new Map([...configuration.files, [manifestName, Buffer.from(manifestText(manifest))]]);
  for (const [name, bytes] of texts) await add(name, bytes.length, once(bytes));
  const text = Buffer.from(sumsText(sums));
  await target.add(sumsName, text.length, once(text));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
