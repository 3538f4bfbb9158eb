import { assert } from '#base/assert.ts';
import type { Command } from '#model/command.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type BrokenNote, type CommandLog, LogFull, LogUnreachable } from '#cluster/command-log.ts';
import { dropWhatAllHave } from '#cluster/drop-batches.ts';
import { hasVoided } from '#cluster/handover.ts';
import type { FileJournal } from '#journal/file-journal.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { moveTailAside } from '#journal/journal-tail.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { answered, type WaitParts } from '#main/cluster/await-quorum.ts';
import { brokenNoteOf, entryNoteOf } from '#main/cluster/broken-note.ts';
import type { ClusterFile } from '#main/cluster/cluster-file.ts';
import { readNote } from '#main/storage/broken-entry-note.ts';
import { entryAt, removeNote, tailMoveOf } from '#main/storage/broken-tail.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { putHistoryRight } from '#main/storage/history-after-cut.ts';
import { IngressRefused } from '#sequencer/command-ingress.ts';
import type { Sequencer } from '#sequencer/sequencer.ts';

// What a node does about entries that broke a leader: at its start, before its journal is opened, and while it runs.

/** What a start needs for it. */
export interface VoidedParts extends WaitParts {
  readonly file: ClusterFile;
  readonly log: CommandLog;
}

/** Takes what was voided out of the journal of a node that runs. DEC-CLU-11. */
export const takeOutOf =
  (journal: FileJournal, { directory, tell }: { readonly directory: DataDirectory } & Pick<VoidedParts, 'tell'>) =>
  async (voided: BrokenNote): Promise<void> => {
    const move = tailMoveOf(directory, entryNoteOf(voided));
    await journal.endBefore(move);
    tell(whatWasVoided(voided, move.into));
  };

/**
 * Tells the cluster of the entry on which this node's engine broke while it led, if it could not when it died. Answers
 * the note where another node has led since, so that it came too late. DEC-CLU-12.
 */
export async function passOnNote(parts: VoidedParts, directory: DataDirectory): Promise<BrokenNote | null> {
  const kept = readNote(directory);
  if (kept?.term === undefined) return null;
  const { term } = kept;
  const note = brokenNoteOf(kept, parts.file.node);
  if (term !== null && !(await answered(parts, () => leaveNote(parts, term, note)))) return note;
  await removeNote({ files: nodeFileOperations, directory });
  return null;
}

/** The note, if the own journal still has its entry; else it is removed. */
export async function stillThere(directory: DataDirectory, note: BrokenNote | null): Promise<BrokenNote | null> {
  if (note === null) return null;
  const reader = await openJournalReader(nodeFileOperations, directory.journal);
  if ((await entryAt(reader, note.seq))?.epoch === note.epoch) return note;
  await removeNote({ files: nodeFileOperations, directory });
  return null;
}

/** @throws LogUnreachable also where the log has no room for the note: something was done about it */
async function leaveNote(
  { log }: VoidedParts,
  ...[term, note]: Parameters<CommandLog['noteBroken']>
): Promise<boolean> {
  try {
    return await log.noteBroken(term, note);
  } catch (error) {
    if (!(error instanceof LogFull)) throw error;
    await dropWhatAllHave(log, await log.applied());
    throw new LogUnreachable(error.message, { cause: error });
  }
}

/** Takes out of the own journal what a leader voided while this node did not run. DEC-CLU-11. */
export async function cutVoided(parts: VoidedParts, directory: DataDirectory): Promise<void> {
  const passed = await answered(parts, () => parts.log.handover());
  const notes = passed?.handover.broken ?? [];
  if (notes.length === 0) return;
  await nodeFileOperations.makeDirectory(directory.journal);
  const reader = await openJournalReader(nodeFileOperations, directory.journal);
  const epochAt = async (seq: Seq): Promise<Epoch> => (await entryAt(reader, seq))!.epoch;
  const own = { applied: as<Seq>(reader.first() - 1), last: reader.last(), epochAt };
  for (const note of notes) {
    if (!(await hasVoided(note, own))) continue;
    // Later ones stood in what is cut, if at all.
    await cutBefore(parts, directory, note);
    return;
  }
}

async function cutBefore({ tell }: VoidedParts, directory: DataDirectory, voided: BrokenNote): Promise<void> {
  const files = nodeFileOperations;
  const move = tailMoveOf(directory, entryNoteOf(voided));
  await moveTailAside({ ...move, files, journal: directory.journal });
  await putHistoryRight({ files, directory, tell }, voided.seq);
  tell(whatWasVoided(voided, move.into));
}

/** For people: what was taken out of a node's journal, and where it lies. */
const whatWasVoided = ({ seq, voidedTo, commandKind, invariant, node }: BrokenNote, folder: string): string =>
  `Entry ${seq} (${commandKind}) broke an invariant at ${node}, which led: ${invariant}. Entries ${seq} to ` +
  `${voidedTo} were voided, and nobody was answered: they lie in ${folder}.`;

/** What records that entries were voided. */
function recordOf({ seq, account, commandKind, invariant, voidedTo }: BrokenNote): Command {
  assert(voidedTo !== null, 'what is recorded was voided');
  return { kind: 'recordQuarantine', seq, lastSeq: voidedTo, account, commandKind, invariant };
}

/**
 * Records what was voided, before anything else of a term. While it is refused, as where the quorum does not answer, it
 * is tried again after `pause`. @throws what ends a sequencer
 */
export async function recordVoided(
  sequencer: Pick<Sequencer, 'post' | 'isOpen'>,
  voided: BrokenNote,
  pause: () => Promise<unknown>,
): Promise<void> {
  for (;;) {
    try {
      await sequencer.post(recordOf(voided));
      return;
    } catch (error) {
      if (!(error instanceof IngressRefused && sequencer.isOpen)) throw error;
    }
    await pause();
  }
}
