import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { BrokenNote, CommandLog, Foundation, Term } from '#cluster/command-log.ts';
import { LogFull, LogUnreachable } from '#cluster/command-log.ts';
import { dropWhatAllHave } from '#cluster/drop-batches.ts';
import { hasVoided } from '#cluster/handover.ts';
import { startLeading, startReporting } from '#cluster/lead.ts';
import { readChain } from '#cluster/log-chain.ts';
import { createQuorumContact } from '#cluster/quorum-contact.ts';
import { QuorumJournal } from '#cluster/quorum-journal.ts';
import { Standby } from '#cluster/standby.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { FileJournal } from '#journal/file-journal.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { moveTailAside, type TailMove } from '#journal/journal-tail.ts';
import { compareWithLog, cutAhead } from '#journal/log-comparison.ts';
import { recordVoided } from '#main/cluster/voided-entries.ts';
import type { Command, Entry } from '#model/command.ts';
import { commandFormatVersion } from '#model/command-codec.ts';
import { noopSink } from '#model/event-record.ts';
import { newestRules } from '#model/rules.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';
import { type BrokenEntry, describeBroken, replay, restoreNewest } from '#sequencer/recovery.ts';
import { Sequencer } from '#sequencer/sequencer.ts';
import type { ClusterAuditor } from './cluster-auditor.ts';
import { isPoison } from './simulated-poison.ts';
import type { SimulatedProcess } from './simulated-process.ts';

export const directories = { journal: 'data/journal', snapshots: 'data/snapshots', aside: 'data/aside' } as const;
/** Small, so that a run goes through several segments. */
export const segmentSize = 4096;
export const leaseSeconds = 2;
/** Entries between two snapshots. */
const snapshotEvery = 64;
const retryMs = 200;

/** The journal of this node does not meet the log any more: it needs files of another node. */
export class JournalLeftBehind extends Error {
  override name = 'JournalLeftBehind';
}

/** What one life of a node needs. */
export interface SimulatedLifeParts {
  readonly node: string;
  /** Tells it apart from other lives and nodes. */
  readonly life: string;
  readonly process: SimulatedProcess;
  readonly files: FileOperations;
  readonly log: CommandLog;
  readonly clock: Clock;
  readonly auditor: ClusterAuditor;
  /** It cannot go on. */
  readonly onEnded: (error: Error) => void;
  /** Its engine broke: nothing of this life may run after the call. */
  readonly onBroken: (broken: BrokenEntry, term: Epoch | null) => void;
  /** What an earlier life of this node noted when its engine broke. */
  readonly notes: BrokenNotes;
}

/** Notes on the disk of a node. */
export interface BrokenNotes {
  read(): { readonly note: BrokenNote; readonly term: Epoch | null } | null;
  remove(): void;
}

/** One life of a node, from its start to its end: it recovers, follows and leads as the exchange does. */
export class SimulatedLife {
  private readonly parts: SimulatedLifeParts;
  private readonly contact;
  private recovered: StateMachine | null = null;
  private own: FileJournal | null = null;
  private standby: Standby | null = null;
  private sequencer: Sequencer | null = null;
  private term: Term | null = null;
  private ends: (() => void)[] = [];
  private ownNote: BrokenNote | null = null;
  private unrecorded: BrokenNote | null = null;
  private saving: Promise<void> | null = null;
  private beginning: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(parts: SimulatedLifeParts) {
    this.parts = parts;
    this.contact = createQuorumContact(parts.clock);
  }

  private get engine(): StateMachine {
    assert(this.recovered !== null, 'recovered before it follows');
    return this.recovered;
  }

  get applied(): Seq {
    return this.recovered?.seq ?? as<Seq>(0);
  }

  get journaled(): Seq {
    return this.own?.last() ?? as<Seq>(0);
  }

  get eventDigest(): string {
    return this.recovered?.eventDigest() ?? '';
  }

  /** Whether it takes commands as the leader. */
  get isLeading(): boolean {
    return this.sequencer?.isOpen === true;
  }

