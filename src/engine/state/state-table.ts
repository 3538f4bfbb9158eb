import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { list, readCount, type FieldCodec } from '#model/codec/field-codec.ts';

/**
 * One part of the engine's state, declared once: how it is written to and read from an image, whether it counts in the
 * digest, and how it is audited. Images, digests and audits loop over all tables (`state-tables.ts`).
 */
export interface StateTable {
  /** Name in images; it never changes. */
  readonly name: string;
  /** Version of its format. `read` accepts this version and all earlier ones. */
  readonly version: number;
  /** Whether it counts in the digest of the business state. Positions and what expires with time do not. */
  readonly isInDigest: boolean;
  /** Writes all content. The bytes depend on content only, never on slots or insertion order of maps. */
  write(writer: ByteWriter): void;
  /** Reads what `version` wrote. This table is empty then, and the tables before it are read already. */
  read(reader: ByteReader, version: number): void;
  /** Adds violated invariants to `faults`. */
  audit(faults: string[]): void;
}

/** A table that is a list of records: the codec of a record, all records in order, and how to insert one. */
export interface RecordTable<Shape extends object> {
  readonly name: string;
  readonly record: FieldCodec<Shape>;
  /** In an order that depends on the content alone. */
  readonly all: () => readonly Shape[];
  readonly put: (record: Shape) => void;
}

/** The state table of a list of records. */
export function recordTable<Shape extends object>(declared: RecordTable<Shape>): StateTable {
  const { name, record, all, put } = declared;
  return {
    name,
    version: 1,
    isInDigest: true,
    write: (writer) => list(record).write(writer, all()),
    read: (reader) => {
      for (let left = readCount(reader); left > 0; left -= 1) put(record.read(reader));
    },
    audit: () => {},
  };
}
