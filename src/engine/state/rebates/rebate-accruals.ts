import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { house } from '#model/account.ts';
import { amount, integer, list, record, time, type ValueOf } from '#model/codec/field-codec.ts';
import { engineLimits } from '#model/limits.ts';
import { rebateDayMs, rebateDayOf } from '#model/rebate.ts';
import { type AccountId, type Amount, type AssetId, type Balance, type TimestampMs, sumOf } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';
import type { Ledger } from '#engine/ledger/ledger.ts';
import { OwedRebates } from '#engine/state/rebates/owed-rebates.ts';

/** What accrued on one day from the commissions of one source in one asset, in the order of `rebateShares`. */
export interface Accrued {
  readonly source: AccountId;
  readonly asset: AssetId;
  readonly amounts: [referral: Amount, subAffiliate: Amount, third: Amount, kickback: Amount];
}

/** An accrual with its day, as images have it. */
const storedAccrual = record({
  day: time(),
  source: integer<AccountId>(),
  asset: integer<AssetId>(),
  referral: amount(),
  subAffiliate: amount(),
  third: amount(),
  kickback: amount(),
});
type StoredAccrual = ValueOf<typeof storedAccrual>;

const stored = list(storedAccrual);

const keyOf = (source: AccountId, asset: AssetId): number => source * engineLimits.assets + asset;

/**
 * What accrued and was not settled or rejected yet: by day, source and asset, later gathered into what is owed. The
 * house's rebates have exactly this money.
 */
export class RebateAccruals implements StateTable {
  readonly name = 'rebateAccruals';
  readonly version = 1;
  readonly isInDigest = true;
  /** The last number that was given. */
  lastAccrual = 0;
  /** Records of all days. */
  count = 0;
  readonly owed = new OwedRebates();
  private readonly ledger: Ledger;
  /** Records of each day in the order in which they came to be, which images keep: it is the order of gathering. */
  private readonly days = new Map<TimestampMs, Map<number, Accrued>>();

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** Adds shares of a commission, in the order of `rebateShares`. */
  add(day: TimestampMs, source: AccountId, asset: AssetId, amounts: readonly Amount[]): void {
    const ofDay = this.days.get(day) ?? this.openDay(day);
    const key = keyOf(source, asset);
    const known = ofDay.get(key);
    if (known !== undefined) {
      for (let share = 0; share < amounts.length; share += 1)
        known.amounts[share] = sumOf(known.amounts[share]!, amounts[share]!);
      return;
    }
    const [referral, subAffiliate, third, kickback] = amounts as Accrued['amounts'];
    ofDay.set(key, { source, asset, amounts: [referral, subAffiliate, third, kickback] });
    this.count += 1;
  }

  /** What accrued on a day from one source in one asset; `null`: nothing. */
  find(day: TimestampMs, source: AccountId, asset: AssetId): Accrued | null {
    return this.days.get(day)?.get(keyOf(source, asset)) ?? null;
  }

  /** What accrued on a day, in the order of gathering. */
  ofDay(day: TimestampMs): Iterable<Accrued> {
    return this.days.get(day)?.values() ?? [];
  }

  /** Removes what accrued on a day from one source in one asset. */
  remove(day: TimestampMs, { source, asset }: Accrued): void {
    const ofDay = this.days.get(day);
    if (ofDay?.delete(keyOf(source, asset)) !== true) return;
    this.count -= 1;
    if (ofDay.size === 0) this.days.delete(day);
  }

  /** Days that have accruals, the oldest first. */
  daysPending(): readonly TimestampMs[] {
    return [...this.days.keys()].sort((first, second) => first - second);
  }

  hasAny(day: TimestampMs): boolean {
    return this.days.has(day);
  }

  /** The oldest day of which something accrued is not paid yet; `null`: none. */
  oldestDay(): TimestampMs | null {
    if (this.owed.day !== null) return this.owed.day;
    return this.daysPending()[0] ?? null;
  }

  /** Start of the first day of which something may still be pending at this time. */
  settledBefore(now: TimestampMs): TimestampMs {
    return this.oldestDay() ?? rebateDayOf(now);
  }

  write(writer: ByteWriter): void {
    writer.varint(this.lastAccrual);
    // stored order: by day, then as the records came to be
    const records = this.daysPending().flatMap((day) => [...this.ofDay(day)].map((each) => toStored(day, each)));
    stored.write(writer, records);
    this.owed.write(writer);
  }

  read(reader: ByteReader): void {
    this.lastAccrual = reader.varint();
    for (const { day, source, asset, referral, subAffiliate, third, kickback } of stored.read(reader)) {
      const amounts = [referral, subAffiliate, third, kickback].map((each) => sumOf(0, each));
      this.add(day, source, asset, amounts);
    }
    this.owed.read(reader);
  }

  /** The house's rebates are what accrued and what is owed; no record is empty. */
  audit(faults: string[]): void {
    const sums = new Map<AssetId, bigint>();
    const count = (asset: AssetId, amount: Amount): void =>
      void sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(amount));
    // any order: sums are the same in each
    for (const [day, ofDay] of this.days) {
      if (day % rebateDayMs !== 0) faults.push(`rebates accrued on ${day}, which begins no day`);
      // any order: sums are the same in each
      for (const { source, asset, amounts } of ofDay.values()) {
        for (const amount of amounts) count(asset, amount);
        if (amounts.some((amount) => amount < 0) || amounts.every((amount) => amount === 0))
          faults.push(`rebates from account ${source} of ${day} are ${amounts.join(', ')}`);
      }
    }
    for (const { asset, amount } of this.owed.all()) count(asset, amount);
    this.owed.audit(faults);
    const { balances } = this.ledger;
    for (let row = balances.first(house.rebates); row >= 0; row = balances.next(row)) {
      const asset = balances.assetOf(row) as AssetId;
      const balance = balances.free.get(row) + balances.held.get(row);
      if (balance !== (sums.get(asset) ?? 0n)) faults.push(`rebates of asset ${asset} are ${balance}`);
      sums.delete(asset);
    }
    // any order: nothing is left in a sound state
    for (const [asset, sum] of sums) if (sum !== 0n) faults.push(`${sum} of asset ${asset} accrued without money`);
  }

  private openDay(day: TimestampMs): Map<number, Accrued> {
    const ofDay = new Map<number, Accrued>();
    this.days.set(day, ofDay);
    return ofDay;
  }
}

function toStored(day: TimestampMs, { source, asset, amounts }: Accrued): StoredAccrual {
  const [referral, subAffiliate, third, kickback] = amounts.map((each) => BigInt(each) as Balance);
  return { day, source, asset, referral: referral!, subAffiliate: subAffiliate!, third: third!, kickback: kickback! };
}
