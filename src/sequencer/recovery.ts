import { assert } from '#base/assert.ts';
import { accountOfCommand } from '#domain/command-subject.ts';
import type { CommandKind, Entry } from '#domain/command.ts';
import type { EventSink } from '#domain/events.ts';
import type { AccountId, Epoch, Seq, TimestampMs } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { ImageNotReadable } from '#engine/image/state-image.ts';
import type { Journal, SnapshotStore } from '#journal/journal.ts';

/** What a replay needs of a journal; a reader in another thread has it too. */
export type ReplayableJournal = Pick<Journal, 'first' | 'last' | 'read'>;

/** The journal does not reach back to where a replay would have to begin, or not as far as what was made from it. */
export class JournalTooShort extends Error {
  override name = 'JournalTooShort';
}

/** What is told of an entry on which the engine broke an invariant. Holds nothing that a person may not read. */
export interface BrokenEntry {
  readonly seq: Seq;
  readonly epoch: Epoch;
  /** The entry's time on the exchange's clock. */
  readonly at: TimestampMs;
  readonly commandKind: CommandKind;
  readonly account: AccountId | null;
  /** What the engine claims and did not find so. */
  readonly invariant: string;
}

/** Longest text of a broken invariant that is kept. */
const invariantLength = 300;

/** What to tell of an entry that `apply` threw at. */
export const describeBroken = (entry: Entry, error: unknown): BrokenEntry => ({
  seq: entry.seq,
  epoch: entry.epoch,
  at: entry.at,
  commandKind: entry.command.kind,
  account: accountOfCommand(entry.command),
  invariant: (error instanceof Error ? error.message : String(error)).slice(0, invariantLength),
});

/** A replay came to an entry that the engine cannot apply; the engine it ran on is of no more use. */
export class EntryBroken extends Error {
  override name = 'EntryBroken';
  readonly broken: BrokenEntry;
  constructor(broken: BrokenEntry, cause: unknown) {
    const { seq, commandKind, account, invariant } = broken;
    const whose = account === null ? '' : ` of account ${account}`;
    super(`entry ${seq} (${commandKind}${whose}) breaks an invariant: ${invariant}`, { cause });
    this.broken = broken;
  }
}

/** How far back a recovery begins, and who hears of images that it could not use. */
export interface RestoreOptions {
  /** The snapshot stands at this entry at most. */
  readonly atMost?: Seq;
  readonly notice: (message: string) => void;
}

/**
 * The engine of the newest snapshot that can be read, or of genesis; its digest is compared with what the snapshot
 * promised. Losing snapshots costs time, never data.
 * @throws JournalTooShort when the entries after it are no longer kept.
 */
export async function restoreNewest(
  journal: ReplayableJournal,
  snapshots: Pick<SnapshotStore, 'latest'>,
  { atMost, notice }: RestoreOptions,
): Promise<StateMachine> {
  const engine = await newestReadable(snapshots, atMost, notice);
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

async function newestReadable(
  snapshots: Pick<SnapshotStore, 'latest'>,
  atMost: Seq | undefined,
  notice: (message: string) => void,
): Promise<StateMachine> {
  let snapshot = await snapshots.latest(atMost);
  while (snapshot !== null) {
    const { at, image, digest } = snapshot;
    try {
      const engine = restoreEngine(image, digest);
      assert(engine.seq === at, 'a snapshot restores to its own position');
      return engine;
    } catch (error) {
      if (!(error instanceof ImageNotReadable)) throw error;
      notice(`The snapshot at entry ${at} is passed over: ${error.message}.`);
    }
    snapshot = at === 0 ? null : await snapshots.latest(as<Seq>(at - 1));
  }
  return createEngine();
}

/**
 * Applies every entry after the engine's position, up to `upTo` or the end; `progress` hears the position now and then.
 * `onBroken` is told inside a failing `apply`, before anything else can run: whoever keeps what the sink hears drops
 * it.
 * @throws EntryBroken at the first entry that breaks an invariant.
 */
export async function replay(
  engine: StateMachine,
  journal: ReplayableJournal,
  sink: EventSink,
  progress: (at: Seq) => void,
  upTo?: Seq,
  onBroken: () => void = () => {},
): Promise<void> {
  const end = upTo ?? journal.last();
  if (engine.seq >= end) return;
  for await (const entries of journal.read(as<Seq>(engine.seq + 1))) {
    for (const entry of entries) {
      if (entry.seq > end) return;
      try {
        engine.apply(entry, sink);
      } catch (error) {
        onBroken();
        throw new EntryBroken(describeBroken(entry, error), error);
      }
    }
    progress(engine.seq);
  }
  assert(engine.seq === end, 'a replay reaches the end of the journal');
}
