import { noopSink } from '#model/event-record.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import type { Snapshot } from '#journal/journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { verifyJournalFiles } from '#journal/verify.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { isoTime } from '#base/clock.ts';
import { formatDecimal } from '#base/decimal.ts';
import { supplyOf } from '#engine/money/free-balance.ts';
import { ImageNotReadable } from '#engine/image/state-image.ts';
import { readNote } from '#main/storage/broken-entry-note.ts';
import { nameEntry } from '#main/storage/broken-tail.ts';
import { everyTenth } from '#sequencer/recovery.ts';
import { EntryBroken, replay } from '#sequencer/recovery.ts';

/** Report of a check of a data directory: lines for people, and whether it passed. */
export interface VerifyReport {
  readonly isSound: boolean;
  readonly text: string;
}

/**
 * Checks a stopped exchange: every byte of journal and snapshots, that replay comes to the digests that were journaled
 * and to the same state as each snapshot, and every invariant of ledger and books on the state it ends in.
 */
export async function verifyDataDirectory(
  directory: DataDirectory,
  tell: (message: string) => void,
): Promise<VerifyReport> {
  const faults: string[] = [];
  const files = await verifyJournalFiles({
    files: nodeFileOperations,
    journal: directory.journal,
    snapshots: directory.snapshots,
    progress: tell,
  });
  faults.push(...files.faults);
  const snapshots = files.snapshots.map((snapshot) => `entry ${snapshot.at} (${megabytes(snapshot.size)})`);
  const lines = [
    `Journal    ${files.segments} segments, ${files.batches} batches, ${files.entries} entries kept ` +
      `(${files.firstSeq} to ${files.lastSeq}), ${megabytes(files.bytes)}`,
    `Snapshots  ${snapshots.join(', ') || 'none'}`,
  ];
  const note = readNote(directory);
  if (note !== null) lines.push(`Noted      the next start takes the journal back to before ${nameEntry(note)}`);
  if (faults.length === 0) lines.push(...(await verifyStates(directory, faults, tell).catch(noteBroken(faults))));
  lines.push(
    faults.length === 0 ? 'All sound.' : `${faults.length} faults:`,
    ...faults.slice(0, 20).map((fault) => `  ${fault}`),
  );
  return { isSound: faults.length === 0, text: `${lines.join('\n')}\n` };
}

/** An entry that cannot be applied is a fault; there is no final state to describe then. */
const noteBroken =
  (faults: string[]) =>
  (error: unknown): string[] => {
    if (!(error instanceof EntryBroken)) throw error;
    faults.push(error.message);
    return [];
  };

/** Replays from the journal's start or the oldest snapshot, and compares the state with every later snapshot. */
async function verifyStates(
  directory: DataDirectory,
  faults: string[],
  tell: (message: string) => void,
): Promise<string[]> {
  const reader = await openJournalReader(nodeFileOperations, directory.journal);
  const store = new FileSnapshotStore({
    files: nodeFileOperations,
    directory: directory.snapshots,
    notice: (text) => faults.push(text),
  });
  const pending: Snapshot[] = [];
  for (const at of [...(await store.positions())].sort((first, second) => first - second)) {
    const snapshot = await store.latest(at);
    if (snapshot !== null && snapshot.at === at) pending.push(snapshot);
  }
  const progress = everyTenth(reader.first(), reader.last(), tell);
  const engine = reader.first() === 1 ? createEngine() : startFrom(pending, reader.first(), faults);
  if (engine === null) return [];
  for (const snapshot of pending) {
    if (snapshot.at < engine.seq) continue;
    await replay(engine, reader, noopSink, progress, snapshot.at);
    const fault = faultOf(snapshot, engine);
    if (fault !== null) faults.push(`the snapshot at entry ${snapshot.at} ${fault}`);
  }
  await replay(engine, reader, noopSink, progress);
  faults.push(...audit(engine.state));
  return describeState(engine);
}

/** What is wrong with a snapshot of this state. Its own digest is that of its bytes, maybe in an earlier form. */
function faultOf({ image, digest }: Snapshot, engine: StateMachine): string | null {
  try {
    return restoreEngine(image, digest).digest() === engine.digest()
      ? null
      : 'holds another state than the journal gives';
  } catch (error) {
    if (!(error instanceof ImageNotReadable)) throw error;
    return `cannot be read: ${error.message}`;
  }
}

function startFrom(snapshots: readonly Snapshot[], first: number, faults: string[]): StateMachine | null {
  const snapshot = snapshots.find(({ at }) => at + 1 >= first);
  if (snapshot !== undefined) return restoreEngine(snapshot.image);
  faults.push(`the journal begins at entry ${first} and no snapshot reaches it`);
  return null;
}

function describeState(engine: StateMachine): string[] {
  const { state } = engine;
  const issued = state.assets
    .all()
    .map((asset) => `${asset.code} ${formatDecimal(supplyOf(state, asset.id), asset.scale)}`);
  return [
    `State      entry ${engine.seq}, ${isoTime(engine.at)}, digest ${engine.digest()}, events ${engine.eventDigest()}`,
    `Accounts   ${state.accounts.size}, ${state.tables.liveCount} orders, ${state.books.length} symbols, ` +
      `${state.holds.count} holds`,
    `Issued     ${issued.join(', ')}`,
  ];
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
