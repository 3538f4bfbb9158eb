import { assert } from '#base/assert.ts';
import type { EventSink } from '#domain/events.ts';
import type { Seq } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import type { Journal, SnapshotStore } from '#journal/journal.ts';

/** What a replay needs of a journal; a reader in another thread has it too. */
export type ReplayableJournal = Pick<Journal, 'first' | 'last' | 'read'>;

/** The journal does not reach back to where a replay would have to begin, or not as far as what was made from it. */
export class JournalTooShort extends Error {
  override name = 'JournalTooShort';
}

/**
 * The engine of the newest snapshot at or before `atMost`, or of genesis; its digest is compared with what the snapshot
 * promised. Losing snapshots costs time, never data.
 * @throws JournalTooShort when the entries after it are no longer kept.
 */
export async function restoreNewest(
  journal: ReplayableJournal,
  snapshots: Pick<SnapshotStore, 'latest'>,
  atMost?: Seq,
): Promise<StateMachine> {
  const snapshot = await snapshots.latest(atMost);
  const engine = snapshot === null ? createEngine() : restoreEngine(snapshot.image, snapshot.digest);
  assert(snapshot === null || engine.seq === snapshot.at, 'a snapshot restores to its own position');
  if (engine.seq > journal.last()) {
    throw new JournalTooShort(
      `a snapshot stands at entry ${engine.seq}, but the journal ends at entry ${journal.last()}: ` +
        'part of it is missing',
    );
  }
  if (journal.first() > engine.seq + 1) {
    throw new JournalTooShort(
      `the journal begins at entry ${journal.first()}, but replay has to begin at entry ${engine.seq + 1}`,
    );
  }
  return engine;
}

/**
 * Applies every entry after the engine's position, up to `upTo` or the end; `progress` hears the position now and then.
 */
export async function replay(
  engine: StateMachine,
  journal: ReplayableJournal,
  sink: EventSink,
  progress: (at: Seq) => void,
  upTo?: Seq,
): Promise<void> {
  const end = upTo ?? journal.last();
  if (engine.seq >= end) return;
  for await (const entries of journal.read(as<Seq>(engine.seq + 1))) {
    for (let index = 0; index < entries.length; index += 1) {
      const entry = entries[index]!;
      if (entry.seq > end) return;
      engine.lookAhead(entries, index);
      engine.apply(entry, sink);
    }
    progress(engine.seq);
  }
  assert(engine.seq === end, 'a replay reaches the end of the journal');
}
