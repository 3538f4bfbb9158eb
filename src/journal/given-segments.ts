import type { SealedSegment } from '#journal/sealed-segment.ts';

/** A segment up to its last batch. Every node of a cluster has the same bytes in it. */
export type GivenSegment = SealedSegment;

/** How a segment is stored: as it was written, or compressed once it was full. */
export const segmentForms = ['raw', 'compressed'] as const;
export type SegmentForm = (typeof segmentForms)[number];

/** A file that stays readable until it is closed, even if it is deleted or replaced meanwhile. */
export interface GivenFile {
  /** Bytes that are given of it. */
  readonly size: number;
  /** As `OpenFile.read`. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** The segments of a node's own journal, as it gives them to other nodes. Only what the quorum has is given. */
export interface GivenSegments {
  /** Those that hold a batch, in order. The last one may be longer the next time, and become full. */
  list(): readonly GivenSegment[];
  /** Opens a segment of the list; `null`: it is not there any more, or not in this form. */
  open(number: number, form: SegmentForm): Promise<GivenFile | null>;
}
