import type { FileJournal } from '#journal/file-journal.ts';
import { errorCode, type FileOperations, type OpenFile } from '#journal/file-operations.ts';
import type { GivenFile, GivenSegment, GivenSegments, SegmentForm } from '#journal/given-segments.ts';
import { compressedPath, segmentPath } from '#journal/segment-directory.ts';

/** Where the journal is that gives its segments. */
export interface OwnSegmentsParts {
  readonly files: FileOperations;
  readonly directory: string;
  readonly journal: Pick<FileJournal, 'segments' | 'lastSegment'>;
}

/** The segments of the journal that this process has open, for other nodes. DEC-CLU-14. */
export class OwnSegments implements GivenSegments {
  private readonly parts: OwnSegmentsParts;
  /** The last segment that is given; `null`: none is; `undefined`: that of the journal. */
  private end: GivenSegment | null | undefined = undefined;

  constructor(parts: OwnSegmentsParts) {
    this.parts = parts;
  }

  /**
   * From now on what is given ends where the journal does now. A leader calls it whenever the quorum has everything
   * that is in its files; those of a follower never have more.
   */
  endHere(): void {
    this.end = this.parts.journal.lastSegment();
  }

  list(): readonly GivenSegment[] {
    const all = this.parts.journal.segments();
    const { end } = this;
    if (end === undefined) return all;
    return end === null ? [] : [...all.filter(({ number }) => number < end.number), end];
  }

  async open(number: number, form: SegmentForm): Promise<GivenFile | null> {
    const { files, directory } = this.parts;
    const segment = this.list().find((each) => each.number === number);
    if (segment === undefined) return null;
    const path = form === 'raw' ? segmentPath(directory, number) : compressedPath(directory, number);
    const file = await files.open(path, 'read').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (file === null) return null;
    return form === 'raw' ? limited(file, segment.size) : whole(file);
  }
}

/** Behind the last batch of a segment stand zeros, or a batch of which the quorum has not decided yet. */
const limited = (file: OpenFile, size: number): GivenFile => ({
  size,
  read: (into, position) => file.read(into.subarray(0, Math.max(0, size - position)), position),
  close: () => file.close(),
});

async function whole(file: OpenFile): Promise<GivenFile> {
  try {
    return { size: await file.size(), read: (into, at) => file.read(into, at), close: () => file.close() };
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
}
