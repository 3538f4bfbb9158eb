import { isoTime } from '#base/clock.ts';
import type { Entry } from '#model/command.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import { chunksOf } from '#journal/file-copy.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { withFile } from '#journal/file-operations.ts';
import { openJournalReader, type JournalReader } from '#journal/journal-reader.ts';
import { moveTailAside, tailListName, type TailMove } from '#journal/journal-tail.ts';
import { noteName, readNote, textOfNote, type BrokenEntryNote } from '#main/storage/broken-entry-note.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { putHistoryRight } from '#main/storage/history-after-cut.ts';
import type { BrokenEntry } from '#sequencer/recovery.ts';

// How the exchange continues after an entry that the engine could not apply. First a note about the entry is written:
// by `stopOnBroken` in the failing process, or by `bourse quarantine` if a replay found the entry. Then `cutBrokenTail`
// moves the journal's tail aside, at the next start or at once. The start after that journals `recordQuarantine` as the
// first entry of a new epoch, and then the note is removed. The next start completes any step that was interrupted.

/** A tail that was moved aside but is not recorded in the journal yet. */
export interface CutTail {
  readonly note: BrokenEntryNote;
  /** Where it lies now. */
  readonly folder: string;
  /** Last entry in it. */
  readonly lastSeq: Seq;
}

/** Disk, directory and message callback. */
export interface CutOptions {
  readonly files: FileOperations;
  readonly directory: DataDirectory;
  readonly tell: (message: string) => void;
}

/** An entry in a message for people. */
export function nameEntry({ seq, at, commandKind, account }: BrokenEntry): string {
  const whose = account === null ? '' : ` of account ${account}`;
  return `entry ${seq} of ${isoTime(at)} (${commandKind}${whose})`;
}

/** Directory of the tail that begins at the noted entry; names sort by entry, then by time. */
export function tailFolder(directory: DataDirectory, { seq, epoch, notedAt }: BrokenEntryNote): string {
  const moment = notedAt.replaceAll(/[-:]/g, '').replace('.', '');
  return `${directory.quarantine}/${String(seq).padStart(16, '0')}-${moment}-${epoch}`;
}

/** How the tail that begins at the noted entry is moved aside. */
export const tailMoveOf = (directory: DataDirectory, note: BrokenEntryNote): Omit<TailMove, 'files' | 'journal'> => ({
  snapshots: directory.snapshots,
  into: tailFolder(directory, note),
  from: note.seq,
  note: { name: noteName, text: textOfNote(note) },
});

/**
 * Moves the noted tail aside and removes its rows from history. Answers the tail that is still to be recorded, or
 * `null`. This process must hold the directory's lock, with journal and history closed.
 */
export async function cutBrokenTail(options: CutOptions): Promise<CutTail | null> {
  const { files, directory, tell } = options;
  const note = readNote(directory);
  if (note === null) return null;
  const reader = await openJournalReader(files, directory.journal);
  const move = tailMoveOf(directory, note);
  const folder = move.into;
  const entry = await entryAt(reader, note.seq);
  if (entry !== null && entry.epoch > note.epoch) {
    await removeNote(options);
    return null;
  }
  const isNoted = entry !== null && entry.epoch === note.epoch && entry.at === note.at;
  if (!isNoted && reader.last() + 1 !== note.seq) {
    tell(
      `The note about ${nameEntry(note)} does not fit this journal, which ends at entry ${reader.last()}: set aside.`,
    );
    await files.rename(directory.brokenEntry, `${directory.brokenEntry}.unfit`);
    await files.syncDirectory(directory.root);
    return null;
  }
  await moveTailAside({ ...move, files, journal: directory.journal });
  await putHistoryRight(options, note.seq);
  const lastSeq = as<Seq>(note.seq - 1 + (await linesOf(files, `${folder}/${tailListName}`)));
  if (isNoted) for (const line of whatHappened(note, folder, lastSeq)) tell(line);
  return { note, folder, lastSeq };
}

function whatHappened(note: BrokenEntryNote, folder: string, lastSeq: Seq): readonly string[] {
  const behind = lastSeq - note.seq;
  const answered =
    note.foundBy === 'apply' ? 'None of it was ever answered.' : 'An older build may have answered some of it.';
  return [
    `The exchange could not apply ${nameEntry(note)}: ${note.invariant}.`,
    behind === 0
      ? `It was taken out of the journal. ${answered}`
      : `It and the ${behind} entries behind it were taken out of the journal. ${answered}`,
    `What was taken out lies in ${folder}, with a list. The exchange goes on after entry ${note.seq - 1}.`,
  ];
}

/** The epoch of the journal after a cut. */
export const epochAfter = ({ note }: CutTail, last: Epoch): Epoch => as<Epoch>(Math.max(note.epoch, last) + 1);

/** Journals the cut as the first entry after it, then removes the note. */
export async function recordCut(
  { note, lastSeq }: CutTail,
  { files, directory, sequencer }: Omit<CutOptions, 'tell'> & { readonly sequencer: CommandIngress },
): Promise<void> {
  const { seq, account, commandKind, invariant } = note;
  // If this command itself breaks the engine, it is not retried.
  if (commandKind !== 'recordQuarantine')
    await sequencer.post({ kind: 'recordQuarantine', seq, lastSeq, account, commandKind, invariant });
  await removeNote({ files, directory });
}

/** Removes the note: the journal or the cluster knows, and a copy of the note is stored with the tail. */
export async function removeNote({ files, directory }: Omit<CutOptions, 'tell'>): Promise<void> {
  await files.unlink(directory.brokenEntry);
  await files.syncDirectory(directory.root);
}

/** The entry at a position, without its command; `null` where the journal has none. */
export async function entryAt(reader: JournalReader, seq: Seq): Promise<Pick<Entry, 'epoch' | 'at'> | null> {
  if (seq < reader.first() || seq > reader.last()) return null;
  for await (const [entry] of reader.read(seq)) {
    if (entry !== undefined) return { epoch: entry.epoch, at: entry.at };
  }
  return null;
}

const lineFeed = 10;

function linesOf(files: FileOperations, path: string): Promise<number> {
  return withFile(files, path, 'read', async (file) => {
    let lines = 0;
    for await (const chunk of chunksOf(file, await file.size())) {
      for (const byte of chunk) if (byte === lineFeed) lines += 1;
    }
    return lines;
  });
}
