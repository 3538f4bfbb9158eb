import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { list, record, text, time } from '#model/codec/field-codec.ts';
import { engineLimits } from '#model/limits.ts';
import type { TimestampMs } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const recordedTransaction = record({
  /** Network and transaction. */
  key: text(),
  at: time(),
});

const transactions = list(recordedTransaction);
/** Records that one new one makes forgotten at most. */
const forgottenAtOnce = 2;

/**
 * Transactions of the last 30 days, so that each is known again; beyond a million the oldest are forgotten. DEC-WAL-60.
 */
export class RecordedTransactions implements StateTable {
  readonly name: string;
  readonly version = 1;
  readonly isInDigest = true;
  /** When each was recorded, in the order of recording. */
  private readonly recorded = new Map<string, TimestampMs>();

  /** `name`: of the table. */
  constructor(name: string) {
    this.name = name;
  }

  has(network: string, txId: string): boolean {
    return this.recorded.has(keyOf(network, txId));
  }

  /** Adds a transaction that is not there. */
  add(network: string, txId: string, at: TimestampMs): void {
    this.recorded.set(keyOf(network, txId), at);
    let left = forgottenAtOnce;
    // stored order: transactions stand in the order in which they were recorded, which the image keeps
    for (const [key, recordedAt] of this.recorded) {
      const isOld = recordedAt + engineLimits.transactionKeptMs <= at;
      if (left === 0 || !(isOld || this.recorded.size > engineLimits.transactionsKept)) return;
      this.recorded.delete(key);
      left -= 1;
    }
  }

  write(writer: ByteWriter): void {
    // stored order: as above
    const inOrder = [...this.recorded].map(([key, at]) => ({ key, at }));
    transactions.write(writer, inOrder);
  }

  read(reader: ByteReader): void {
    for (const { key, at } of transactions.read(reader)) this.recorded.set(key, at);
  }

  audit(): void {}
}

const keyOf = (network: string, txId: string): string => `${network}/${txId}`;
