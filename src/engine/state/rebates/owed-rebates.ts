import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { NumberHeap } from '#base/number-heap.ts';
import { list, nullable, time } from '#model/codec/field-codec.ts';
import { engineLimits } from '#model/limits.ts';
import { rebatePayout, type RebatePayout } from '#model/rebate.ts';
import { type AccountId, type Amount, type AssetId, type Balance, type TimestampMs, sumOf } from '#model/units.ts';

const payouts = list(rebatePayout);
const dayCodec = nullable(time());

/** What the settlement of one day has gathered and not paid yet, by beneficiary and asset. */
export class OwedRebates {
  /** The day that is being settled; `null`: nothing is owed. */
  day: TimestampMs | null = null;
  private readonly amounts = new Map<number, Amount>();
  /** Keys of `amounts`, the least first: in the order of beneficiary, then asset. */
  private readonly keys = new NumberHeap();

  get count(): number {
    return this.amounts.size;
  }

  /** Adds to what a beneficiary is owed of an asset. */
  add(day: TimestampMs, beneficiary: AccountId, asset: AssetId, more: Amount): void {
    const key = beneficiary * engineLimits.assets + asset;
    const known = this.amounts.get(key);
    if (known === undefined) this.keys.add(key);
    this.amounts.set(key, sumOf(known ?? 0, more));
    this.day = day;
  }

  /** Takes out what is paid next: of the first beneficiary, its first asset; `null`: nothing is owed. */
  takeNext(): RebatePayout | null {
    const key = this.keys.least;
    if (key === null) return null;
    const next = payoutOf(key, this.amounts.get(key)!);
    this.keys.removeLeast();
    this.amounts.delete(key);
    if (this.amounts.size === 0) this.day = null;
    return next;
  }

  /** By beneficiary, then asset. */
  all(): readonly RebatePayout[] {
    return [...this.amounts].sort(([first], [second]) => first - second).map(([key, owed]) => payoutOf(key, owed));
  }

  write(writer: ByteWriter): void {
    dayCodec.write(writer, this.day);
    payouts.write(writer, this.all());
  }

  read(reader: ByteReader): void {
    const day = dayCodec.read(reader);
    for (const payout of payouts.read(reader)) this.add(day!, payout.beneficiary, payout.asset, payout.amount);
    this.day = day;
  }

  audit(faults: string[]): void {
    if ((this.day === null) !== (this.count === 0)) faults.push(`${this.count} rebates are owed of day ${this.day}`);
    if (this.keys.count !== this.count) faults.push(`${this.count} rebates are owed in ${this.keys.count} places`);
    // any order: faults are the same in each
    for (const [key, owed] of this.amounts) if (owed <= 0) faults.push(`a rebate of ${owed} is owed under ${key}`);
  }
}

const payoutOf = (key: number, owed: Amount): RebatePayout => ({
  beneficiary: Math.floor(key / engineLimits.assets) as AccountId,
  asset: (key % engineLimits.assets) as AssetId,
  amount: BigInt(owed) as Balance,
});
