import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { BatchFault, SegmentSource } from '#journal/batch-reader.ts';
import { BatchReader, searchBatch } from '#journal/batch-reader.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { errorCode } from '#journal/file-operations.ts';
import { JournalDamaged } from '#journal/journal.ts';
import type { SealedSegment } from '#journal/sealed-segment.ts';
import { readSealedSegment } from '#journal/sealed-segment.ts';
import type { DirectoryListing } from '#journal/segment-directory.ts';
import { compressedPath, listSegments, openRawSegment, segmentPath } from '#journal/segment-directory.ts';
import type { SegmentStart } from '#journal/segment-format.ts';
import { bytesEqual, isZero, parseSegmentHeader, segmentHeaderSize } from '#journal/segment-format.ts';

/** The segment that is being written to. */
export interface ActiveSegment {
  readonly start: SegmentStart;
  /** Where the next batch goes. */
  readonly offset: number;
  readonly lastSeq: Seq;
  readonly lastHash: Uint8Array;
  /** Bytes of the file. */
  readonly capacity: number;
}

/** Bytes after the last acknowledged batch that must be overwritten with zeros before the next append. */
export interface TornTail {
  readonly file: string;
  readonly from: number;
  readonly what: string;
}

/** Content of a journal's directory. */
export interface JournalSurvey {
  readonly listing: DirectoryListing;
  /** All full segments, in order. */
  readonly sealed: readonly (SealedSegment & { readonly isRaw: boolean })[];
  /** `null` before the first batch, or when the last full segment was sealed and no new one started. */
  readonly active: ActiveSegment | null;
  /** Numbers of the preallocated segments, ascending. */
  readonly prepared: readonly number[];
  readonly tornTails: readonly TornTail[];
}

/** A segment that was begun: full, or the one that is being written to. */
export type BegunSegment = SealedSegment & { readonly isRaw: boolean };

/** All segments that were begun, in order. The last one may hold no batch yet. */
export function begunSegments({ sealed, active }: JournalSurvey): readonly BegunSegment[] {
  if (active === null) return sealed;
  const { start, lastSeq, lastHash, offset } = active;
  return [...sealed, { ...start, lastSeq, lastHash, size: offset, isRaw: true }];
}

interface RawState extends ActiveSegment {
  readonly torn: TornTail | null;
  readonly headerTorn: boolean;
}

/**
 * Finds the segments and the end of the journal, without changing anything. Uncompressed segments are read completely,
 * compressed ones only up to their headers. With `upTo`, an entry known to be durable, nothing after its batch is read,
 * so that a batch which another thread is appending is not taken for damage.
 * @throws JournalDamaged for damage that is not a torn tail: what was acknowledged may be lost.
 */
export async function surveyJournal(
  files: FileOperations,
  directory: string,
  upTo: number = Number.MAX_SAFE_INTEGER,
): Promise<JournalSurvey> {
  const listing = await listSegments(files, directory);
  const sealed: (SealedSegment & { readonly isRaw: boolean })[] = [];
  const prepared: number[] = [];
  const tornTails: TornTail[] = [];
  let active: RawState | null = null;
  for (const number of listing.numbers) {
    const last = active ?? sealed.at(-1);
    if (last !== undefined && last.lastSeq >= upTo) break;
    const { path, full, state } = await surveyEither(files, directory, number, listing.raw.has(number), upTo);
    if (state !== null && (state.headerTorn || state.offset === 0)) {
      if (state.torn !== null) tornTails.push(state.torn);
      prepared.push(number);
      continue;
    }
    refusePreparedBefore(directory, prepared, path);
    sealActive(directory, active, sealed);
    checkPlace(listing, sealed.at(-1), full ?? state.start, number, path);
    if (full !== null) sealed.push({ ...full, isRaw: false });
    active = state;
  }
  if (active?.torn) tornTails.push(active.torn);
  return { listing, sealed, active, prepared, tornTails };
}

type EitherForm = { readonly path: string } & (
  | { readonly full: SealedSegment; readonly state: null }
  | { readonly full: null; readonly state: RawState }
);

