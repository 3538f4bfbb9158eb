import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isoTime, wallClock } from '#base/clock.ts';
import type { CommandKind } from '#model/command.ts';
import type { Epoch } from '#model/units.ts';
import { errorCode } from '#journal/file-operations.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { writeDurably } from '#main/storage/write-durably.ts';
import type { BrokenEntry } from '#sequencer/recovery.ts';

/** Note about an entry that could not be applied, for the next start to remove that entry. No secrets. */
export interface BrokenEntryNote extends BrokenEntry {
  /** `apply`: the entry and later ones were never answered. `replay`: an older build may have answered them. */
  readonly foundBy: 'apply' | 'replay';
  /** The machine's time, as people read it. */
  readonly notedAt: string;
  /** Version of the build that could not apply the entry. */
  readonly build: string;
  /** Epoch of the term in which a node of a cluster led, `null`: it followed; absent: an exchange of one node. */
  readonly term?: Epoch | null;
}

/** The note cannot be read. */
export class NoteUnreadable extends Error {
  override name = 'NoteUnreadable';
}

const count = z.number().int().nonnegative();
const noteSchema = z.strictObject({
  seq: count.positive(),
  epoch: count,
  at: count,
  commandKind: z.string(),
  account: count.nullable(),
  invariant: z.string(),
  foundBy: z.enum(['apply', 'replay']),
  notedAt: z.iso.datetime(),
  build: z.string(),
  term: count.nullable().optional(),
});

/** Name of the note in the directory of the moved tail. */
export const noteName = 'broken-entry.json';

/** The note about an entry, as of now. */
export const noteOf = (broken: BrokenEntry, foundBy: BrokenEntryNote['foundBy'], build: string): BrokenEntryNote => ({
  ...broken,
  foundBy,
  notedAt: isoTime(wallClock.now()),
  build,
});

/** The note as indented JSON. */
export const textOfNote = (note: BrokenEntryNote): string => `${JSON.stringify(note, null, 2)}\n`;

/** Writes the note synchronously and durably; replaces an older one. */
export const writeNote = (directory: DataDirectory, note: BrokenEntryNote): void =>
  writeDurably(directory.brokenEntry, textOfNote(note));

/** The note of the last run, or `null`. @throws NoteUnreadable if the file is not a note. */
export function readNote(directory: DataDirectory): BrokenEntryNote | null {
  let text: string;
  try {
    text = readFileSync(directory.brokenEntry, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const note = noteSchema.parse(JSON.parse(text));
    return { ...note, commandKind: note.commandKind as CommandKind } as BrokenEntryNote;
  } catch (cause) {
    throw new NoteUnreadable(
      `${directory.brokenEntry} cannot be read; move it away and run: bourse quarantine ${directory.root}`,
      { cause },
    );
  }
}
