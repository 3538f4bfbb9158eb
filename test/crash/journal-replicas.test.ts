import { expect, test } from 'vitest';
import type { Prng } from '#base/prng.ts';
import { createPrng } from '#base/prng.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { EncodedBatch } from '#journal/encoded-batch.ts';
import { entriesOf } from '#journal/entry-reader.ts';
import type { FileJournal } from '#journal/file-journal.ts';
import { type ChainPoint, compareWithLog, cutAhead } from '#journal/log-comparison.ts';
import { hashOf, segmentHeader } from '#journal/segment-format.ts';
import { MemoryDisk } from '../ports/memory-file-operations.ts';
import { entriesFrom, expectEntries, journalDirectory, snapshotDirectory } from './journal-script.ts';
import { clusterOrigin, encodeNext, openReplica, shipped, usedBytes } from './replica-journal.ts';

// Three nodes with segments of different sizes keep one journal. Whoever leads appends to the log; nodes crash at any
// call to the file system, by kill and by loss of power, also while they start again; batches are refused and taken
// back; leaders die between their own file and the log. In the end all journals are the log, byte for byte.

/** What the quorum has: the batches in order, of which the first ones are not in the ring any more. */
class Log {
  readonly batches: EncodedBatch[] = [];
  /** Batches before this one are only in the files of nodes. */
  ringFrom = 0;

  get last(): Seq {
    return this.batches.at(-1)?.last ?? as<Seq>(0);
  }

  append(batch: EncodedBatch): void {
    expect(batch.first).toBe(this.last + 1);
    this.batches.push(batch);
  }

  points(from: number = this.ringFrom): readonly ChainPoint[] {
    const all = [
      { last: as<Seq>(0), hash: clusterOrigin },
      ...this.batches.map(({ last, bytes }) => ({ last, hash: hashOf(bytes) })),
    ];
    return all.slice(from);
  }

  after(seq: Seq): readonly EncodedBatch[] {
    return this.batches.filter(({ first }) => first > seq);
  }

  /** What every node's segments have to be, made from the batches alone. */
  segments(): ReadonlyMap<number, string> {
    const contents = new Map<number, Uint8Array[]>();
    let previousHash: Uint8Array = clusterOrigin;
    for (const { segment, first, bytes } of this.batches) {
      if (!contents.has(segment))
        contents.set(segment, [segmentHeader({ number: segment, firstSeq: first, previousHash })]);
      contents.get(segment)!.push(bytes);
      previousHash = hashOf(bytes);
    }
    return new Map(
      [...contents].map(([number, parts]) => {
        const content = Buffer.concat(parts);
        return [number, `${content.length} bytes, ${Buffer.from(hashOf(content)).toString('hex')}`];
      }),
    );
  }
}

const counted = { appended: 0, takenBack: 0, crashes: 0, crashesAtStart: 0, cut: 0, undecided: 0, rolls: 0 };

class Node {
  journal: FileJournal | null = null;
  /** Also at a call in the background, which nobody waits for. */
  hasCrashed = false;
  private disk: MemoryDisk;
  private readonly prng: Prng;
  private readonly segmentSize: number;

  constructor(prng: Prng, segmentSize: number) {
    this.prng = prng;
    this.segmentSize = segmentSize;
    this.disk = new MemoryDisk(createPrng(prng.below(1e9)));
  }

  /** Crashes at a call of the near future. */
  crashSoon(within: number): void {
    const failing = this.disk.calls + 1 + this.prng.below(within);
    this.disk.plan = ({ index }) => {
      this.hasCrashed ||= index >= failing;
      return this.hasCrashed ? 'crash' : null;
    };
  }

  /** The crash that was to come does not. */
  stayUp(): void {
    this.disk.plan = () => null;
  }

  /** The disk after the crash that came, or that comes now. */
  async crash(): Promise<void> {
    this.disk.plan = () => 'crash';
    await this.journal?.close().catch(() => undefined);
    // What went on in the background ends before the disk is looked at.
    for (let round = 0; round < 10; round += 1) await new Promise((resolve) => setImmediate(resolve));
    this.journal = null;
    this.hasCrashed = false;
    const prng = createPrng(this.prng.below(1e9));
    this.disk = this.prng.below(2) === 0 ? this.disk.afterKill(prng) : this.disk.afterPowerLoss(prng);
  }

  /** Starts until no crash interrupts it: cuts what the log has not, and follows up to its end. */
  async start(log: Log): Promise<FileJournal> {
    if (this.journal !== null) return this.journal;
    for (;;) {
      if (this.prng.below(4) === 0) this.crashSoon(60);
      try {
        await this.cutWhatIsAhead(log);
        this.journal = await openReplica(this.disk, this.segmentSize);
        await this.follow(log);
        this.stayUp();
        if (!this.hasCrashed) return this.journal;
      } catch (error) {
        if (!this.hasCrashed) throw error;
      }
      counted.crashesAtStart += 1;
      await this.crash();
    }
  }

