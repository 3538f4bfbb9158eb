import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { BatchReader } from '#journal/batch-reader.ts';
import type { EncodedBatch } from '#journal/encoded-batch.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { JournalDamaged } from '#journal/journal.ts';
import { surveyJournal } from '#journal/journal-survey.ts';
import { openSegment } from '#journal/segment-directory.ts';

/** Which batches are wanted. */
export interface RecentBatches {
  readonly files: FileOperations;
  /** Directory of the journal, which nobody has open. */
  readonly journal: string;
  /** About so many bytes of the journal's end, in whole segments; at least the last one. */
  readonly bytes: number;
  /** A larger batch, and all before it, are left out. */
  readonly batchBytesMax: number;
}

/** The last batches of a journal in order, in bytes of their own. @throws JournalDamaged */
export async function* recentBatches(wanted: RecentBatches): AsyncGenerator<EncodedBatch> {
  let from = as<Seq>(0);
  for await (const { last, bytes } of walk(wanted)) if (bytes.length > wanted.batchBytesMax) from = as<Seq>(last + 1);
  for await (const batch of walk(wanted))
    if (batch.first >= from) yield { ...batch, bytes: Uint8Array.from(batch.bytes) };
}

/** As `recentBatches`, with the large ones; bytes are valid until the next one. */
async function* walk({ files, journal, bytes }: RecentBatches): AsyncGenerator<EncodedBatch> {
  const { sealed, active } = await surveyJournal(files, journal);
  const segments = [...sealed];
  if (active !== null) {
    const { start, lastSeq, lastHash, offset } = active;
    segments.push({ ...start, lastSeq, lastHash, size: offset, isRaw: true });
  }
  let first = segments.length;
  for (let left = bytes; first > 0 && left > 0; left -= segments[first]!.size) first -= 1;
  for (const segment of segments.slice(first)) {
    const source = await openSegment(files, journal, segment.number, segment.isRaw);
    try {
      const batches = new BatchReader(source, segment);
      while (batches.nextSeq <= segment.lastSeq) {
        const batch = batches.buffered() ?? (await batches.next());
        if (batch.kind !== 'batch')
          throw new JournalDamaged(source.file, batches.offset, `ends before entry ${segment.lastSeq}`);
        const { start, header } = batch;
        yield {
          segment: segment.number,
          first: header.firstSeq,
          last: as<Seq>(batches.nextSeq - 1),
          bytes: batch.bytes.subarray(start, start + header.size),
        };
      }
    } finally {
      await source.close();
    }
  }
}
