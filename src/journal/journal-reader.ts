import { assert } from '#base/assert.ts';
import type { Entry } from '#model/command.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { SegmentSource } from '#journal/batch-reader.ts';
import { BatchReader } from '#journal/batch-reader.ts';
import type { EncodedBatch } from '#journal/encoded-batch.ts';
import { EntryReader } from '#journal/entry-reader.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { errorCode } from '#journal/file-operations.ts';
import { JournalDamaged } from '#journal/journal.ts';
import { surveyJournal } from '#journal/journal-survey.ts';
import { openSealedSegment } from '#journal/sealed-segment.ts';
import { compressedPath, openRawSegment, segmentPath } from '#journal/segment-directory.ts';
import type { SegmentStart } from '#journal/segment-format.ts';

/** A segment, or the part of one, that is to be read. */
export interface ReadableSegment extends SegmentStart {
  readonly lastSeq: Seq;
  /** Bytes that are in use. */
  readonly size: number;
}

/** Opens the segment in its current form: compression may replace the raw file at any time. */
async function openEither(files: FileOperations, directory: string, segment: ReadableSegment): Promise<SegmentSource> {
  try {
    return await openRawSegment(files, segmentPath(directory, segment.number), segment.size);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return openSealedSegment(files, compressedPath(directory, segment.number));
  }
}

/** The batch of these segments that holds the entry, in bytes of its own. @throws JournalDamaged */
export async function batchWith(
  files: FileOperations,
  directory: string,
  segments: readonly ReadableSegment[],
  seq: Seq,
): Promise<EncodedBatch> {
  const segment = segments.find(({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= lastSeq);
  assert(segment !== undefined, 'asked for an entry that is kept');
  const source = await openEither(files, directory, segment);
  try {
    const batches = new BatchReader(source, segment);
    for (;;) {
      const batch = batches.buffered() ?? (await batches.next());
      if (batch.kind !== 'batch')
        throw new JournalDamaged(source.file, batches.offset, `ends before entry ${segment.lastSeq}`);
      if (batches.nextSeq <= seq) continue;
      const { bytes, start, header } = batch;
      const last = as<Seq>(batches.nextSeq - 1);
      const copy = bytes.slice(start, start + header.size);
      return { segment: segment.number, first: header.firstSeq, last, bytes: copy };
    }
  } finally {
    await source.close();
  }
}

/** Entries from `from` to `upTo` (inclusive) of consecutive segments; see `Journal.read`. */
export async function* readSegments(
  files: FileOperations,
  directory: string,
  segments: readonly ReadableSegment[],
  from: Seq,
  upTo: Seq,
): AsyncGenerator<readonly Entry[]> {
  const reader = new EntryReader();
  for (const segment of segments) {
    if (segment.lastSeq < from || segment.firstSeq > upTo) continue;
    const source = await openEither(files, directory, segment);
    try {
      const last = as<Seq>(Math.min(upTo, segment.lastSeq));
      yield* reader.entries(new BatchReader(source, segment), source.file, from, last);
    } finally {
      await source.close();
    }
  }
}

/** A journal that is only read, such as that of a stopped exchange. */
export interface JournalReader {
  /** Last entry when the reader was opened; the reader sees no later entries. */
  first(): Seq;
  last(): Seq;
  /** As `Journal.read`. */
  read(from: Seq): AsyncIterable<readonly Entry[]>;
}

const attempts = 20;

/**
 * Reads a journal that another thread or process may be appending to, without changing it. Batches that are not
 * completely written are not seen. While the writer is active, pass `upTo`, an entry known to be durable: nothing after
 * its batch is read.
 * @throws JournalDamaged as at the start of the exchange.
 */
export async function openJournalReader(files: FileOperations, directory: string, upTo?: Seq): Promise<JournalReader> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { sealed, active, listing } = await surveyJournal(files, directory, upTo);
      const segments: ReadableSegment[] = [...sealed];
      if (active !== null) segments.push({ ...active.start, lastSeq: active.lastSeq, size: active.offset });
      const last = as<Seq>(segments.at(-1)?.lastSeq ?? 0);
      const first = segments[0]?.firstSeq ?? listing.retained?.firstSeq ?? as<Seq>(1);
      return {
        first: () => first,
        last: () => last,
        read: (from) => readSegments(files, directory, segments, from, last),
      };
    } catch (error) {
      // A segment that was compressed or deleted after the listing looks damaged; list and read again.
      const mayBeRace = error instanceof JournalDamaged || errorCode(error) === 'ENOENT';
      if (!mayBeRace || attempt === attempts) throw error;
    }
  }
}
