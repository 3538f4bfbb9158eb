import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { nullable, text } from '#model/codec/field-codec.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const sealedKey = nullable(text());

/** The sealed key under which the wallet's ids are printed; the engine keeps it and cannot open it. DEC-WAL-171. */
export class RecordedIdKey implements StateTable {
  readonly name = 'idKey';
  readonly version = 1;
  readonly isInDigest = true;
  /** `null`: no start recorded one. */
  sealed: string | null = null;

  write(writer: ByteWriter): void {
    sealedKey.write(writer, this.sealed);
  }

  read(reader: ByteReader): void {
    this.sealed = sealedKey.read(reader);
  }

  audit(): void {}
}
