import type { Seq } from '#model/units.ts';

/** A batch in the bytes that it has in its segment. Every node of a cluster writes the same ones. */
export interface EncodedBatch {
  /** Number of the segment it stands in. */
  readonly segment: number;
  readonly first: Seq;
  readonly last: Seq;
  /** Header and records, see `segment-format.ts`. Those of `FileJournal.encode` are valid until it is called again. */
  readonly bytes: Uint8Array;
}
