import type { SetTimer } from '#base/clock.ts';
import type { Entry } from '#model/command.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import {
  type BrokenNote,
  type HeadAt,
  type Leader,
  type LogBatch,
  LogUnreachable,
  type LogWatcher,
  type Term,
} from '#cluster/command-log.ts';
import { Candidacy, type CandidacyParts } from '#cluster/candidacy.ts';
import { EpochGate } from '#cluster/epoch-gate.ts';
import type { QuorumContact } from '#cluster/quorum-contact.ts';
import type { OwnJournal } from '#cluster/quorum-journal.ts';
import { entriesOf } from '#journal/entry-reader.ts';

/** What a follower needs. */
export interface StandbyParts extends CandidacyParts {
  readonly journal: Pick<OwnJournal, 'last' | 'lastHash' | 'read' | 'write' | 'batchWith'>;
  readonly contact: QuorumContact;
  /** Applies entries, which follow each other, to the own engine. They are reused once it has resolved. */
  readonly apply: (entries: readonly Entry[]) => Promise<void>;
  /** Takes what was voided out of the own journal, which ends before that entry then. */
  readonly takeOut: (voided: BrokenNote) => Promise<void>;
  /** Whether it may lead. */
  readonly isCandidate: boolean;
  /** Whether it lets others lead now, because something is wrong with this machine; absent: it does not. */
  readonly standsAside?: () => boolean;
  readonly setTimer: SetTimer;
  /** Told who leads, whenever that changes. */
  readonly onLeader: (leader: Leader | null) => void;
}

/** The own journal has entries that the log has not, or other ones: it is of another cluster, or has to be cut. */
export class JournalDiverged extends Error {
  override name = 'JournalDiverged';
}
/** The log no longer has what follows the own journal. */
export class BehindLog extends Error {
  override name = 'BehindLog';
}

/** Without a message from the log, it is read again after this time. */
const idleMs = 500;
/** Bytes of batches that wait to be written; beyond them they are read from the log again. */
const waitingBytesMax = 32 << 20;

/**
 * A node that follows: it writes what the quorum has into its own files, and applies what the leader has applied. So
 * an entry that breaks the engine stops the leader alone. Where nobody leads, it begins a term of its own. DEC-CLU-03.
 */
export class Standby {
  private readonly parts: StandbyParts;
  /** Batches that came and are not in the own journal yet, oldest first. */
  private waiting: LogBatch[] = [];
  private waitingBytes = 0;
  /** Entries up to here were in the own journal at the start, or when it was last cut: they are read from there. */
  private tail: Seq;
  /** Later batches in the own journal that the leader has not applied yet, as far as is known. */
  private held: LogBatch[] = [];
  private readonly gate: EpochGate;
  private readonly candidacy: Candidacy;
  private leader: Leader | null | undefined = undefined;
  private mustRead = true;
  /** Something changed since the last step began. */
  private hasChanged = false;
  private wake: () => void = () => {};
  private isStopped = false;

  constructor(parts: StandbyParts) {
    this.parts = parts;
    this.tail = parts.journal.last();
    this.gate = new EpochGate({ ...parts, takeOut: (voided) => this.takeOut(voided) });
    this.candidacy = new Candidacy(parts, this.gate);
  }

  /**
   * Follows until this node is elected: then everything in the log is in the own journal, and applied. `null`: it was
   * stopped.
   * @throws BehindLog, JournalDiverged, JournalDamaged, and what `apply` throws
   */
  async untilElected(): Promise<Term | null> {
    const end = this.parts.log.watch(this.watcher());
    try {
      while (!this.isStopped) {
        const term = await this.step();
        if (term !== null) return term;
        await this.change();
      }
      return null;
    } finally {
      end();
    }
  }

  /** Ends following soon. */
  stop(): void {
    this.isStopped = true;
    this.changed();
  }

  /** The leader of this epoch told, on a way of its own, that it has applied everything up to here. */
  leaderApplied(upTo: Seq, epoch: Epoch): void {
    if (this.gate.openBy(epoch, upTo)) this.changed();
  }

