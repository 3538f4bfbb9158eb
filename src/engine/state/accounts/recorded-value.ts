import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { type FieldCodec, nullable } from '#model/codec/field-codec.ts';
import type { StateTable } from '#engine/state/state-table.ts';

/** A table of one value, which a start records once and the engine keeps. */
export class RecordedValue<Value> implements StateTable {
  readonly name: string;
  readonly version = 1;
  readonly isInDigest = true;
  /** `null`: no start recorded it, which only engines of tests and tools see. */
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
