import { dayMs } from '#base/calendar.ts';
import { amount, integer, list, record, time } from '#model/codec/field-codec.ts';
import { feeTierDays } from '#model/fee-tier.ts';
import { engineLimits } from '#model/limits.ts';
import { type AccountId, as, type Balance, type TimestampMs } from '#model/units.ts';
import { RecordTable } from '#engine/state/state-table.ts';
import type { ValueOf } from '#model/codec/field-codec.ts';

/** What an account with its sub-accounts traded on a day; a later trade of the day adds to it. */
interface DayVolume {
  readonly day: TimestampMs;
  volume: Balance;
}

const accountVolumes = record({
  account: integer<AccountId>(),
  days: list(record({ day: time(), volume: amount() })),
});
type AccountVolumes = ValueOf<typeof accountVolumes>;

/** The most that a day counts: sums of 30 days stay below 64 bits. */
const volumeMost = 1n << 58n;

/**
 * What master accounts traded on each of the last 31 days, with their sub-accounts; only of accounts and days with
 * volume. More accounts than the limit do not count until others are forgotten. DEC-OPR-212.
 */
export class TradeVolumes extends RecordTable<AccountVolumes> {
  readonly name = 'tradeVolumes';
  /** The oldest day first. */
  private readonly byAccount = new Map<AccountId, DayVolume[]>();

  constructor() {
    super(accountVolumes);
  }

  get count(): number {
    return this.byAccount.size;
  }

  /** By account. */
  all(): readonly AccountVolumes[] {
    return [...this.byAccount.entries()]
      .sort(([one], [other]) => one - other)
      .map(([account, days]) => ({ account, days }));
  }

  put({ account, days }: AccountVolumes): void {
    this.byAccount.set(
      account,
      days.map(({ day, volume }) => ({ day, volume })),
    );
  }

  /** Adds to the volume of a day, which is no earlier than any before. */
  add(account: AccountId, day: TimestampMs, volume: bigint): void {
    let days = this.byAccount.get(account);
    if (days === undefined) {
      if (this.byAccount.size >= engineLimits.tradeVolumeAccounts) return;
      days = [];
      this.byAccount.set(account, days);
    }
    const last = days.at(-1);
    if (last !== undefined && last.day === day) {
      const sum = last.volume + volume;
      last.volume = as<Balance>(sum < volumeMost ? sum : volumeMost);
      return;
    }
    days.push({ day, volume: as<Balance>(volume < volumeMost ? volume : volumeMost) });
    if (days.length > feeTierDays + 1) days.shift();
  }

  /** The sum of the 30 days before `day`. */
  before(account: AccountId, day: TimestampMs): bigint {
    const first = day - feeTierDays * dayMs;
    let sum = 0n;
    for (const each of this.byAccount.get(account) ?? []) if (each.day >= first && each.day < day) sum += each.volume;
    return sum;
  }

  /** Forgets the days of an account that no later midnight than `day` counts. */
  forgetBefore(account: AccountId, day: TimestampMs): void {
    const days = this.byAccount.get(account);
    if (days === undefined) return;
    const kept = days.filter((each) => each.day > day - feeTierDays * dayMs);
    if (kept.length === 0) this.byAccount.delete(account);
    else if (kept.length < days.length) this.byAccount.set(account, kept);
  }

  clear(): void {
    this.byAccount.clear();
  }

  override audit(faults: string[]): void {
    for (const { account, days } of this.all())
      if (days.length > feeTierDays + 1) faults.push(`account ${account} has volume of ${days.length} days`);
  }
}