  private watcher(): LogWatcher {
    return {
      batch: (batch) => {
        this.waitingBytes += batch.bytes.length;
        if (this.waitingBytes > waitingBytesMax) this.readAgain();
        else this.waiting.push(batch);
        this.changed();
      },
      leader: (leader) => {
        this.leader = leader;
        if (leader !== null) this.gate.hear(leader.epoch);
        this.parts.onLeader(leader);
        this.changed();
      },
      applied: (upTo) => {
        if (upTo <= this.gate.toldUpTo) return;
        this.gate.openTo(upTo);
        this.changed();
      },
      interrupted: () => {
        this.readAgain();
        this.changed();
      },
    };
  }

  private changed(): void {
    this.hasChanged = true;
    this.wake();
  }

  /** Resolves at the next change; after a while without one, all is read again. */
  private async change(): Promise<void> {
    if (!this.hasChanged) {
      await new Promise<void>((resolve) => {
        const end = this.parts.setTimer(idleMs, () => {
          this.mustRead = true;
          resolve();
        });
        this.wake = () => {
          end();
          resolve();
        };
      });
      this.wake = () => {};
    }
    this.hasChanged = false;
  }

  private async step(): Promise<Term | null> {
    try {
      if (this.mustRead) await this.catchUp();
      await this.writeWaiting();
      await this.enter();
      await this.applyOpen();
      return this.leader === null && this.mayCampaign ? await this.campaign() : null;
    } catch (error) {
      if (!(error instanceof LogUnreachable)) throw error;
      this.parts.contact.failed();
      this.readAgain();
      return null;
    }
  }

  private get mayCampaign(): boolean {
    return this.parts.isCandidate && this.parts.standsAside?.() !== true;
  }

  /** Forgets what waits: it is read from the log. */
  private readAgain(): void {
    this.waiting = [];
    this.waitingBytes = 0;
    this.mustRead = true;
  }

  /** Reads from the log what the own journal has not. */
  private async catchUp(): Promise<void> {
    this.mustRead = false;
    await this.askWhoLeads();
    // Before the head, which tells the epoch of a leader that has applied so much.
    const applied = await this.parts.log.applied();
    for (;;) {
      const batches = await this.missing();
      this.parts.contact.succeeded();
      if (batches.length === 0) break;
      await this.writeAll(batches);
      await this.applyOpen();
    }
    this.gate.openTo(applied);
  }

  /** Writes them, unless a newer epoch has begun since they were read. */
  private async writeAll(batches: readonly LogBatch[]): Promise<void> {
    for (const batch of batches) {
      this.gate.hear(batch.epoch);
      if (await this.enter()) return;
      await this.write(batch);
    }
  }

  /** As `EpochGate.enter`; what was read or heard before is forgotten then. */
  private async enter(): Promise<boolean> {
    if (!(await this.gate.enter())) return false;
    this.readAgain();
    this.changed();
    return true;
  }

  private async takeOut(note: BrokenNote): Promise<void> {
    await this.parts.takeOut(note);
    this.tail = this.parts.journal.last();
    this.held = [];
  }

  /** Who leads, whatever was told before: what the watch tells may come late. */
  private async askWhoLeads(): Promise<void> {
    const leader = await this.parts.log.leader();
    const isNew = this.leader === undefined || leader?.epoch !== this.leader?.epoch;
    this.leader = leader;
    if (leader !== null) this.gate.hear(leader.epoch);
    if (isNew) this.parts.onLeader(leader);
  }

  /** Batches of the log behind the own journal; none: that has everything. @throws BehindLog */
  private async missing(): Promise<readonly LogBatch[]> {
    const { log, journal } = this.parts;
    const from = as<Seq>(journal.last() + 1);
    const batches = await log.read(from);
    if (batches.length > 0) return batches;
    const now = await log.head();
    if (now !== null) this.gate.hear(now.head.epoch);
    if ((now?.head.last ?? 0) < from) return [];
    const since = await log.read(from);
    const later = await log.head();
    if (later !== null) this.gate.hear(later.head.epoch);
    // Entries may have been voided in between.
    if (since.length > 0 || later?.head.epoch !== now?.head.epoch) return since;
    throw new BehindLog(`the log of the cluster no longer has entry ${from}, which follows the own journal`);
  }

