import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { amount, integer, list, nullable, record, time, type ValueOf } from '#model/codec/field-codec.ts';
import { type AccountFeeTier, accountFeeTier, feeTier, type FeeTierTable, feeTierTable } from '#model/fee-tier.ts';
import { type AccountId, as, type TimestampMs } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

/** A day for which tiers are assigned, with what counts at its beginning. */
const tierDay = record({
  day: time(),
  /** The tiers as they were at midnight. */
  tiers: list(feeTier),
  /** The next account; `null`: all have their tier. */
  next: nullable(integer<AccountId>()),
  /** Tokens that masters had at midnight with their sub-accounts, by account; only what leads to a tier. */
  tokens: list(record({ account: integer<AccountId>(), amount: amount() })),
});
type TierDay = ValueOf<typeof tierDay>;

const table = nullable(feeTierTable);
const days = nullable(tierDay);
const assigned = list(accountFeeTier);
/** While no tiers are set no midnight begins a day of them. */
const never = as<TimestampMs>(Number.MAX_SAFE_INTEGER);

/** Fee tiers, and which account is in which. Nothing is here while no tiers are set. DEC-OPR-210. */
export class FeeTiers implements StateTable {
  readonly name = 'feeTiers';
  readonly version = 1;
  readonly isInDigest = true;
  table: FeeTierTable | null = null;
  /** The next midnight, at which the tiers of another day begin. */
  dueAt: TimestampMs = never;
  private current: TierDay | null = null;
  private tokens = new Map<AccountId, bigint>();
  /** By master account, holes as `null`. */
  private readonly byMaster: (AccountFeeTier | null)[] = [];

  /** Whether volume is counted. */
  get isOn(): boolean {
    return this.table !== null;
  }

  /** The tier of a master account; `null`: none. */
  of(master: number): AccountFeeTier | null {
    return master < this.byMaster.length ? this.byMaster[master]! : null;
  }

  /** The day whose tiers hold or are being assigned; `null`: none yet. */
  get day(): TierDay | null {
    return this.current;
  }

  /** Tokens that counted for a master at the last midnight. */
  tokensOf(master: AccountId): bigint {
    return this.tokens.get(master) ?? 0n;
  }

  /** Sets the tiers that hold from the next midnight on. */
  set(tiers: FeeTierTable, nextMidnight: TimestampMs): void {
    this.table = tiers;
    this.dueAt = nextMidnight;
  }

  /** From now on nobody is in a tier. */
  clear(): void {
    this.table = null;
    this.dueAt = never;
    this.current = null;
    this.tokens.clear();
    this.byMaster.length = 0;
  }

  begin(day: TierDay, nextMidnight: TimestampMs): void {
    this.current = day;
    this.tokens = new Map(day.tokens.map(({ account, amount: owned }) => [account, owned]));
    this.dueAt = nextMidnight;
  }

  /** Accounts before `next` have the tiers of the day. */
  goOn(next: AccountId | null): void {
    this.current = { ...this.current!, next };
  }

  assign(account: AccountId, tier: AccountFeeTier | null): void {
    while (this.byMaster.length <= account && tier !== null) this.byMaster.push(null);
    if (account < this.byMaster.length) this.byMaster[account] = tier;
  }

  write(writer: ByteWriter): void {
    table.write(writer, this.table);
    writer.varint(this.dueAt);
    days.write(writer, this.current);
    assigned.write(
      writer,
      this.byMaster.filter((each) => each !== null),
    );
  }

  read(reader: ByteReader): void {
    this.table = table.read(reader);
    const dueAt = as<TimestampMs>(reader.varint());
    const day = days.read(reader);
    if (day !== null) this.begin(day, dueAt);
    this.dueAt = dueAt;
    for (const each of assigned.read(reader)) this.assign(each.account, each);
  }

  audit(faults: string[]): void {
    for (const [master, each] of this.byMaster.entries())
      if (each !== null && each.account !== master) faults.push(`account ${master} has the tier of ${each.account}`);
  }
}
