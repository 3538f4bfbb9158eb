import { createPrng } from '#base/prng.ts';
import type { LogBatch } from '#cluster/command-log.ts';
import { NotGiven, type PieceAsked } from '#cluster/link/file-frames.ts';
import type { FetchingLink } from '#cluster/link/fetching-link.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import type { EncodedBatch } from '#journal/encoded-batch.ts';
import type { FileJournal } from '#journal/file-journal.ts';
import { OwnSegments } from '#journal/own-segments.ts';
import { hashOf } from '#journal/segment-format.ts';
import type { FetchParts } from '#main/cluster/fetch-segments.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { journalDirectory, snapshotDirectory } from '../crash/journal-script.ts';
import { clusterOrigin, encodeNext, lead, openReplica } from '../crash/replica-journal.ts';
import { createMemoryQuorum, type MemoryQuorum } from '../ports/memory-command-log.ts';
import { MemoryDisk } from '../ports/memory-file-operations.ts';

const epoch = as<Epoch>(1);

/** A node that gives its segments, and what may go wrong with it. */
export interface GivingNode {
  readonly name: string;
  readonly disk: MemoryDisk;
  readonly journal: FileJournal;
  readonly segments: OwnSegments;
  /** Pieces that were asked of it. */
  asked: PieceAsked[];
  /** Called before each piece that it gives; may throw. */
  before: (asked: PieceAsked) => unknown;
  /** Changes the bytes that it gives. */
  change: (asked: PieceAsked, bytes: Uint8Array) => Uint8Array;
}

/** A log in memory, nodes that have all of it, and those that lack something. */
export class FetchHarness {
  readonly quorum: MemoryQuorum = createMemoryQuorum({ setTimer: () => () => {} });
  readonly log = this.quorum.connect().log;
  readonly told: string[] = [];
  readonly batches: EncodedBatch[] = [];
  private readonly nodes = new Map<string, GivingNode>();

  /** Begins the cluster. */
  async found(): Promise<void> {
    const head = { epoch, last: as<Seq>(0), hash: clusterOrigin };
    await this.log.found({ origin: clusterOrigin, profile: 'production', keyFingerprint: '' }, head);
  }

  /** A node with everything that is in the log by now, in files of its own. */
  async node(name: string): Promise<GivingNode> {
    const disk = new MemoryDisk(createPrng(1));
    const journal = await openReplica(disk);
    for (const batch of this.batches) await journal.write(batch);
    const segments = new OwnSegments({ files: disk, directory: journalDirectory, journal });
    const node: GivingNode = { ...{ name, disk, journal, segments, asked: [] }, before: () => {}, change: (_, b) => b };
    this.nodes.set(name, node);
    await this.report(node);
    return node;
  }

  private async report({ name, journal }: GivingNode): Promise<void> {
    const status = { node: name, address: name, build: 'test', isCandidate: true, newestRules: 1, commandFormat: 1 };
    await this.log.report({ ...status, journaled: journal.last(), applied: journal.last() }, 10);
  }

  /** The next entries, in the log and in the files of all nodes. */
  async write(sizes: readonly number[]): Promise<void> {
    const [first, ...others] = this.nodes.values();
    for (const size of sizes) {
      const batch = await lead(first!.journal, size);
      await this.append(batch);
      for (const { journal } of others) await journal.write(batch);
    }
    for (const node of this.nodes.values()) {
      await node.journal.whenIdle();
      await this.report(node);
    }
  }

  private async append(batch: EncodedBatch): Promise<void> {
    const { at } = (await this.log.head())!;
    const kept: LogBatch = { ...batch, epoch, appliedUpTo: batch.last };
    const { isAppended } = await this.log.append(at, { epoch, last: batch.last, hash: hashOf(batch.bytes) }, kept);
    if (!isAppended) throw new Error('somebody else appended');
    this.batches.push(batch);
  }

  /** Drops everything but the newest batches from the log. */
  async keep(count: number): Promise<void> {
    await this.log.trim(this.batches.at(-1 - count)!.last);
  }

  /** A disk with the journal of a node that has the first batches, and batches of these sizes that no quorum had. */
  async diskWith(count: number, own: readonly number[] = []): Promise<MemoryDisk> {
    const disk = new MemoryDisk(createPrng(2));
    const journal = await openReplica(disk);
    for (const batch of this.batches.slice(0, count)) await journal.write(batch);
    for (const size of own) await journal.write(encodeNext(journal, size));
    await journal.whenIdle();
    await journal.close();
    return disk;
  }

  /** What a fetch onto a disk needs. */
  partsOf(disk: MemoryDisk): FetchParts {
    return {
      ...{ files: disk, journal: journalDirectory, snapshots: snapshotDirectory, quarantine: 'data/quarantine' },
      ...{ log: this.log, origin: clusterOrigin, node: 'joiner' },
      connect: async (address) => linkOf(this.nodes.get(address)!),
      tell: (message) => this.told.push(message),
      goOn: () => {},
      onCut: async ({ first, last }) => void this.told.push(`cut ${first} to ${last}`),
    };
  }

  async close(): Promise<void> {
    for (const { journal } of this.nodes.values()) await journal.close();
  }
}

/** The link to a node, without a network: each piece opens its file anew. */
function linkOf(node: GivingNode): FetchingLink {
  return {
    list: async (from) => {
      const wanted = node.segments.list().filter(({ number }) => number >= from);
      return { segments: wanted.slice(0, linkLimits.listed), hasMore: wanted.length > linkLimits.listed };
    },
    piece: async (asked) => {
      node.asked.push(asked);
      await node.before(asked);
      const file = await node.segments.open(asked.number, asked.form);
      if (file === null) throw new NotGiven('gone');
      try {
        const bytes = new Uint8Array(Math.max(0, Math.min(asked.size, file.size - asked.position)));
        await file.read(bytes, asked.position);
        return { fileSize: file.size, bytes: node.change(asked, bytes) };
      } finally {
        await file.close();
      }
    },
    close: () => {},
  };
}