  /** Recovers, follows, and begins to lead; resolves then, or when it was stopped. */
  begin(): Promise<void> {
    this.beginning = this.recoverAndFollow();
    return this.beginning;
  }

  private async recoverAndFollow(): Promise<void> {
    const { log } = this.parts;
    const [foundation, applied] = await this.answered(() => Promise.all([log.foundation(), log.applied()]));
    if (foundation === null) throw new Error('there is no cluster');
    await this.passOnNote();
    await this.cutVoided();
    await this.cut(foundation);
    const own = await this.open(foundation);
    await this.recover(own, as<Seq>(Math.min(own.last(), applied)));
    const term = await this.follow(own);
    if (term !== null) await this.lead(own, term);
  }

  private async answered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof LogUnreachable)) throw error;
      }
      await new Promise<void>((resolve) => void this.parts.process.setTimer(retryMs, resolve));
    }
  }

  /** Tells the log of an entry on which the engine of an earlier life broke. */
  private async passOnNote(): Promise<void> {
    const { notes, log } = this.parts;
    const kept = notes.read();
    if (kept === null) return;
    const { term, note } = kept;
    const isTold =
      term === null ||
      (await this.answered(async () => {
        try {
          return await log.noteBroken(term, note);
        } catch (error) {
          if (!(error instanceof LogFull)) throw error;
          await dropWhatAllHave(log, await log.applied());
          throw new LogUnreachable(error.message);
        }
      }));
    if (isTold) notes.remove();
    else this.ownNote = note;
  }

  /** Moves aside what was voided while this node did not run. */
  private async cutVoided(): Promise<void> {
    const { files, log } = this.parts;
    const passed = await this.answered(() => log.handover());
    await files.makeDirectory(directories.journal);
    const reader = await openJournalReader(files, directories.journal);
    const epochAt = async (seq: Seq): Promise<Epoch> => {
      for await (const [entry] of reader.read(seq)) return entry!.epoch;
      throw new Error(`no entry ${seq}`);
    };
    for (const note of passed?.handover.broken ?? []) {
      const own = { applied: as<Seq>(reader.first() - 1), last: reader.last(), epochAt };
      if (!(await hasVoided(note, own))) continue;
      await moveTailAside({ ...tailOf(note), files, journal: directories.journal });
      return;
    }
  }

  /** Moves aside what the quorum never had. */
  private async cut({ origin }: Foundation): Promise<void> {
    const { files, log } = this.parts;
    const { points } = await this.answered(() => readChain(log));
    const comparison = await compareWithLog({ files, journal: directories.journal }, { origin, points });
    if (comparison.kind === 'ahead') await cutAhead({ files, ...directories, comparison });
    else if (comparison.kind !== 'follows') throw new JournalLeftBehind(comparison.kind);
  }

  private async open({ origin }: Foundation): Promise<FileJournal> {
    const { files } = this.parts;
    const notice = (): void => {};
    const place = { files, directory: directories.journal, segmentSize, origin, isFollowing: true };
    // Compressing takes real time, so all segments stay as they are.
    this.own = await FileJournal.open({ ...place, notice, compress: async () => false });
    return this.own;
  }

  private async recover(own: FileJournal, upTo: Seq): Promise<void> {
    const store = this.snapshots();
    const engine = await restoreNewest(own, store, { atMost: upTo, notice: () => {} });
    this.observe(engine);
    this.recovered = engine;
    await replay(engine, own, noopSink, () => {}, upTo);
  }

  private snapshots(): FileSnapshotStore {
    return new FileSnapshotStore({ files: this.parts.files, directory: directories.snapshots, notice: () => {} });
  }

  /** Shows the auditor everything that the engine applies. */
  private observe(engine: StateMachine): void {
    const { auditor, life } = this.parts;
    const { apply } = engine;
    const observed: StateMachine['apply'] = (entry, sink) => {
      apply(entry, sink);
      if (isPoison(entry.command)) {
        const error = new Error('a planted claim holds');
        this.parts.onBroken(describeBroken(entry, error), this.term?.leader.epoch ?? null);
        throw error;
      }
      auditor.applies(life, entry.seq, engine.eventDigest(), this.term !== null);
      if (entry.seq % snapshotEvery === 0) this.save();
    };
    Object.assign(engine, { apply: observed });
  }

  /** Saves a snapshot in the background; one that fails costs nothing but time. */
  private save(): void {
    const { engine } = this;
    const snapshot = { at: engine.seq, digest: engine.digest(), image: engine.snapshot() };
    this.saving ??= this.snapshots()
      .save(snapshot)
      .catch(() => {})
      .finally(() => {
        this.saving = null;
      });
  }

  private async follow(own: FileJournal): Promise<Term | null> {
    const { log, process, node } = this.parts;
    const { contact } = this;
    const identity = { node, address: '', build: 'simulated' };
    const versions = { newestRules, commandFormat: commandFormatVersion };
    this.ends.push(
      startReporting(
        { log, contact, repeat: process.repeat, onTrouble: () => {} },
        () => ({
          ...{ ...identity, ...versions, isCandidate: true },
          ...{ journaled: own.last(), applied: this.engine.seq },
        }),
        () => {},
      ),
    );
    this.standby = new Standby({
      ...{ log, journal: own, contact, identity, leaseSeconds, isCandidate: true, setTimer: process.setTimer },
      apply: async (entries: readonly Entry[]) => {
        for (const entry of entries) this.engine.apply(entry, noopSink);
      },
      applied: () => this.engine.seq,
      ownNote: this.ownNote,
      takeOut: (voided) => own.endBefore(tailOf(voided)),
      onAside: ({ seq }) => this.parts.auditor.fails(`${node} stands aside for entry ${seq}`),
      onLeader: () => {},
    });
    if (this.isStopped) this.standby.stop();
    this.term = await this.standby.untilElected();
    if (this.term === null) return null;
    const applied = (): Seq => this.engine.seq;
    this.ends.push(
      startLeading({
        ...{ log, contact, repeat: process.repeat, onTrouble: () => {}, term: this.term, leaseSeconds, applied },
        journaled: () => own.last(),
        onEnded: this.parts.onEnded,
        onAsked: () => {},
      }),
    );
    this.unrecorded = await this.standby.applyRest();
    return this.term;
  }

  private async lead(own: FileJournal, term: Term): Promise<void> {
    const { log, process, clock, onEnded } = this.parts;
    const { contact, engine } = this;
    const applied = (): Seq => engine.seq;
    const sequencer = new Sequencer({
      engine,
      journal: new QuorumJournal({ own, log, term, contact, applied, setTimer: process.setTimer }),
      clock,
      epoch: term.leader.epoch,
      batchBytes: 1024,
      stop: () => (contact.isLost ? 'the quorum does not answer' : null),
      hasRoom: () => true,
      onBroken: (_entry, error) => onEnded(error),
      onFatal: onEnded,
    });
    const pause = (): Promise<void> => new Promise((resolve) => void process.setTimer(retryMs, resolve));
    if (this.unrecorded !== null) await recordVoided(sequencer, this.unrecorded, pause);
    this.sequencer = sequencer;
  }

  /** Submits a command, if it leads. @throws IngressRefused, IngressLost */
  async submit(command: Command): Promise<Outcome | null> {
    if (this.sequencer === null) return null;
    const outcome = await this.sequencer.submit(command);
    const { life, auditor, process } = this.parts;
    // Nothing leaves a process that has ended.
    if (process.state === 'ended') return new Promise(() => {});
    auditor.answers({ life, journaled: this.journaled, applied: this.applied }, command, outcome);
    return outcome;
  }

  /** Ends as a process does that is asked to stop. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.standby?.stop();
    await this.beginning;
    await this.sequencer?.close();
    for (const end of this.ends.splice(0).reverse()) end();
    await this.own?.close();
    await this.term?.resign().catch(() => {});
  }
}

const tailOf = (voided: BrokenNote): Omit<TailMove, 'files' | 'journal'> => ({
  ...{ snapshots: directories.snapshots, into: `${directories.aside}/${voided.seq}-${voided.epoch}`, from: voided.seq },
  note: { name: 'note.txt', text: voided.invariant },
});
