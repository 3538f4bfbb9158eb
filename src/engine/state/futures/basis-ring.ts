import type { ByteReader, ByteWriter } from '#base/bytes.ts';

/** Seconds of the moving average: five minutes. DEC-FUT-12. */
export const basisSeconds = 300;

/**
 * One sample per second of twice (mid − index), over the last 300 seconds: doubled, it is whole. A second without a
 * sample leaves a gap; samples leave by time, not by number.
 */
export class BasisRing {
  private readonly samples = new BigInt64Array(basisSeconds);
  private readonly isTaken = new Uint8Array(basisSeconds);
  /** The second that the ring has reached. */
  private second = 0;
  /** Sum and number of the samples in the ring. */
  twiceSum = 0n;
  count = 0;

  /** Moves on to a second, which is not before the last one, and drops what is too old then. */
  moveTo(second: number): void {
    for (let lapsed = Math.max(this.second + 1, second - basisSeconds + 1); lapsed <= second; lapsed += 1)
      this.drop(lapsed % basisSeconds);
    this.second = second;
  }

  /** Sets the sample of the second that was moved to: within ±2^55, so that sums stay within 64 bits. */
  put(twiceBasis: bigint): void {
    const at = this.second % basisSeconds;
    this.drop(at);
    this.samples[at] = twiceBasis;
    this.isTaken[at] = 1;
    this.twiceSum += twiceBasis;
    this.count += 1;
  }

  private drop(at: number): void {
    if (this.isTaken[at] === 0) return;
    this.isTaken[at] = 0;
    this.twiceSum -= this.samples[at]!;
    this.count -= 1;
  }

  write(writer: ByteWriter): void {
    writer.varint(this.second);
    writer.varint(this.count);
    for (let at = 0; at < basisSeconds; at += 1) {
      if (this.isTaken[at] === 0) continue;
      writer.varint(at);
      writer.i64(this.samples[at]!);
    }
  }

  /** Reads what `write` wrote into an empty ring. */
  read(reader: ByteReader): void {
    this.second = reader.varint();
    this.count = reader.varint();
    for (let left = this.count; left > 0; left -= 1) {
      const at = reader.varint();
      this.samples[at] = reader.i64();
      this.isTaken[at] = 1;
      this.twiceSum += this.samples[at]!;
    }
  }

  /** Adds a fault if the number or the sum is not that of the samples. */
  audit(faults: string[]): void {
    const taken = [...this.samples].filter((_, at) => this.isTaken[at] === 1);
    if (taken.length !== this.count) faults.push(`a ring of ${taken.length} samples counts ${this.count}`);
    const sum = taken.reduce((total, each) => total + each, 0n);
    if (sum !== this.twiceSum) faults.push(`samples that sum up to ${sum} have the sum ${this.twiceSum}`);
  }
}
