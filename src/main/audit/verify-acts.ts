import { existsSync } from 'node:fs';
import { type Act, type ActHead, hashOfAct, nameOfAct, noActs } from '#model/act.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import type { Seq } from '#model/units.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { ImageNotReadable } from '#engine/image/state-image.ts';
import { openStoredActs } from '#history/sqlite/stored-acts.ts';
import { sqliteCode } from '#history/sqlite/sqlite-connection.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { JournalDamaged } from '#journal/journal.ts';
import { type JournalReader, openJournalReader } from '#journal/journal-reader.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { verifyJournalFiles } from '#journal/verify.ts';
import { checkStoredActs, type StoredChain } from '#main/audit/stored-chain.ts';
import type { VerifyReport } from '#main/commands/verify.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { EntryBroken, everyTenth, replay } from '#sequencer/recovery.ts';

/** What was read of a directory, and what is wrong with it. */
interface Findings {
  readonly lines: string[];
  readonly faults: string[];
}

type Tell = (message: string) => void;

const shownFaults = 20;

/**
 * Checks the acts of a stopped exchange: that those of history are a chain, that the journal gives the same ones as far
 * as it reaches back, and that they lead to the head that each snapshot has. DEC-OPR-196.
 */
export async function verifyActs(directory: DataDirectory, tell: Tell): Promise<VerifyReport> {
  const findings: Findings = { lines: [], faults: [] };
  const { lines, faults } = findings;
  const stored = readHistory(directory.history, findings);
  const files = await verifyJournalFiles({
    files: nodeFileOperations,
    journal: directory.journal,
    snapshots: directory.snapshots,
    progress: tell,
  });
  faults.push(...files.faults);
  await compareWithJournal(directory, stored, findings, tell);
  lines.push(
    faults.length === 0 ? 'All sound.' : `${faults.length} faults:`,
    ...faults.slice(0, shownFaults).map((fault) => `  ${fault}`),
  );
  return { isSound: faults.length === 0, text: `${lines.join('\n')}\n` };
}

/** What history has, and up to which entry. */
interface History extends StoredChain {
  readonly watermark: number;
}

function readHistory(path: string, { lines, faults }: Findings): History {
  const nothing: History = { acts: new Map(), faults: [], isBroken: () => false, watermark: 0 };
  if (!existsSync(path)) {
    faults.push('history.db is missing: bourse rebuild-history writes it anew where the journal has its first entries');
    return nothing;
  }
  try {
    const database = openStoredActs(path);
    try {
      const chain = checkStoredActs(database.all());
      faults.push(...chain.faults, ...database.damage().map((said) => `history.db: ${said}`));
      const watermark = database.watermark();
      lines.push(`History    ${chain.acts.size} acts, up to entry ${watermark}`);
      return { ...chain, watermark };
    } finally {
      database.close();
    }
  } catch (error) {
    if (sqliteCode(error) === null) throw error;
    faults.push(`history.db cannot be read: ${(error as Error).message}`);
    return nothing;
  }
}

/** The head of the chain at a place of the journal. */
interface Checkpoint {
  readonly at: Seq;
  readonly name: string;
  readonly head: ActHead;
}

const genesis: Checkpoint = { at: 0 as Seq, name: 'the first entry', head: noActs };

async function compareWithJournal(
  directory: DataDirectory,
  history: History,
  { lines, faults }: Findings,
  tell: Tell,
): Promise<void> {
  const store = new FileSnapshotStore({
    files: nodeFileOperations,
    directory: directory.snapshots,
    notice: () => undefined,
  });
  const checkpoints = await readCheckpoints(store, faults);
  const { reader, isWhole } = await openSound(directory.journal);
  const first = reader?.first() ?? Number.POSITIVE_INFINITY;
  const begun = first === 1 ? genesis : (checkpoints.find(({ at }) => at + 1 >= first) ?? checkpoints.at(-1));
  if (begun === undefined) {
    faults.push('neither the journal nor a snapshot tells the head of the chain of acts');
    return;
  }
  const told = new ToldActs(history, faults, begun);
  const engine = begun === genesis ? createEngine() : restoreEngine((await store.latest(begun.at))!.image);
  const isFollowed =
    reader !== null && (await followActs(directory.journal, { engine, reader, told, checkpoints, faults, tell }));
  const { count, hash } = engine.state.acts.head;
  if (isWhole && isFollowed) told.end();
  else faults.push(`after act ${count} (up to entry ${engine.seq}) nothing of the journal can be compared`);
  lines.push(
    `Journal    ${told.count} acts, from ${begun.name} to entry ${engine.seq}`,
    `Snapshots  ${checkpoints.map(({ name, head }) => `${name}: act ${head.count}`).join(', ') || 'none'}`,
    `Head       act ${count}, ${hash}`,
  );
}

