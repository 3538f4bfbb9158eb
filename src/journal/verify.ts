import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { BatchReader } from '#journal/batch-reader.ts';
import { EntryReader } from '#journal/entry-reader.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { JournalDamaged } from '#journal/journal.ts';
import type { ReadableSegment } from '#journal/journal-reader.ts';
import { surveyJournal } from '#journal/journal-survey.ts';
import { openSegment } from '#journal/segment-directory.ts';
import { bytesEqual } from '#journal/segment-format.ts';

/** What to check, and progress callback. */
export interface VerifyOptions {
  readonly files: FileOperations;
  /** Directory of the journal. */
  readonly journal: string;
  /** Directory of the snapshots. */
  readonly snapshots: string;
  /** Called after each segment and before the snapshots. */
  readonly progress: (message: string) => void;
}

/** What was found on disk, and its faults. */
export interface VerifiedFiles {
  readonly segments: number;
  readonly batches: number;
  readonly entries: number;
  /** Bytes of the segments' content, as written. */
  readonly bytes: number;
  readonly firstSeq: Seq;
  /** 0 for an empty journal. */
  readonly lastSeq: Seq;
  readonly snapshots: readonly { readonly at: Seq; readonly size: number }[];
  /** Each names file and byte. The journal is read up to its first fault, because nothing after it can be trusted. */
  readonly faults: readonly string[];
  /** Not damage: bytes that were never acknowledged and that the next start drops. */
  readonly notices: readonly string[];
}

interface Totals {
  segments: number;
  batches: number;
  entries: number;
  bytes: number;
  firstSeq: Seq;
  lastSeq: Seq;
}

/**
 * Reads every byte of journal and snapshots of a stopped exchange, changing nothing: checksums, sequence, the chain of
 * hashes over all batches and segments, and that every command can be decoded.
 */
export async function verifyJournalFiles(options: VerifyOptions): Promise<VerifiedFiles> {
  const faults: string[] = [];
  const notices: string[] = [];
  const totals: Totals = { segments: 0, batches: 0, entries: 0, bytes: 0, firstSeq: as<Seq>(1), lastSeq: as<Seq>(0) };
  try {
    await verifySegments(options, totals, notices);
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    faults.push(error.message);
  }
  options.progress('Checking the snapshots.');
  const store = new FileSnapshotStore({ files: options.files, directory: options.snapshots, notice: () => undefined });
  const snapshots = await store.check();
  for (const { file, fault } of snapshots) if (fault !== null) faults.push(`${file} at byte 0: ${fault}`);
  const sound = snapshots.filter((snapshot) => snapshot.fault === null).map(({ at, size }) => ({ at, size }));
  return { ...totals, snapshots: sound, faults, notices };
}

async function verifySegments(options: VerifyOptions, totals: Totals, notices: string[]): Promise<void> {
  const { files, journal, progress } = options;
  const { sealed, active, listing, tornTails } = await surveyJournal(files, journal);
  for (const { file, from, what } of tornTails) notices.push(`${file} at byte ${from}: unfinished write (${what})`);
  const segments: (ReadableSegment & { readonly isRaw: boolean; readonly lastHash: Uint8Array })[] = [...sealed];
  if (active !== null) {
    const { start, lastSeq, lastHash, offset } = active;
    segments.push({ ...start, lastSeq, lastHash, size: offset, isRaw: true });
  }
  totals.firstSeq = segments[0]?.firstSeq ?? listing.retained?.firstSeq ?? as<Seq>(1);
  const entries = new EntryReader();
  for (const segment of segments) {
    const source = await openSegment(files, journal, segment.number, segment.isRaw);
    try {
      const batches = new BatchReader(source, segment);
      for await (const piece of entries.entries(batches, source.file, segment.firstSeq, segment.lastSeq)) {
        totals.entries += piece.length;
      }
      // The survey took the end of a compressed segment from its header; check it against the content.
      if (batches.offset !== segment.size || !bytesEqual(batches.hash, segment.lastHash)) {
        throw new JournalDamaged(source.file, batches.offset, 'ends otherwise than its header says');
      }
      totals.batches += batches.batchCount;
    } finally {
      await source.close();
    }
    totals.segments += 1;
    totals.bytes += segment.size;
    totals.lastSeq = segment.lastSeq;
    progress(`Checked segment ${totals.segments} of ${segments.length}, up to entry ${segment.lastSeq}.`);
  }
}
