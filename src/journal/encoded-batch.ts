import { assert } from '#base/assert.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { JournalDamaged } from '#journal/journal.ts';
import {
  batchHeaderSize,
  type BatchHeader,
  leadingBatch,
  parseBatchHeader,
  recordFault,
} from '#journal/segment-format.ts';

/** A batch in the bytes that it has in its segment. Every node of a cluster writes the same ones. */
export interface EncodedBatch {
  /** Number of the segment it stands in. */
  readonly segment: number;
  readonly first: Seq;
  readonly last: Seq;
  /** Header and records, see `segment-format.ts`. Those of `FileJournal.encode` are valid until it is called again. */
  readonly bytes: Uint8Array;
}

/** A batch that was encoded here. */
export interface HashedBatch extends EncodedBatch {
  /** Hash of the bytes, with which the journal ends once they are written. Computed when it is first asked for. */
  readonly hash: Uint8Array;
}

/** A batch that came from outside, as a source of damage: it is in no file yet. */
export const nameOf = ({ segment, first, last }: EncodedBatch): string =>
  `batch of entries ${first} to ${last} for segment ${segment}`;

/**
 * The header of a batch that came from outside, once every checksum in it was checked. `mark` is that of its segment;
 * without one, any will do.
 * @throws JournalDamaged when the bytes are not one whole batch of the entries that it names.
 */
export function checkBatch(batch: EncodedBatch, mark: Uint8Array = batch.bytes): BatchHeader {
  const { bytes, first, last } = batch;
  const damaged = (at: number, what: string): JournalDamaged =>
    new JournalDamaged(nameOf(batch), at, what, as<Seq>(first - 1));
  if (bytes.length < batchHeaderSize) throw damaged(0, 'batch header is cut short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const header = parseBatchHeader(bytes, view, 0, mark);
  if (typeof header === 'string') throw damaged(0, header);
  if (header.size !== bytes.length) throw damaged(8, `batch has ${header.size} bytes, not ${bytes.length}`);
  if (header.firstSeq !== first || header.firstSeq + header.entryCount - 1 !== last)
    throw damaged(12, `batch holds ${header.entryCount} entries from ${header.firstSeq} on`);
  const fault = recordFault(bytes, view, 0, header);
  if (fault !== null) throw damaged(fault.at, fault.what);
  return header;
}

/** The batch without entry `seq`, which it holds, and all behind it; `null`: nothing is left. */
export function batchBefore({ segment, first, last, bytes }: EncodedBatch, seq: Seq): EncodedBatch | null {
  assert(first <= seq && seq <= last, 'a batch is shortened by entries that it holds');
  if (seq === first) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return { segment, first, last: as<Seq>(seq - 1), bytes: leadingBatch(bytes, view, 0, seq - first) };
}
