import { createPrng } from '#base/prng.ts';
import { createQuorumContact } from '#cluster/quorum-contact.ts';
import type { LogBatch, Term } from '#cluster/command-log.ts';
import { QuorumJournal } from '#cluster/quorum-journal.ts';
import { FileJournal } from '#journal/file-journal.ts';
import type { Entry } from '#model/command.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { batchFrom, journalDirectory, smallSegment, snapshotDirectory } from '../crash/journal-script.ts';
import { createMemoryQuorum, type MemoryLogNode, type MemoryQuorum } from '../ports/memory-command-log.ts';
import { MemoryDisk } from '../ports/memory-file-operations.ts';
import { passingOf } from '../ports/log-story.ts';
import { VirtualTime } from './virtual-time.ts';

const origin = new Uint8Array(32).fill(7);
export const leaseSeconds = 2;

/** A node with its own journal on a disk in memory, and its way to the log. */
export interface LogNode extends MemoryLogNode {
  readonly name: string;
  readonly disk: MemoryDisk;
  readonly own: FileJournal;
}

/** A log in memory on virtual time, with nodes that tests lead and follow with. */
export class LogHarness {
  readonly time = new VirtualTime();
  readonly quorum: MemoryQuorum = createMemoryQuorum({ setTimer: this.time.setTimer, latencyMs: () => 1 });

  /** Makes the log of a new cluster. */
  async found(): Promise<void> {
    const { log } = this.quorum.connect();
    const head = { epoch: as<Epoch>(1), last: as<Seq>(0), hash: origin };
    await this.during(log.found({ origin, profile: 'sandbox', keyFingerprint: '' }, head));
  }

  async node(name: string): Promise<LogNode> {
    const disk = new MemoryDisk(createPrng(1));
    const own = await FileJournal.open({
      ...{ files: disk, directory: journalDirectory, segmentSize: smallSegment, origin, isFollowing: true },
      ...{ notice: () => {}, compress: async () => false },
    });
    return { name, disk, own, ...this.quorum.connect() };
  }

  /** A term of the node, and the journal that it leads with; `applied` is what it tells followers. */
  async lead({ name, log, own }: LogNode, applied: () => number): Promise<{ term: Term; journal: QuorumJournal }> {
    const now = (await this.during(log.head()))!;
    const epoch = as<Epoch>(now.head.epoch + 1);
    const leader = { node: name, epoch, address: '', build: 'test' };
    const head = { ...now.head, epoch };
    const passing = await this.during(passingOf(log, leader));
    const term = (await this.during(log.campaign(now.at, head, leader, leaseSeconds, passing)))!;
    const parts = { own, log, term, contact: createQuorumContact(this.time), setTimer: this.time.setTimer };
    return { term, journal: new QuorumJournal({ ...parts, applied: () => as<Seq>(applied()) }) };
  }

  /** What comes of it while time passes, at most `mostMs`. */
  async during<Result>(promise: Promise<Result>, mostMs = 1000): Promise<Result> {
    let isSettled = false;
    const decided = promise.finally(() => {
      isSettled = true;
    });
    decided.catch(() => {});
    if (!(await this.time.pass(mostMs, () => isSettled))) throw new Error(`nothing came of it in ${mostMs} ms`);
    return decided;
  }

  /** Appends entries `first` to `first + count - 1`. */
  append(journal: QuorumJournal, first: number, count = 1): Promise<void> {
    return this.during(journal.append(as<Seq>(first - 1), batchFrom(first, count)));
  }

  /** All batches that the log keeps. */
  batches({ log }: LogNode): Promise<readonly LogBatch[]> {
    return this.during(log.read(as<Seq>(1)));
  }
}

/** What followers apply with: it counts, and wants no gap. */
export class AppliedEntries {
  last = as<Seq>(0);

  readonly apply = async (entries: readonly Entry[]): Promise<void> => {
    for (const { seq } of entries) {
      if (seq !== this.last + 1) throw new Error(`entry ${seq} applied after ${this.last}`);
      this.last = seq;
    }
  };
}

/** Moves the entry and all behind it out of a node's journal. */
export const takeOut = (own: FileJournal, from: Seq): Promise<void> =>
  own.endBefore({
    ...{ snapshots: snapshotDirectory, into: `data/quarantine/${from}`, from },
    note: { name: 'note.txt', text: 'a test' },
  });