/** A reader of the journal up to its end, or to its first damage, which was told already; none if nothing is sound. */
async function openSound(
  journal: string,
): Promise<{ readonly reader: JournalReader | null; readonly isWhole: boolean }> {
  try {
    return { reader: await openJournalReader(nodeFileOperations, journal), isWhole: true };
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    const { lastSeq } = error;
    const reader = lastSeq === null ? null : await openJournalReader(nodeFileOperations, journal, lastSeq);
    return { reader, isWhole: false };
  }
}

/** Heads in the snapshots that can be read, oldest first; those that are damaged were told already. */
async function readCheckpoints(store: FileSnapshotStore, faults: string[]): Promise<readonly Checkpoint[]> {
  const found: Checkpoint[] = [];
  for (const at of [...(await store.positions())].sort((one, other) => one - other)) {
    const snapshot = await store.latest(at);
    if (snapshot === null || snapshot.at !== at) continue;
    const name = `the snapshot at entry ${at}`;
    try {
      found.push({ at, name, head: restoreEngine(snapshot.image, snapshot.digest).state.acts.head });
    } catch (error) {
      if (!(error instanceof ImageNotReadable)) throw error;
      faults.push(`${name} cannot be read: ${error.message}`);
    }
  }
  return found;
}

interface Following {
  readonly engine: StateMachine;
  readonly reader: JournalReader;
  readonly told: ToldActs;
  readonly checkpoints: readonly Checkpoint[];
  readonly faults: string[];
  readonly tell: Tell;
}

/**
 * Replays to the end of the journal, or to its first damage, and compares each checkpoint on the way; answers whether
 * it came to the end.
 */
async function followActs(journal: string, following: Following): Promise<boolean> {
  const { engine, reader, told, checkpoints, faults, tell } = following;
  const sink = { ...noopSink, fact: told.fact };
  const progress = everyTenth(engine.seq, reader.last(), tell);
  try {
    for (const { at, name, head } of checkpoints.filter((each) => each.at > engine.seq && each.at <= reader.last())) {
      await replay(engine, reader, sink, progress, at);
      if (head.hash !== engine.state.acts.head.hash)
        faults.push(`${name} has another head of the acts than the journal gives`);
    }
    await replay(engine, reader, sink, progress);
    return true;
  } catch (error) {
    if (error instanceof EntryBroken) faults.push(error.message);
    else if (!(error instanceof JournalDamaged)) throw error;
    else if (error.lastSeq !== null && error.lastSeq > engine.seq) {
      // What stands before the damage in its piece was not handed out.
      const sound = await openJournalReader(nodeFileOperations, journal, error.lastSeq);
      await replay(engine, sound, sink, progress, error.lastSeq);
    }
    return false;
  }
}

/** Compares what a replay tells with what history has. */
class ToldActs {
  readonly fact: EventSink['fact'];
  count = 0;
  private readonly history: History;
  private readonly faults: string[];
  private last: number;

  constructor(history: History, faults: string[], { head, name }: Checkpoint) {
    this.history = history;
    this.faults = faults;
    this.last = head.count;
    this.fact = (fact) => {
      if (fact.kind === 'operatorActed') this.tell(fact.act);
    };
    const isTold = head.count === 0 || history.isBroken(head.count);
    if (!isTold && history.acts.get(head.count)?.hash !== head.hash)
      faults.push(`the acts of history up to ${head.count} do not lead to the head that ${name} has`);
  }

  private tell(act: Act): void {
    const { acts, isBroken, watermark } = this.history;
    this.count += 1;
    this.last = act.number;
    if (isBroken(act.number)) return;
    const stored = acts.get(act.number);
    const before = act.number === 1 ? noActs : acts.get(act.number - 1);
    if (stored === undefined) {
      if (act.seq <= watermark) this.faults.push(`${nameOfAct(act)} is missing in history`);
      return;
    }
    // Behind an act that was changed hashes differ, but the acts may be the same.
    const isSame = stored.hash === act.hash || (before !== undefined && hashOfAct(before.hash, act) === stored.hash);
    if (!isSame) this.faults.push(`${nameOfAct(act)} of history is another one than the journal gives`);
  }

  /** The journal is over: history has no act more. */
  end(): void {
    const more = [...this.history.acts.keys()].filter((number) => number > this.last);
    if (more.length > 0) this.faults.push(`history has ${more.length} acts after act ${this.last}, the journal none`);
  }
}
