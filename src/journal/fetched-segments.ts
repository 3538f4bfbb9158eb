import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { BatchReader, type SegmentSource } from '#journal/batch-reader.ts';
import { errorCode, type FileOperations, withFile } from '#journal/file-operations.ts';
import { type GivenSegment, type SegmentForm, segmentForms } from '#journal/given-segments.ts';
import { JournalDamaged } from '#journal/journal.ts';
import { begunSegments, surveyJournal } from '#journal/journal-survey.ts';
import { dropTail } from '#journal/journal-tail.ts';
import {
  type ChainPoint,
  compareWithLog,
  type LogChain,
  type LogComparison,
  pointsOf,
} from '#journal/log-comparison.ts';
import { openSealedSegment, readSealedSegment } from '#journal/sealed-segment.ts';
import {
  compressedPath,
  openRawSegment,
  segmentPath,
  temporaryPath,
  writeRetained,
} from '#journal/segment-directory.ts';
import { bytesEqual, segmentHeader, segmentHeaderSize, type SegmentStart } from '#journal/segment-format.ts';

// Segments of another node's journal, on their way into the own one. They lie in a folder of their own, which is a
// journal that begins where the own one ends. Each is checked whole before it gets its name there. Once the last one
// leads to the log of the cluster, all are moved into the journal, oldest first, so that a crash in between leaves a
// shorter journal.

/** Where the own journal is; nobody else may have it open. */
export interface FetchPlace {
  readonly files: FileOperations;
  readonly journal: string;
}

/** What another node gave is not what it said it would give. */
export class OtherThanListed extends Error {
  override name = 'OtherThanListed';
}

/** Folder of the fetched segments, within that of the journal: so moving one is a rename. */
export const fetchedFolder = (journal: string): string => `${journal}/fetched`;

/** The start of the segment after this one. */
export const startOfNext = ({ number, lastSeq, lastHash }: GivenSegment): SegmentStart => ({
  number: number + 1,
  firstSeq: as<Seq>(lastSeq + 1),
  previousHash: lastHash,
});

const pathOf = (directory: string, number: number, form: SegmentForm): string =>
  form === 'raw' ? segmentPath(directory, number) : compressedPath(directory, number);

const isStart = (segment: SegmentStart, start: SegmentStart): boolean =>
  segment.number === start.number &&
  segment.firstSeq === start.firstSeq &&
  bytesEqual(segment.previousHash, start.previousHash);

/** The fetched segments. DEC-CLU-13. */
export class FetchedSegments {
  private readonly place: FetchPlace;
  private readonly folder: string;
  private readonly start: SegmentStart;
  private segments: readonly GivenSegment[] = [];

  private constructor(place: FetchPlace, start: SegmentStart) {
    this.place = place;
    this.folder = fetchedFolder(place.journal);
    this.start = start;
  }

  /** Takes what an earlier fetch left, if it begins at `start`, and deletes it otherwise. */
  static async open(place: FetchPlace, start: SegmentStart): Promise<FetchedSegments> {
    const fetched = new FetchedSegments(place, start);
    await place.files.makeDirectory(fetched.folder);
    if (!(await fetched.resume())) await fetched.clear();
    return fetched;
  }

  /** Those that are whole, in order: the first one begins at the start. */
  get list(): readonly GivenSegment[] {
    return this.segments;
  }

  /** Where the next segment begins. */
  get next(): SegmentStart {
    const last = this.segments.at(-1);
    return last === undefined ? this.start : startOfNext(last);
  }

  private async resume(): Promise<boolean> {
    try {
      await this.survey();
      const [first] = this.segments;
      return first !== undefined && isStart(first, this.start);
    } catch (error) {
      if (error instanceof JournalDamaged) return false;
      throw error;
    }
  }

  private async survey(): Promise<void> {
    const begun = begunSegments(await surveyJournal(this.place.files, this.folder));
    this.segments = begun.filter(({ firstSeq, lastSeq }) => lastSeq >= firstSeq);
  }

  /** Deletes all of them. */
  async clear(): Promise<void> {
    const { files } = this.place;
    const names = await files.list(this.folder);
    for (const name of names) await files.unlink(`${this.folder}/${name}`);
    await files.syncDirectory(this.folder);
    this.segments = [];
  }

  /** Deletes the last one, so that it can be fetched again. */
  async dropLast(): Promise<void> {
    const { files } = this.place;
    const { number } = this.segments.at(-1) as GivenSegment;
    for (const form of segmentForms) await unlinkIfThere(files, pathOf(this.folder, number, form));
    await files.syncDirectory(this.folder);
    this.segments = this.segments.slice(0, -1);
  }

