import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import type { StateTable } from '#engine/image/state-table.ts';

/** Counts what accounts send to each other. */
export class Sends implements StateTable {
  readonly name = 'sends';
  readonly version = 1;
  readonly isInDigest = true;
  /** The last number that was given. */
  lastSend = 0;

  write(writer: ByteWriter): void {
    writer.varint(this.lastSend);
  }

  read(reader: ByteReader): void {
    this.lastSend = reader.varint();
  }

  audit(): void {}
}
