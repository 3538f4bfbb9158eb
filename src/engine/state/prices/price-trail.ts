import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { readCount } from '#model/codec/field-codec.ts';
import type { AssetId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';
import type { UnitValue } from '#engine/state/prices/unit-value.ts';

/** How old the price is that rules compare the present one with. DEC-WAL-142. */
const hourMs = 3_600_000;

/**
 * What a unit of an asset is worth in units of the reference asset, as far as no single trade can make it. Where it
 * comes from two prices `low` and `high` are these two, else both are the same.
 */
export interface GuardedPrice {
  readonly low: UnitValue;
  readonly high: UnitValue;
}

/** The guarded price of an asset as it was. */
interface PriceSample extends GuardedPrice {
  readonly at: TimestampMs;
}

/**
 * Guarded prices as they were: of every asset about each five minutes, back to one that is an hour old, so at most 14;
 * and that of the platform token of the running minute, for commissions. DEC-WAL-142, DEC-WAL-146.
 */
export class PriceTrail implements StateTable {
  readonly name = 'priceTrail';
  readonly version = 1;
  readonly isInDigest = true;
  /** When the next minute begins, at which prices are read again. */
  dueAt = as<TimestampMs>(0);
  /** The lower guarded price of the platform token; `null`: it has none. */
  token: UnitValue | null = null;
  /** By asset, earliest first. */
  private readonly samples = new Map<AssetId, PriceSample[]>();

  /** The newest price that is at least an hour old at `at`; `null`: there is none. */
  hourAgo(asset: AssetId, at: TimestampMs): GuardedPrice | null {
    const kept = this.samples.get(asset) ?? [];
    return kept.findLast((sample) => sample.at <= at - hourMs) ?? null;
  }

  /** The newest price, if it is less than an hour old at `at`. */
  newest(asset: AssetId, at: TimestampMs): GuardedPrice | null {
    const last = this.samples.get(asset)?.at(-1);
    return last === undefined || last.at <= at - hourMs ? null : last;
  }

  /** Adds the price of an asset at `at`, which is not before any other; drops what no rule asks for again. */
  add(asset: AssetId, at: TimestampMs, { low, high }: GuardedPrice): void {
    const kept = this.samples.get(asset);
    if (kept === undefined) {
      this.samples.set(asset, [{ at, low, high }]);
      return;
    }
    kept.push({ at, low, high });
    const newestOld = kept.findLastIndex((sample) => sample.at <= at - hourMs);
    if (newestOld > 0) kept.splice(0, newestOld);
  }

  write(writer: ByteWriter): void {
    writer.varint(this.dueAt);
    writer.u8(this.token === null ? 0 : 1);
    if (this.token !== null) writeValue(writer, this.token);
    const assets = [...this.samples.keys()].sort((one, other) => one - other);
    writer.varint(assets.length);
    for (const asset of assets) {
      const kept = this.samples.get(asset)!;
      writer.varint(asset);
      writer.varint(kept.length);
      for (const { at, low, high } of kept) {
        writer.varint(at);
        writeValue(writer, low);
        writeValue(writer, high);
      }
    }
  }

  read(reader: ByteReader): void {
    this.dueAt = as(reader.varint());
    this.token = reader.u8() === 0 ? null : readValue(reader);
    for (let assets = readCount(reader); assets > 0; assets -= 1) {
      const asset = as<AssetId>(reader.varint());
      const kept: PriceSample[] = [];
      for (let left = readCount(reader); left > 0; left -= 1)
        kept.push({ at: as(reader.varint()), low: readValue(reader), high: readValue(reader) });
      this.samples.set(asset, kept);
    }
  }

  audit(): void {}
}

function writeValue(writer: ByteWriter, { numerator, denominator }: UnitValue): void {
  writer.text(String(numerator));
  writer.text(String(denominator));
}

const readValue = (reader: ByteReader): UnitValue => ({
  numerator: BigInt(reader.text()),
  denominator: BigInt(reader.text()),
});
