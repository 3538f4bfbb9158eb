import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { FileOperations, HeldName, OpenFile } from '#journal/file-operations.ts';
import type { ActiveSegment } from '#journal/journal-survey.ts';
import { segmentPath } from '#journal/segment-directory.ts';
import type { SegmentStart } from '#journal/segment-format.ts';
import { batchMark, segmentHeader, segmentHeaderSize } from '#journal/segment-format.ts';
import type { SegmentStore } from '#journal/segment-store.ts';

/** The file of the segment that is being written. */
export interface ActiveFile extends ActiveSegment {
  readonly file: OpenFile;
  readonly mark: Uint8Array;
  readonly name: HeldName;
}

/** Where the file is. */
export interface ActivePlace {
  readonly files: FileOperations;
  readonly directory: string;
}

/** Whether no batch stands in the segment yet. */
export const isEmpty = ({ offset }: ActiveSegment): boolean => offset === segmentHeaderSize;

/** The start of the segment that comes after this one. */
export const startAfter = ({ start, lastSeq, lastHash }: ActiveSegment): SegmentStart => ({
  number: start.number + 1,
  firstSeq: as<Seq>(lastSeq + 1),
  previousHash: lastHash,
});

/** Begins a segment: its header is on disk before the first batch is written. @throws errors of the file system. */
export async function beginSegment(place: ActivePlace, store: SegmentStore, start: SegmentStart): Promise<ActiveFile> {
  const capacity = await store.take(start.number);
  const lastSeq = as<Seq>(start.firstSeq - 1);
  const empty = { start, offset: segmentHeaderSize, lastSeq, lastHash: start.previousHash, capacity };
  return openActive(place, empty, (file) => file.writeThrough(segmentHeader(start), 0));
}

/** Opens a segment that was begun before, to go on with it. @throws errors of the file system. */
export const resumeSegment = (place: ActivePlace, segment: ActiveSegment): Promise<ActiveFile> =>
  openActive(place, segment, () => Promise.resolve());

async function openActive(
  { files, directory }: ActivePlace,
  segment: ActiveSegment,
  prepare: (file: OpenFile) => Promise<void>,
): Promise<ActiveFile> {
  const path = segmentPath(directory, segment.start.number);
  const file = await files.open(path, 'durable');
  try {
    await prepare(file);
    return { ...segment, file, mark: batchMark(segment.start), name: await files.hold(path) };
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
}
