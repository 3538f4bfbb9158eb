import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { type FieldCodec, nullable, readCount } from '#model/codec/field-codec.ts';

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

/** A table that is a list of records. */
export abstract class RecordTable<Row> implements StateTable {
  abstract readonly name: string;
  readonly version = 1;
  readonly isInDigest = true;
  private readonly row: FieldCodec<Row>;

  constructor(row: FieldCodec<Row>) {
    this.row = row;
  }

  /** Every record, in an order that depends on the content alone. */
  abstract all(): readonly Row[];
  /** Adds a record, or replaces the one that it names. */
  abstract put(row: Row): void;

  write(writer: ByteWriter): void {
    const rows = this.all();
    writer.varint(rows.length);
    for (const row of rows) this.row.write(writer, row);
  }

  read(reader: ByteReader): void {
    for (let left = readCount(reader); left > 0; left -= 1) this.put(this.row.read(reader));
  }

  audit(_faults: string[]): void {}
}

/** A table of one value. */
export class RecordedValue<Value> implements StateTable {
  readonly name: string;
  readonly version = 1;
  readonly isInDigest = true;
  /** `null`: nobody recorded it yet. */
  value: Value | null = null;
  private readonly codec: FieldCodec<Value | null>;

  constructor(name: string, codec: FieldCodec<Value>) {
    this.name = name;
    this.codec = nullable(codec);
  }

  write(writer: ByteWriter): void {
    this.codec.write(writer, this.value);
  }

  read(reader: ByteReader): void {
    this.value = this.codec.read(reader);
  }

  audit(): void {}
}
