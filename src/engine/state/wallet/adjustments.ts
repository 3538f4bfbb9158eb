import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { list } from '#model/codec/field-codec.ts';
import { type Adjustment, adjustment } from '#model/adjustment.ts';
import { engineLimits } from '#model/limits.ts';
import type { Balance, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const adjustments = list(adjustment);
const { adjustmentsKept, adjustmentsKeptMs } = engineLimits;

/** Adjustments of the last day, oldest first; history has all. Beyond the limit the oldest goes. DEC-OPR-183. */
export class Adjustments implements StateTable {
  readonly name = 'adjustments';
  readonly version = 1;
  readonly isInDigest = true;
  lastAdjustment = 0;
  private recent: Adjustment[] = [];

  all(): readonly Adjustment[] {
    return this.recent;
  }

  find(number: number): Adjustment | null {
    return this.recent.find(({ adjustment }) => adjustment === number) ?? null;
  }

  /** What an operator made under this idempotency key. */
  ofKey(actor: string, idempotencyKey: string): Adjustment | null {
    return this.recent.findLast((each) => each.madeBy === actor && each.idempotencyKey === idempotencyKey) ?? null;
  }

  /**
   * Worth of what an operator adjusted within a day before `now` without a second one; `null`: more was adjusted than
   * is remembered, so nobody knows.
   */
  worthAlone(actor: string, now: TimestampMs): Balance | null {
    const counted = this.recent.filter(({ at }) => at + adjustmentsKeptMs > now);
    if (counted.length >= adjustmentsKept) return null;
    const own = counted.filter(({ madeBy, proposal }) => proposal === null && madeBy === actor);
    return as<Balance>(own.reduce((sum, { worth }) => sum + (worth ?? 0n), 0n));
  }

  /** Remembers one, and forgets those that are too old or too many. */
  put(made: Adjustment): void {
    this.lastAdjustment = made.adjustment;
    const isCounted = ({ at }: Adjustment): boolean => at + adjustmentsKeptMs > made.at;
    this.recent = [...this.recent.filter(isCounted), made].slice(-adjustmentsKept);
  }

  write(writer: ByteWriter): void {
    writer.varint(this.lastAdjustment);
    adjustments.write(writer, this.recent);
  }

  read(reader: ByteReader): void {
    this.lastAdjustment = reader.varint();
    this.recent = [...adjustments.read(reader)];
  }

  audit(faults: string[]): void {
    if (this.recent.length > adjustmentsKept) faults.push(`${this.recent.length} adjustments are remembered`);
    const newest = this.recent.at(-1)?.adjustment ?? this.lastAdjustment;
    if (newest !== this.lastAdjustment) faults.push(`adjustment ${this.lastAdjustment} is not remembered`);
  }
}
