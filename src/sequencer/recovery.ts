import { assert } from '#base/assert.ts';
import { accountOfCommand } from '#model/command-subject.ts';
import type { CommandKind, Entry } from '#model/command.ts';
import type { EventSink } from '#model/events.ts';
import { newestRules } from '#model/rules.ts';
import type { AccountId, Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { ImageNotReadable } from '#engine/image/state-image.ts';
import type { Journal, SnapshotStore } from '#journal/journal.ts';

/** The part of a journal that a replay needs; `JournalReader` has it too. */
export type ReplayableJournal = Pick<Journal, 'first' | 'last' | 'read'>;

/** The journal begins after the entry that a replay needs first, or ends before a snapshot that was made from it. */
export class JournalTooShort extends Error {
  override name = 'JournalTooShort';
}

/** The journal goes by rules that this build does not know: a newer build has to go on with it. */
export class RulesNotKnown extends Error {
  override name = 'RulesNotKnown';
  constructor(where: string, version: number) {
    super(
      `${where} goes by version ${version} of the rules, and this build knows them up to version ${newestRules}: ` +
        'start a newer build',
    );
  }
}

/** To be asked before an entry of a journal is applied. DEC-ORD-36, DEC-CLU-28. @throws RulesNotKnown */
export function requireKnownRules({ seq, command }: Entry): void {
  if (command.kind === 'activateRules' && command.version > newestRules)
    throw new RulesNotKnown(`the journal from entry ${seq} on`, command.version);
}

/** Description of an entry on which the engine broke an invariant. Contains no secrets. */
export interface BrokenEntry {
  readonly seq: Seq;
  readonly epoch: Epoch;
  /** The entry's time on the exchange's clock. */
  readonly at: TimestampMs;
  readonly commandKind: CommandKind;
  readonly account: AccountId | null;
  /** The invariant that did not hold. */
  readonly invariant: string;
}

/** Longest kept text of a broken invariant, in characters. */
const invariantLength = 300;

/** Description of an entry on which `apply` threw. */
export const describeBroken = (entry: Entry, error: unknown): BrokenEntry => ({
  seq: entry.seq,
  epoch: entry.epoch,
  at: entry.at,
  commandKind: entry.command.kind,
  account: accountOfCommand(entry.command),
  invariant: (error instanceof Error ? error.message : String(error)).slice(0, invariantLength),
});

/** A replay reached an entry that the engine cannot apply. The engine's state is unusable afterwards. */
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

/** Options of a recovery. */
export interface RestoreOptions {
  /** Greatest position of a snapshot that may be used. */
  readonly atMost?: Seq;
  readonly notice: (message: string) => void;
}

/**
 * The engine restored from the newest readable snapshot, or an empty one. The restored digest is compared with the one
 * in the snapshot. Losing snapshots costs time, never data.
 * @throws JournalTooShort when the entries after it are no longer kept; RulesNotKnown.
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
      const { rules } = engine.state.progress;
      if (rules > newestRules) throw new RulesNotKnown(`the snapshot at entry ${at}`, rules);
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
 * Applies every entry after the engine's position, up to `upTo` or the end. `progress` is called with the position now
 * and then. `onBroken` is called inside a failing `apply`, before anything else can run, so that a sink can drop the
 * events of that entry.
 * @throws EntryBroken at the first entry that breaks an invariant, RulesNotKnown before one that this build must not
 * apply.
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
      requireKnownRules(entry);
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

/** A replay of fewer entries is too short to report progress. */
const longEntries = 200_000;

/** Reports the progress of a long replay at every tenth. */
export function everyTenth(from: Seq, to: Seq, tell: (message: string) => void): (at: Seq) => void {
  let told = 0;
  return (at) => {
    const tenth = Math.floor(((at - from) / (to - from)) * 10);
    if (to - from < longEntries || tenth <= told) return;
    told = tenth;
    tell(`Replaying the journal: ${tenth * 10} % of ${to - from} commands.`);
  };
}
