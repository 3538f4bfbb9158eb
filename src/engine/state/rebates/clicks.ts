import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { integer, list, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';
import type { TimestampMs } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

/** Clicks on one code. */
const clicks = record({
  code: text(),
  /** Start of the last minute that was told. */
  lastMinute: time(),
  /** At most 2^53 − 1; more is not counted. */
  total: integer(),
});
export type Clicks = ValueOf<typeof clicks>;

const clicksList = list(clicks);

/** How often codes were clicked. DEC-SUB-27. */
export class InviteClicks implements StateTable {
  readonly name = 'inviteClicks';
  readonly version = 1;
  readonly isInDigest = true;
  private readonly byCode = new Map<string, Clicks>();

  /** Codes that were ever clicked. */
  get count(): number {
    return this.byCode.size;
  }

  of(code: string): Clicks | null {
    return this.byCode.get(code) ?? null;
  }

  add(code: string, minute: TimestampMs, count: number): void {
    const total = Math.min((this.of(code)?.total ?? 0) + count, Number.MAX_SAFE_INTEGER);
    this.byCode.set(code, { code, lastMinute: minute, total });
  }

  write(writer: ByteWriter): void {
    clicksList.write(
      writer,
      [...this.byCode.values()].sort((first, second) => (first.code < second.code ? -1 : 1)),
    );
  }

  read(reader: ByteReader): void {
    for (const clicks of clicksList.read(reader)) this.byCode.set(clicks.code, clicks);
  }

  audit(): void {}
}
