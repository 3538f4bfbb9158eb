import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import type { SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { BasisRing } from '#engine/state/futures/basis-ring.ts';
import { nextFundingAfter } from '#engine/state/futures/funding-rate.ts';
import { greatestMark } from '#engine/state/futures/mark-price.ts';

/** Time between two snapshots of an insurance fund; they are taken at its multiples since 1970 UTC. DEC-FUT-17. */
const snapshotMs = 4 * 3_600_000;
const snapshotBefore = (at: number): number => Math.floor(at / snapshotMs) * snapshotMs;

/** Prices of one contract, what they follow from, and its funding. */
export class ContractMark {
  readonly contract: SymbolId;
  /** Last index and fair price, in steps of 10^-markDecimals; 0: not known yet. */
  index = 0;
  fair = 0;
  /** When the index was last told; when the contract was listed, if never. */
  indexAt: TimestampMs;
  /** Last update; 0: none. */
  at = as<TimestampMs>(0);
  /** Of the last funding, in parts per 10^8. */
  lastRate = 0;
  nextFundingAt: TimestampMs;
  /** Samples of the premium since the last funding, in parts per 10^8, their number, and the second of the last one. */
  premiumSum = 0;
  premiumCount = 0;
  sampledSecond = 0;
  /** Since when the insurance fund has a position; 0: it has none. */
  fundSince: TimestampMs | 0 = 0;
  /** From when on the next snapshot of the fund is taken. */
  nextSnapshotAt: TimestampMs;
  readonly basis = new BasisRing();

  constructor(contract: SymbolId, listedAt: TimestampMs, cycleMs: number) {
    this.contract = contract;
    this.indexAt = listedAt;
    this.nextFundingAt = as(nextFundingAfter(listedAt, cycleMs));
    this.nextSnapshotAt = as(snapshotBefore(listedAt) + snapshotMs);
  }

  /** Begins the next cycle of funding: no samples yet. */
  beginCycle(rate: number, nextFundingAt: number): void {
    this.lastRate = rate;
    this.nextFundingAt = as(nextFundingAt);
    this.premiumSum = 0;
    this.premiumCount = 0;
  }

  /** The fund has a position, which it may have had before. */
  noteFundSince(now: TimestampMs): void {
    if (this.fundSince === 0) this.fundSince = now;
  }

  /** The fund has no position. */
  clearFundSince(): void {
    this.fundSince = 0;
  }

  /**
   * The boundary of four hours of which a snapshot of the fund is due, `null` if none is. Once however late: then of
   * the last boundary. DEC-FUT-17.
   */
  takeSnapshot(now: TimestampMs): TimestampMs | null {
    if (now < this.nextSnapshotAt) return null;
    const boundary = snapshotBefore(now);
    this.nextSnapshotAt = as(boundary + snapshotMs);
    return as<TimestampMs>(boundary);
  }

  write(writer: ByteWriter): void {
    writer.varint(this.index);
    writer.varint(this.fair);
    writer.varint(this.indexAt);
    writer.varint(this.at);
    writer.signedVarint(this.lastRate);
    writer.varint(this.nextFundingAt);
    writer.signedVarint(this.premiumSum);
    writer.varint(this.premiumCount);
    writer.varint(this.sampledSecond);
    writer.varint(this.fundSince);
    writer.varint(this.nextSnapshotAt);
    this.basis.write(writer);
  }

  /** Reads what `write` wrote. */
  read(reader: ByteReader): void {
    this.index = reader.varint();
    this.fair = reader.varint();
    this.indexAt = as(reader.varint());
    this.at = as(reader.varint());
    this.lastRate = reader.signedVarint();
    this.nextFundingAt = as(reader.varint());
    this.premiumSum = reader.signedVarint();
    this.premiumCount = reader.varint();
    this.sampledSecond = reader.varint();
    this.fundSince = as(reader.varint());
    this.nextSnapshotAt = as(reader.varint());
    this.basis.read(reader);
  }

  /** Adds faults if prices are out of bounds, or one is known without the other. */
  audit(faults: string[]): void {
    const { contract, index, fair } = this;
    if (index > greatestMark || fair > greatestMark || (index === 0) !== (fair === 0))
      faults.push(`contract ${contract} has index ${index} and fair price ${fair}`);
    this.basis.audit(faults);
  }
}
