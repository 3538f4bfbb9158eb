import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { integer, list, record, time, type ValueOf } from '#model/codec/field-codec.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

/** A tail of the journal that was taken out because of a command of this account. */
const quarantinedTail = record({
  account: integer<AccountId>(),
  at: time(),
});
export type QuarantinedTail = ValueOf<typeof quarantinedTail>;

const tails = list(quarantinedTail);

/** Counts of quarantined tails, and the accounts whose commands caused the recent ones. */
export class QuarantinedTails implements StateTable {
  readonly name = 'quarantinedTails';
  readonly version = 1;
  readonly isInDigest = true;
  /** Number of tails since the journal began. */
  count = 0;
  /** Number of entries in them. */
  entryCount = 0;
  /** Tails of the hour before the newest one, oldest first. */
  recent: readonly QuarantinedTail[] = [];

  /**
   * Adds a tail and removes those older than the window. Returns how many tails of this account are left, the new one
   * included.
   */
  add(tail: QuarantinedTail): number {
    const kept = this.recent.filter(({ at }) => tail.at - at < engineLimits.tailsWindowMs);
    this.recent = [...kept, tail].slice(-engineLimits.tailsKept);
    return this.recent.filter(({ account }) => account === tail.account).length;
  }

  write(writer: ByteWriter): void {
    writer.varint(this.count);
    writer.varint(this.entryCount);
    tails.write(writer, this.recent);
  }

  read(reader: ByteReader): void {
    this.count = reader.varint();
    this.entryCount = reader.varint();
    this.recent = tails.read(reader);
  }

  audit(faults: string[]): void {
    if (this.recent.length > this.count) faults.push(`${this.recent.length} recent tails, ${this.count} in all`);
  }
}
