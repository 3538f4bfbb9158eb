import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { list, readCount, type FieldCodec } from '#domain/codec/field-codec.ts';

/**
 * One part of the engine's state, declared once: how it comes into an image and back, whether it counts in the digest,
 * and what an audit says of it. Images, digests and audits are loops over all of them (`state-tables.ts`).
 */
export interface StateTable {
  /** Its name in images. It stays for ever. */
  readonly name: string;
  /** Version of its bytes. `read` knows this one and all before it. */
  readonly version: number;
  /** Whether its bytes count in the digest of the business state: not positions, nor what time forgets. */
  readonly isInDigest: boolean;
  /** Writes all of it. The bytes depend on its content only, never on slots or the order in which maps were filled. */
  write(writer: ByteWriter): void;
  /** Reads what a version wrote into a state that is empty here, and has the tables that come before this one. */
  read(reader: ByteReader, version: number): void;
  /** Adds what is wrong with it to `faults`. */
  audit(faults: string[]): void;
}

/** A table that is a list of records: a codec for one of them, all of them in order, and what enters one. */
export interface RecordTable<Shape extends object> {
  readonly name: string;
  readonly record: FieldCodec<Shape>;
  /** In an order that depends on the content alone. */
  readonly all: () => readonly Shape[];
  readonly put: (record: Shape) => void;
  /** How version 1 wrote a record, unless it was JSON. */
  readonly readVersion1?: (reader: ByteReader) => Shape;
}

/** The first version whose records have codecs. */
const sinceCodecs = 2;
const readJson = <Shape>(reader: ByteReader): Shape => JSON.parse(reader.text()) as Shape;

/** The state table of a list of records. */
export function recordTable<Shape extends object>(declared: RecordTable<Shape>): StateTable {
  const { name, record, all, put, readVersion1 = readJson<Shape> } = declared;
  return {
    name,
    version: sinceCodecs,
    isInDigest: true,
    write: (writer) => list(record).write(writer, all()),
    read: (reader, version) => {
      const readOne = version < sinceCodecs ? readVersion1 : record.read;
      for (let left = readCount(reader); left > 0; left -= 1) put(readOne(reader));
    },
    audit: () => {},
  };
}