  /**
   * Writes the next segment, and keeps it if it is what was listed.
   * @throws OtherThanListed, what `content` throws, and errors of the file system. Then nothing is left of it.
   */
  async add(listed: GivenSegment, form: SegmentForm, content: AsyncIterable<Uint8Array>): Promise<void> {
    const { files } = this.place;
    if (!isStart(listed, this.next))
      throw new OtherThanListed(`segment ${listed.number} does not follow from the one before`);
    if (this.segments.length === 0) await writeRetained(files, this.folder, this.start);
    const path = pathOf(this.folder, listed.number, form);
    try {
      await withFile(files, temporaryPath(path), 'create', async (file) => {
        let at = 0;
        for await (const bytes of content) {
          await file.write(bytes, at);
          at += bytes.length;
        }
        await file.sync();
      });
      await checkContent(files, temporaryPath(path), listed, form);
    } catch (error) {
      // It may have filled the disk.
      await files.unlink(temporaryPath(path)).catch(() => undefined);
      throw error;
    }
    await files.rename(temporaryPath(path), path);
    await files.syncDirectory(this.folder);
    this.segments = [...this.segments, listed];
  }

  /** How they stand to a log; to be asked where there are any. */
  compare(log: LogChain): Promise<LogComparison> {
    return compareWithLog({ files: this.place.files, journal: this.folder }, log);
  }

  /** Drops every entry from this one on. */
  async dropFrom(from: Seq): Promise<void> {
    await dropTail({ files: this.place.files, journal: this.folder, from });
    await this.survey();
  }

  /** Where they begin, and their batches end, up to the segment of this number. */
  async points(through: number): Promise<readonly ChainPoint[]> {
    const { files } = this.place;
    const begun = begunSegments(await surveyJournal(files, this.folder)).filter(({ number }) => number <= through);
    const { firstSeq, previousHash } = this.start;
    const points: ChainPoint[] = [{ last: as<Seq>(firstSeq - 1), hash: previousHash }];
    for await (const point of pointsOf({ files, journal: this.folder }, begun, this.start.firstSeq)) points.push(point);
    return points;
  }

  /** Moves all of them into the journal, which ends before them or has the same entries. */
  async moveIntoJournal(): Promise<void> {
    const { files, journal } = this.place;
    const names = new Set(await files.list(this.folder));
    for (const { number } of this.segments) {
      const form = names.has(segmentPath('', number).slice(1)) ? 'raw' : 'compressed';
      await files.rename(pathOf(this.folder, number, form), pathOf(journal, number, form));
      await files.syncDirectory(journal);
      // A raw form counts where both are there, so this is done before the next segment comes.
      await unlinkIfThere(files, pathOf(journal, number, form === 'raw' ? 'compressed' : 'raw'));
      await files.syncDirectory(journal);
    }
    await this.clear();
  }
}

async function unlinkIfThere(files: FileOperations, path: string): Promise<void> {
  try {
    await files.unlink(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** @throws OtherThanListed unless every byte of the file is that of the listed segment. */
async function checkContent(
  files: FileOperations,
  path: string,
  listed: GivenSegment,
  form: SegmentForm,
): Promise<void> {
  try {
    const source = await (form === 'raw' ? openRawSegment : openSealedSegment)(files, path);
    try {
      await checkSource(source, listed);
    } finally {
      await source.close();
    }
    if (form === 'raw') return;
    const { lastSeq, lastHash, ...start } = await readSealedSegment(files, path);
    if (!isStart(start, listed) || lastSeq !== listed.lastSeq || !bytesEqual(lastHash, listed.lastHash))
      throw new OtherThanListed(`segment ${listed.number} says of itself that it is another one`);
  } catch (error) {
    if (error instanceof JournalDamaged) throw new OtherThanListed(error.message, { cause: error });
    throw error;
  }
}

async function checkSource(source: SegmentSource, listed: GivenSegment): Promise<void> {
  const head = new Uint8Array(segmentHeaderSize);
  const count = await source.read(head, 0);
  if (!bytesEqual(head.subarray(0, count), segmentHeader(listed)))
    throw new OtherThanListed(`segment ${listed.number} begins otherwise than it should`);
  const batches = new BatchReader(source, listed);
  while (batches.nextSeq <= listed.lastSeq) {
    const batch = batches.buffered() ?? (await batches.next());
    if (batch.kind === 'fault') throw new JournalDamaged(source.file, batch.offset, batch.what);
    if (batch.kind === 'end') throw new JournalDamaged(source.file, batches.offset, 'ends before its last entry');
  }
  const isWhole =
    batches.nextSeq - 1 === listed.lastSeq &&
    batches.offset === listed.size &&
    source.size === listed.size &&
    bytesEqual(batches.hash, listed.lastHash);
  if (!isWhole) throw new OtherThanListed(`segment ${listed.number} ends otherwise than it should`);
}
