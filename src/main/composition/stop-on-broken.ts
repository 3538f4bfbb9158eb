import { writeSync } from 'node:fs';
import type { Entry } from '#model/command.ts';
import { noteOf, writeNote } from '#main/storage/broken-entry-note.ts';
import { nameEntry } from '#main/storage/broken-tail.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { describeBroken } from '#sequencer/recovery.ts';

const exitCode = 1;
const standardError = 2;

/**
 * Handles an entry on which the engine broke: writes a note and exits within the call, so that no timer, socket or
 * thread can publish events of the entry. On a worker thread only the thread exits; its owner then exits too.
 */
export const stopOnBroken =
  (directory: DataDirectory, build: string) =>
  (entry: Entry, error: Error): void => {
    const broken = describeBroken(entry, error);
    try {
      writeNote(directory, noteOf(broken, 'apply', build));
      say(`${nameEntry(broken)} breaks an invariant: ${broken.invariant}. Noted: the next start moves it aside.`);
    } catch (failure) {
      say(
        `${nameEntry(broken)} breaks an invariant: ${broken.invariant}. It could not be noted (${String(failure)}): ` +
          `run: bourse quarantine ${directory.root}`,
      );
    }
    say(error.stack ?? String(error));
    process.exit(exitCode);
  };

function say(text: string): void {
  try {
    writeSync(standardError, `bourse: ${text}\n`);
  } catch {
    // The terminal is gone; the note has the same information.
  }
}
