import { writeSync } from 'node:fs';
import type { Entry } from '#model/command.ts';
import type { ClusterNode } from '#main/cluster/cluster-node.ts';
import { adviceOnNode } from '#main/cluster/advice-on-node.ts';
import { noteOf, writeNote } from '#main/storage/broken-entry-note.ts';
import { nameEntry } from '#main/storage/broken-tail.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { type BrokenEntry, describeBroken } from '#sequencer/recovery.ts';

const exitCode = 1;
const standardError = 2;

/**
 * Handles an entry on which the engine broke: writes a note and exits within the call, so that no timer, socket or
 * thread can publish events of the entry. A node of a cluster tells that too, for two seconds at most. On a worker
 * thread only the thread exits; its owner then exits too.
 */
export const stopOnBroken =
  (directory: DataDirectory, build: string, cluster?: Pick<ClusterNode, 'epoch' | 'tellBroken'>) =>
  (entry: Entry, error: Error): void => {
    const broken = describeBroken(entry, error);
    const what = whatBroke(broken, cluster);
    const noted = noteOf(broken, 'apply', build);
    const note = cluster === undefined ? noted : { ...noted, term: cluster.epoch };
    try {
      writeNote(directory, note);
      say(`${what} ${cluster === undefined ? 'Noted: the next start moves it aside.' : 'Noted.'}`);
    } catch (failure) {
      say(`${what} It could not be noted (${String(failure)}): run: bourse quarantine ${directory.root}`);
    }
    const told = cluster?.tellBroken(note) ?? null;
    if (told !== null) say(told);
    say(error.stack ?? String(error));
    process.exit(exitCode);
  };

/** For people: a follower that finds the leader's digest to be another one has computed something else. DEC-CLU-28. */
export function whatBroke(broken: BrokenEntry, cluster?: Pick<ClusterNode, 'epoch'>): string {
  const differs = broken.commandKind === 'assertDigest' && cluster?.epoch === null;
  if (!differs) return `${nameEntry(broken)} breaks an invariant: ${broken.invariant}.`;
  return (
    `What this node computed differs from what its leader did, before entry ${broken.seq}: ${broken.invariant}. Its ` +
    `next start computes it anew. If that ends so too: ${adviceOnNode}`
  );
}

function say(text: string): void {
  try {
    writeSync(standardError, `bourse: ${text}\n`);
  } catch {
    // The terminal is gone; the note has the same information.
  }
}
