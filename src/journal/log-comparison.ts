import { assert } from '#base/assert.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { BatchReader } from '#journal/batch-reader.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { JournalDamaged } from '#journal/journal.ts';
import { begunSegments, type BegunSegment, surveyJournal } from '#journal/journal-survey.ts';
import { moveTailAside } from '#journal/journal-tail.ts';
import { openSegment } from '#journal/segment-directory.ts';
import { bytesEqual } from '#journal/segment-format.ts';

// A node of a cluster that starts again holds its own journal against the log of the quorum. It may be behind, and it
// may have a batch that the quorum never got: it led and died between the two. That batch was never answered, and
// another one stands in its place by now, so it is moved aside before the node follows.

/** Where a batch ends, and its hash. Two journals that have one in common have everything before it in common. */
export interface ChainPoint {
  /** 0 with the origin: before the first batch. */
  readonly last: Seq;
  readonly hash: Uint8Array;
}

/** What a log knows of its chain. */
export interface LogChain {
  readonly origin: Uint8Array;
  /** Before each batch that it keeps, and after the last one: ascending, at least one. */
  readonly points: readonly ChainPoint[];
}

/** How a journal stands to a log. `end` is the last entry of the journal. */
export type LogComparison =
  /** The journal ends within the chain of the log, or where it ends. */
  | { readonly kind: 'follows'; readonly end: Seq }
  /** The journal goes on after entry `last` otherwise than the log. `next` is its first batch after it. */
  | { readonly kind: 'ahead'; readonly end: Seq; readonly last: Seq; readonly next: ChainPoint }
  /**
   * The journal ends, or left the chain, before the first batch that the log keeps. With earlier points, from the
   * journal of another node, the comparison can tell.
   */
  | { readonly kind: 'undecided'; readonly end: Seq }
  /** Nothing of the journal is in the chain: it belongs to another exchange. */
  | { readonly kind: 'foreign'; readonly end: Seq };

/** Where the journal is; nobody else may have it open. */
export interface ClosedJournal {
  readonly files: FileOperations;
  /** Directory of the journal. */
  readonly journal: string;
}

/**
 * Compares a closed journal with a log, changing nothing. A journal without any file is compared as an empty one.
 * @throws JournalDamaged when the journal is not as it was written.
 */
export async function compareWithLog(closed: ClosedJournal, { origin, points }: LogChain): Promise<LogComparison> {
  const from = points[0]?.last;
  assert(from !== undefined, 'a log knows where it begins');
  const segments = begunSegments(await surveyJournal(closed.files, closed.journal));
  const [first] = segments;
  const end = segments.at(-1)?.lastSeq ?? as<Seq>(0);
  // The start of segment 1 is the origin; after retention it is not known any more.
  if (first?.number === 1 && !bytesEqual(first.previousHash, origin)) return { kind: 'foreign', end };
  if (end < from) return { kind: 'undecided', end };
  if (first === undefined) return { kind: 'follows', end };
  const known = new Map(points.map(({ last, hash }) => [last, hash]));
  let last: Seq | null = null;
  let next: ChainPoint | null = null;
  for await (const point of pointsOf(closed, segments, from)) {
    const hash = known.get(point.last);
    if (hash !== undefined && bytesEqual(hash, point.hash)) [last, next] = [point.last, null];
    else if (last !== null) next ??= point;
  }
  if (last === null) return { kind: from < first.firstSeq ? 'foreign' : 'undecided', end };
  return next === null ? { kind: 'follows', end } : { kind: 'ahead', end, last, next };
}

/** The points of these segments from that on which holds entry `from`, or begins after it. */
export async function* pointsOf(
  { files, journal }: ClosedJournal,
  segments: readonly BegunSegment[],
  from: Seq,
): AsyncGenerator<ChainPoint> {
  let isStarted = false;
  for (const segment of segments) {
    if (segment.lastSeq < from) continue;
    if (!isStarted) yield { last: as<Seq>(segment.firstSeq - 1), hash: segment.previousHash };
    isStarted = true;
    const source = await openSegment(files, journal, segment.number, segment.isRaw);
    try {
      const batches = new BatchReader(source, segment);
      while (batches.nextSeq <= segment.lastSeq) {
        const batch = batches.buffered() ?? (await batches.next());
        if (batch.kind !== 'batch')
          throw new JournalDamaged(source.file, batches.offset, `ends before entry ${segment.lastSeq}`);
        yield { last: as<Seq>(batches.nextSeq - 1), hash: batches.hash };
      }
    } finally {
      await source.close();
    }
  }
}

/** What to cut, and where to keep it. */
export interface CutAhead extends ClosedJournal {
  /** Directory of the snapshots; those that hold entries which are cut are deleted. */
  readonly snapshots: string;
  /** Directory in which the cut gets a folder of its own. */
  readonly aside: string;
  readonly comparison: Extract<LogComparison, { kind: 'ahead' }>;
}

/** What was cut, both inclusive, and where it is kept. */
export interface CutEntries {
  readonly first: Seq;
  readonly last: Seq;
  readonly folder: string;
}

/**
 * Ends the journal where it left the log; what stood behind is kept aside, with a list. May be repeated after a crash.
 * @throws JournalDamaged when the journal is not as it was written: then nothing was changed.
 */
export async function cutAhead(cut: CutAhead): Promise<CutEntries> {
  const { files, journal, snapshots, aside } = cut;
  const { end, last, next } = cut.comparison;
  const first = as<Seq>(last + 1);
  // The same after a crash in between: the first batch is taken out of the journal last.
  const folder = `${aside}/${String(first).padStart(16, '0')}-${Buffer.from(next.hash).toString('hex', 0, 8)}`;
  const text =
    `Entries ${first} to ${end} were in the journal of this node, but its cluster has other ones there, or none.\n` +
    'No quorum kept them, so none of them was ever answered. They are listed in entries.jsonl.\n';
  await moveTailAside({ files, journal, snapshots, into: folder, from: first, note: { name: 'note.txt', text } });
  return { first, last: end, folder };
}