  private async writeWaiting(): Promise<void> {
    for (let batch = this.waiting.shift(); batch !== undefined; batch = this.waiting.shift()) {
      this.waitingBytes -= batch.bytes.length;
      this.gate.hear(batch.epoch);
      if (await this.enter()) break;
      const last = this.parts.journal.last();
      if (this.gate.mayBeVoid(batch.epoch)) this.readAgain();
      else if (batch.last <= last) this.gate.openTo(batch.appliedUpTo);
      else if (batch.first === last + 1) await this.write(batch);
      else this.readAgain();
    }
    if (this.mustRead) await this.catchUp();
  }

  private async write(batch: LogBatch): Promise<void> {
    const { journal } = this.parts;
    if (batch.first > journal.last() + 1)
      throw new BehindLog(
        `the own journal ends at entry ${journal.last()}, and the log of the cluster begins at entry ${batch.first}`,
      );
    if (batch.first !== journal.last() + 1)
      throw new JournalDiverged(
        `the own journal ends at entry ${journal.last()}, within a batch from entry ${batch.first} to ${batch.last}`,
      );
    await journal.write(batch);
    this.held.push(batch);
    this.gate.openTo(batch.appliedUpTo);
  }

  /** Applies what the leader has applied. */
  private async applyOpen(): Promise<void> {
    const { apply, applied } = this.parts;
    await this.applyTail();
    for (let [batch] = this.held; batch !== undefined; [batch] = this.held) {
      if (batch.first > this.gate.upTo) return;
      const open = entriesOf(batch).filter(({ seq }) => seq > applied() && seq <= this.gate.upTo);
      if (open.length > 0) await apply(open);
      if (batch.last > this.gate.upTo) return;
      this.held.shift();
    }
  }

  /** From the own journal: the log may have dropped it by now. */
  private async applyTail(): Promise<void> {
    const { journal, apply, applied } = this.parts;
    const end = Math.min(this.tail, this.gate.upTo);
    if (applied() >= end) return;
    for await (const entries of journal.read(as<Seq>(applied() + 1))) {
      const open = entries.filter(({ seq }) => seq <= end);
      if (open.length > 0) await apply(open);
      if (applied() >= end) return;
    }
  }

  /** Begins a term if everything in the log is in the own journal. Then nobody leads but this node. */
  private async campaign(): Promise<Term | null> {
    const { log, journal } = this.parts;
    const now = await log.head();
    if (now === null) throw new JournalDiverged('the log of the cluster is gone');
    this.gate.hear(now.head.epoch);
    if (await this.enter()) return null;
    if (now.head.last !== journal.last()) {
      this.requireBehind(now);
      this.readAgain();
      this.changed();
      return null;
    }
    if (Buffer.compare(now.head.hash, journal.lastHash()) !== 0)
      throw new JournalDiverged(`the own journal has another entry ${now.head.last} than the log of the cluster`);
    const term = await this.candidacy.bid(now);
    if (term === 'beaten') await this.askWhoLeads();
    else if (term !== 'later') return this.won(term);
    return null;
  }

  private won(term: Term): Term {
    this.gate.lead(term.leader.epoch);
    this.parts.onLeader(term.leader);
    return term;
  }

  private requireBehind({ head }: HeadAt): void {
    const last = this.parts.journal.last();
    if (head.last < last)
      throw new JournalDiverged(
        `the own journal goes on to entry ${last}, the log of the cluster ends at ${head.last}`,
      );
  }

  /**
   * For the leader of a term that has just begun: takes out of the own journal what it voided, and applies the rest.
   * Answers what it has to record before anything else.
   */
  async applyRest(): Promise<BrokenNote | null> {
    const { taken } = this.candidacy;
    if (taken?.kind === 'void') await this.takeOut(taken.note);
    this.gate.openTo(this.parts.journal.last());
    await this.applyOpen();
    return taken?.unrecorded ?? null;
  }
}
