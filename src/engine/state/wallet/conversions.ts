import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { SlidingWindow } from '#base/sliding-window.ts';
import { integer, list, record, time, type ValueOf } from '#model/codec/field-codec.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const converted = record({
  account: integer<AccountId>(),
  at: time(),
});
type Converted = ValueOf<typeof converted>;

const convertedList = list(converted);

/** Counts dust conversions, and those of each account within a day. DEC-WAL-07. */
export class Conversions implements StateTable {
  readonly name = 'conversions';
  readonly version = 1;
  readonly isInDigest = true;
  /** The last number that was given. */
  lastConversion = 0;
  private readonly recent = new SlidingWindow<Converted>(engineLimits.conversionWindowMs);
  private readonly counts = new Map<AccountId, number>();

  /** Forgets those that are a day old. */
  forget(now: TimestampMs): void {
    this.recent.slide(now, (old) => this.change(old.account, -1));
  }

  /** Conversions of an account that are not forgotten. */
  countOf(account: AccountId): number {
    return this.counts.get(account) ?? 0;
  }

  /** Whether an account has used up the conversions of the 24 hours before a moment. DEC-WAL-07. */
  areUsedUp(account: AccountId, at: TimestampMs): boolean {
    const { conversionsPerDay, conversionWindowMs } = engineLimits;
    if (this.countOf(account) < conversionsPerDay) return false;
    const own = this.recent.all().filter((each) => each.account === account && each.at + conversionWindowMs > at);
    return own.length >= conversionsPerDay;
  }

  /** Counts one more and answers its number. */
  add(account: AccountId, at: TimestampMs): number {
    this.put({ account, at });
    this.lastConversion += 1;
    return this.lastConversion;
  }

  write(writer: ByteWriter): void {
    writer.varint(this.lastConversion);
    convertedList.write(writer, this.recent.all());
  }

  read(reader: ByteReader): void {
    this.lastConversion = reader.varint();
    for (const each of convertedList.read(reader)) this.put(each);
  }

  audit(faults: string[]): void {
    if (this.recent.count > this.lastConversion)
      faults.push(`${this.recent.count} recent conversions, ${this.lastConversion} in all`);
  }

  private put(converted: Converted): void {
    this.recent.add(converted);
    this.change(converted.account, 1);
  }

  private change(account: AccountId, by: 1 | -1): void {
    const count = (this.counts.get(account) ?? 0) + by;
    if (count === 0) this.counts.delete(account);
    else this.counts.set(account, count);
  }
}
