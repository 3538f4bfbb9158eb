import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { integer, list, record, text } from '#domain/codec/field-codec.ts';
import { engineLimits } from '#domain/limits.ts';
import type { TimestampMs } from '#domain/units.ts';
import type { StateTable } from '#engine/image/state-table.ts';

interface RecordedSweep {
  /** Network and transaction. */
  readonly key: string;
  readonly at: TimestampMs;
}

const sweeps = list(record<RecordedSweep>({ key: text(), at: integer() }));
/** Sweeps that one new sweep makes forgotten at most. */
const forgottenAtOnce = 2;

/** Sweeps of the last 30 days, so that each is recorded once; beyond a million the oldest are forgotten. DEC-WAL-60. */
export class RecordedSweeps implements StateTable {
  readonly name = 'recordedSweeps';
  readonly version = 1;
  readonly isInDigest = true;
  /** When each was recorded, in the order of recording. */
  private readonly recorded = new Map<string, TimestampMs>();

  has(network: string, txId: string): boolean {
    return this.recorded.has(keyOf(network, txId));
  }

  /** Adds a sweep that is not there. */
  add(network: string, txId: string, at: TimestampMs): void {
    this.recorded.set(keyOf(network, txId), at);
    let left = forgottenAtOnce;
    // stored order: sweeps stand in the order in which they were recorded, which the image keeps
    for (const [key, recordedAt] of this.recorded) {
      const isOld = recordedAt + engineLimits.sweepKeptMs <= at;
      if (left === 0 || !(isOld || this.recorded.size > engineLimits.sweepsKept)) return;
      this.recorded.delete(key);
      left -= 1;
    }
  }

  write(writer: ByteWriter): void {
    // stored order: as above
    const inOrder = [...this.recorded].map(([key, at]) => ({ key, at }));
    sweeps.write(writer, inOrder);
  }

  read(reader: ByteReader): void {
    for (const { key, at } of sweeps.read(reader)) this.recorded.set(key, at);
  }

  audit(): void {}
}

const keyOf = (network: string, txId: string): string => `${network}/${txId}`;
