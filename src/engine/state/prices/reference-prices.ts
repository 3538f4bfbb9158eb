import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { list } from '#model/codec/field-codec.ts';
import { type ReferencePrice, referencePrice } from '#model/reference-price.ts';
import type { AssetId, TimestampMs } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const prices = list(referencePrice);

/** Prices that operators set, one an asset; what is no longer valid stays until it is replaced. DEC-OPR-130. */
export class ReferencePrices implements StateTable {
  readonly name = 'referencePrices';
  readonly version = 1;
  readonly isInDigest = true;
  private readonly byAsset = new Map<AssetId, ReferencePrice>();

  /** By asset. */
  all(): readonly ReferencePrice[] {
    return [...this.byAsset.values()].sort((one, other) => one.asset - other.asset);
  }

  find(asset: AssetId): ReferencePrice | null {
    return this.byAsset.get(asset) ?? null;
  }

  /** The price of an asset that counts at `at`. */
  inForce(asset: AssetId, at: TimestampMs): ReferencePrice | null {
    const known = this.byAsset.get(asset);
    return known !== undefined && at < known.validUntil ? known : null;
  }

  put(price: ReferencePrice): void {
    this.byAsset.set(price.asset, price);
  }

  delete(asset: AssetId): void {
    this.byAsset.delete(asset);
  }

  write(writer: ByteWriter): void {
    prices.write(writer, this.all());
  }

  read(reader: ByteReader): void {
    for (const price of prices.read(reader)) this.put(price);
  }

  audit(): void {}
}