/** A segment that was listed as raw may have been compressed meanwhile by the thread that writes the journal. */
async function surveyEither(
  files: FileOperations,
  directory: string,
  number: number,
  isRaw: boolean,
  upTo: number,
): Promise<EitherForm> {
  if (isRaw) {
    const path = segmentPath(directory, number);
    try {
      return { path, full: null, state: await surveyRaw(files, path, upTo) };
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
  const path = compressedPath(directory, number);
  return { path, full: await readSealedSegment(files, path), state: null };
}

/** The fault of a segment without a header before one that has a header: its header was lost. */
function refusePreparedBefore(directory: string, prepared: readonly number[], path: string): void {
  const [first] = prepared;
  if (first !== undefined)
    throw new JournalDamaged(segmentPath(directory, first), 0, `no header, but ${path} comes after it`);
}

function sealActive(
  directory: string,
  active: RawState | null,
  sealed: (SealedSegment & { readonly isRaw: boolean })[],
): void {
  if (active === null) return;
  const { start, torn, offset, lastSeq, lastHash } = active;
  if (torn !== null)
    throw new JournalDamaged(torn.file, torn.from, `${torn.what}, and another segment comes after it`, lastSeq);
  if (lastSeq < start.firstSeq) {
    throw new JournalDamaged(
      segmentPath(directory, start.number),
      offset,
      'no batch, and another segment comes after it',
    );
  }
  sealed.push({ ...start, lastSeq, lastHash, size: offset, isRaw: true });
}

function checkPlace(
  listing: DirectoryListing,
  before: SealedSegment | undefined,
  start: SegmentStart,
  number: number,
  path: string,
): void {
  if (start.number !== number) throw new JournalDamaged(path, 12, `this is segment ${start.number}`);
  const expected =
    before === undefined
      ? (listing.retained ?? { number: 1, firstSeq: as<Seq>(1), previousHash: start.previousHash })
      : { number, firstSeq: as<Seq>(before.lastSeq + 1), previousHash: before.lastHash };
  if (start.firstSeq !== expected.firstSeq) {
    throw new JournalDamaged(path, 16, `starts at entry ${start.firstSeq}, expected ${expected.firstSeq}`);
  }
  if (!bytesEqual(start.previousHash, expected.previousHash)) {
    throw new JournalDamaged(path, 24, 'does not follow from the segment before');
  }
}

async function surveyRaw(files: FileOperations, path: string, upTo: number): Promise<RawState> {
  const source = await openRawSegment(files, path);
  try {
    const head = new Uint8Array(segmentHeaderSize);
    const count = await source.read(head, 0);
    const start = parseSegmentHeader(head.subarray(0, count));
    if (typeof start === 'string') return await surveyUnbegun(source, head, start);
    return await surveyBegun(source, start, upTo);
  } finally {
    await source.close();
  }
}

/** The header is on disk before the first batch is written, so a segment without one must hold nothing. */
async function surveyUnbegun(source: SegmentSource, head: Uint8Array, what: string): Promise<RawState> {
  const start: SegmentStart = { number: 0, firstSeq: as<Seq>(0), previousHash: new Uint8Array(0) };
  const { rest } = await searchBatch(source, start, segmentHeaderSize);
  if (rest === 'something') throw new JournalDamaged(source.file, 0, `${what}, and the segment is not empty`);
  const headerTorn = !isZero(head, 0, head.length);
  return {
    start,
    offset: 0,
    lastSeq: as<Seq>(0),
    lastHash: start.previousHash,
    capacity: source.size,
    headerTorn,
    torn: headerTorn ? { file: source.file, from: 0, what } : null,
  };
}

async function surveyBegun(source: SegmentSource, start: SegmentStart, upTo: number): Promise<RawState> {
  const batches = new BatchReader(source, start);
  let fault: BatchFault | null = null;
  while (batches.nextSeq <= upTo) {
    const next = batches.buffered() ?? (await batches.next());
    if (next.kind === 'end') break;
    if (next.kind === 'fault') {
      fault = next;
      break;
    }
  }
  return {
    start,
    offset: batches.offset,
    lastSeq: as<Seq>(batches.nextSeq - 1),
    lastHash: batches.hash,
    capacity: source.size,
    headerTorn: false,
    torn: batches.nextSeq > upTo ? null : await tornTailOf(source, batches, fault),
  };
}

/** The bytes after the last valid batch of a segment. */
async function tornTailOf(
  source: SegmentSource,
  batches: BatchReader,
  fault: BatchFault | null,
): Promise<TornTail | null> {
  const { found, rest } = await searchBatch(source, batches.start, batches.offset);
  const at = fault?.offset ?? batches.offset;
  const what = fault?.what ?? 'bytes after the last batch';
  if (found !== -1) {
    const stands = `${what}, and a whole batch stands at byte ${found}`;
    throw new JournalDamaged(source.file, at, stands, as<Seq>(batches.nextSeq - 1));
  }
  return rest === 'zeros' ? null : { file: source.file, from: batches.offset, what };
}
