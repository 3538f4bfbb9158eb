import type { BrokenNote } from '#cluster/command-log.ts';
import type { BrokenEntryNote } from '#main/storage/broken-entry-note.ts';

/** What the cluster is told of an entry on which this node's engine broke. */
export const brokenNoteOf = (
  { seq, epoch, at, commandKind, account, invariant, notedAt, build }: Omit<BrokenEntryNote, 'foundBy' | 'term'>,
  node: string,
): BrokenNote => ({
  ...{ seq, epoch, at, commandKind, account, invariant, notedAt },
  ...{ node, builds: [build], voidedTo: null },
});

/** The note that is kept with what a node took out of its journal: the same one at every node. */
export const entryNoteOf = ({
  seq,
  epoch,
  at,
  commandKind,
  account,
  invariant,
  notedAt,
  builds,
}: BrokenNote): BrokenEntryNote => ({
  ...{ seq, epoch, at, commandKind, account, invariant, notedAt },
  ...{ foundBy: 'apply', build: builds.join(', ') },
});
