import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { nullable, oneOf } from '#model/codec/field-codec.ts';
import type { Profile } from '#model/profile.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const profile = nullable(oneOf<Profile>(['sandbox', 'production']));

/** What this exchange is run for, as its first start recorded it. DEC-OPR-100. */
export class RecordedProfile implements StateTable {
  readonly name = 'profile';
  readonly version = 1;
  readonly isInDigest = true;
  /** `null`: no start recorded it, which only engines of tests and tools are. */
  recorded: Profile | null = null;

  write(writer: ByteWriter): void {
    profile.write(writer, this.recorded);
  }

  read(reader: ByteReader): void {
    this.recorded = profile.read(reader);
  }

  audit(): void {}
}