  private async cutWhatIsAhead(log: Log): Promise<void> {
    const journal = { files: this.disk, journal: journalDirectory };
    const chain = { origin: clusterOrigin, points: log.points() };
    let comparison = await compareWithLog(journal, chain);
    if (comparison.kind === 'undecided') {
      counted.undecided += 1;
      comparison = await compareWithLog(journal, { ...chain, points: log.points(0) });
    }
    if (comparison.kind === 'ahead') {
      await cutAhead({ ...journal, snapshots: snapshotDirectory, aside: 'data/cut', comparison });
      counted.cut += 1;
    } else expect(comparison.kind).toBe('follows');
  }

  async follow(log: Log): Promise<void> {
    for (const batch of log.after(this.journal!.last())) {
      await this.journal!.write(batch);
      expect(structuredClone(entriesOf(batch))).toEqual(
        structuredClone(entriesFrom(batch.first, batch.last - batch.first + 1)),
      );
    }
    expect(this.journal!.last()).toBe(log.last);
  }

  async close(): Promise<MemoryDisk> {
    await this.journal!.whenIdle();
    await this.journal!.close();
    this.journal = null;
    return this.disk;
  }
}

/** One batch of the leader: it may be refused, and the leader may die before or after the log has it. */
async function lead(leader: Node, log: Log, prng: Prng): Promise<void> {
  const journal = await leader.start(log);
  await leader.follow(log);
  const encoded = encodeNext(journal, 1 + prng.below(prng.below(8) === 0 ? 60 : 9));
  const batch = shipped(encoded);
  const isNew = batch.segment > (log.batches.at(-1)?.segment ?? 1);
  const fate = prng.below(12);
  if (fate === 0) leader.crashSoon(4);
  // It may be in the log before the own file has it, or never.
  const isKept = fate === 0 ? prng.below(2) === 0 : fate > 2;
  try {
    await journal.write(encoded);
    if (fate === 1) await journal.takeBack(encoded);
    if (fate === 1) counted.takenBack += 1;
  } catch (error) {
    if (!leader.hasCrashed) throw error;
  }
  if (isKept) {
    log.append(batch);
    counted.appended += 1;
    if (isNew) counted.rolls += 1;
  }
  if (fate !== 0 && fate !== 2) return;
  counted.crashes += 1;
  await leader.crash();
}

async function follow(node: Node, log: Log, prng: Prng): Promise<void> {
  await node.start(log);
  if (prng.below(6) === 0) node.crashSoon(8);
  try {
    await node.follow(log);
    if (prng.below(8) === 0) await node.journal!.whenIdle();
  } catch (error) {
    if (!node.hasCrashed) throw error;
  }
  if (!node.hasCrashed) return node.stayUp();
  counted.crashes += 1;
  await node.crash();
}

async function run(seed: number): Promise<void> {
  const prng = createPrng(seed);
  const log = new Log();
  const nodes = [4096, 6000, 1 << 14].map((segmentSize) => new Node(prng, segmentSize));
  let leader = nodes[0]!;
  for (let step = 0; step < 60; step += 1) {
    if (leader.journal !== null && prng.below(12) === 0) await leader.crash();
    if (leader.journal === null) leader = nodes[prng.below(3)]!;
    await lead(leader, log, prng);
    // Followers lag, and one of them may be down for long.
    for (const node of nodes) if (node !== leader && prng.below(3) === 0) await follow(node, log, prng);
    if (prng.below(10) === 0) log.ringFrom = prng.below(log.batches.length + 1);
  }
  const wanted = log.segments();
  for (const node of nodes) {
    await node.start(log);
    await node.follow(log);
    const disk = await node.close();
    // A leader that was refused may have begun a segment, which its next start takes back.
    const again = await openReplica(disk);
    await expectEntries(again, 1, log.last);
    await again.close();
    expect(await usedBytes(disk)).toEqual(wanted);
  }
}

const extra = Number(process.env['BOURSE_TEST_POWER_LOSSES'] ?? 0);
const seeds = 20 + extra;

test(
  'nodes that lead, follow, crash and are cut have the same segments, byte for byte, in the end',
  async () => {
    for (let seed = 1; seed <= seeds; seed += 1)
      await run(seed).catch((error: unknown) => {
        throw new Error(`with seed ${seed}`, { cause: error });
      });
    expect(counted.appended).toBeGreaterThan(seeds * 30);
    for (const [name, least] of Object.entries({ takenBack: 2, crashes: 5, crashesAtStart: 1, cut: 1, rolls: 2 }))
      expect(counted[name as keyof typeof counted], name).toBeGreaterThan(seeds * least);
    expect(counted.undecided).toBeGreaterThan(0);
  },
  60_000 + seeds * 1000,
);
