import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import { type GivenSegment, type SegmentForm, segmentForms } from '#journal/given-segments.ts';
import { hashSize } from '#journal/segment-format.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';

// What nodes ask each other about files, and what they answer. Files are named by numbers alone, so nothing that comes
// over the link becomes part of a path.

/** Part of a file. */
export interface PieceAsked {
  /** Number of the segment. */
  readonly number: number;
  readonly form: SegmentForm;
  readonly position: number;
  /** Bytes, at most `linkLimits.pieceSize`; fewer come at the end of the file. */
  readonly size: number;
}

/** A part of a list. */
export interface SegmentsListed {
  readonly segments: readonly GivenSegment[];
  readonly hasMore: boolean;
}

/** A part of a file, and how large that is. */
export interface Piece {
  readonly fileSize: number;
  readonly bytes: Uint8Array;
}

/**
 * Why a file is not given: `gone`: it is not there in this form (any more); `busy`: enough other nodes are given files;
 * `fault`: it cannot be read.
 */
export const refusals = ['gone', 'busy', 'fault'] as const;
export type Refusal = (typeof refusals)[number];

/** A node does not give what it was asked for. */
export class NotGiven extends Error {
  override name = 'NotGiven';
  readonly why: Refusal;
  constructor(why: Refusal) {
    super(messages[why]);
    this.why = why;
  }
}

const messages: Readonly<Record<Refusal, string>> = {
  gone: 'it no longer has that segment',
  busy: 'it gives its files to other nodes now',
  fault: 'it cannot read its files',
};

/** Writes from which segment on the list is asked for. */
export const writeListAsked = (writer: ByteWriter, from: number): void => writer.varint(from);

/** @throws MalformedBytes */
export function readListAsked(reader: ByteReader): number {
  const from = reader.varint();
  reader.finish();
  return from;
}

/** Writes a part of a list. */
export function writeListed(writer: ByteWriter, { segments, hasMore }: SegmentsListed): void {
  writer.u8(hasMore ? 1 : 0);
  writer.varint(segments.length);
  for (const { number, firstSeq, lastSeq, size, previousHash, lastHash } of segments) {
    for (const value of [number, firstSeq, lastSeq, size]) writer.varint(value);
    writer.raw(previousHash);
    writer.raw(lastHash);
  }
}

/** @throws MalformedBytes for what is no part of a list: segments whose numbers and entries follow each other. */
export function readListed(reader: ByteReader): SegmentsListed {
  const hasMore = reader.u8() === 1;
  const count = reader.varint();
  if (count > linkLimits.listed || (hasMore && count === 0)) throw new MalformedBytes(`a list of ${count} segments`);
  const segments: GivenSegment[] = [];
  for (let left = count; left > 0; left -= 1) {
    const [number, firstSeq, lastSeq, size] = [reader.varint(), reader.varint(), reader.varint(), reader.varint()];
    const before = segments.at(-1);
    const isNext = before === undefined || (number === before.number + 1 && firstSeq === before.lastSeq + 1);
    if (!isNext || number < 1 || firstSeq < 1 || lastSeq < firstSeq)
      throw new MalformedBytes(`segment ${number} with entries ${firstSeq} to ${lastSeq}`);
    segments.push({
      ...{ number, firstSeq: as<Seq>(firstSeq), lastSeq: as<Seq>(lastSeq), size },
      previousHash: Uint8Array.from(reader.raw(hashSize)),
      lastHash: Uint8Array.from(reader.raw(hashSize)),
    });
  }
  reader.finish();
  return { segments, hasMore };
}

/** Writes which part of which file is asked for. */
export function writePieceAsked(writer: ByteWriter, { number, form, position, size }: PieceAsked): void {
  writer.u8(segmentForms.indexOf(form));
  for (const value of [number, position, size]) writer.varint(value);
}

/** @throws MalformedBytes for what no node asks for */
export function readPieceAsked(reader: ByteReader): PieceAsked {
  const form = segmentForms[reader.u8()];
  const [number, position, size] = [reader.varint(), reader.varint(), reader.varint()];
  reader.finish();
  if (form === undefined || size === 0 || size > linkLimits.pieceSize)
    throw new MalformedBytes(`a piece of ${size} bytes of segment ${number}`);
  return { number, form, position, size };
}

/** Writes a part of a file. */
export function writePiece(writer: ByteWriter, { fileSize, bytes }: Piece): void {
  writer.varint(fileSize);
  writer.raw(bytes);
}

/** The bytes are a copy. @throws MalformedBytes */
export function readPiece(reader: ByteReader): Piece {
  const fileSize = reader.varint();
  if (reader.left > linkLimits.pieceSize) throw new MalformedBytes(`a piece of ${reader.left} bytes`);
  return { fileSize, bytes: Uint8Array.from(reader.raw(reader.left)) };
}

/** Writes why something is not given. */
export const writeRefusal = (writer: ByteWriter, why: Refusal): void => writer.u8(refusals.indexOf(why));

/** @throws MalformedBytes */
export function readRefusal(reader: ByteReader): NotGiven {
  const why = refusals[reader.u8()];
  reader.finish();
  if (why === undefined) throw new MalformedBytes('a refusal without a reason');
  return new NotGiven(why);
}
