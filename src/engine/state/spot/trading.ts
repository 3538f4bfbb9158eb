import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { nullable } from '#model/codec/field-codec.ts';
import type { TimestampMs } from '#model/units.ts';
import { tradingStatus, type TradingStatus } from '#model/trading.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const written = nullable(tradingStatus);

/** Whether the exchange trades at all. DEC-OPR-166. */
export class Trading implements StateTable {
  readonly name = 'trading';
  readonly version = 1;
  readonly isInDigest = true;
  /** Every order reads it. */
  isOpen = true;
  /** What was set last; `null`: nothing ever, and trading is open. */
  status: TradingStatus | null = null;

  put(status: TradingStatus): void {
    this.status = status;
    this.isOpen = status.state === 'open';
  }

  /** Whether it is open, and has been for so long. */
  isOpenFor(durationMs: number, now: TimestampMs): boolean {
    return this.isOpen && now - (this.status?.since ?? 0) >= durationMs;
  }

  write(writer: ByteWriter): void {
    written.write(writer, this.status);
  }

  read(reader: ByteReader): void {
    const status = written.read(reader);
    if (status !== null) this.put(status);
  }

  audit(): void {}
}
