import { dayMs } from '#base/calendar.ts';
import { isPpm } from '#base/whole-numbers.ts';
import { amount, integer, list, nullable, record, time, type ValueOf } from '#model/codec/field-codec.ts';
import { engineLimits } from '#model/limits.ts';
import { type AccountId, as, type AssetId, type TimestampMs } from '#model/units.ts';

/** What an account must trade or have, and the commission that it pays then. DEC-OPR-210. */
export const feeTier = record({
  /** Traded within 30 days, in smallest units of what the table is valued in; `null`: volume does not lead here. */
  volume: nullable(amount()),
  /** Owned of the platform token, in smallest units; `null`: no balance leads here. */
  tokens: nullable(record({ asset: integer<AssetId>(), amount: amount() })),
  makerFeePpm: integer(),
  takerFeePpm: integer(),
});
export type FeeTier = ValueOf<typeof feeTier>;

/** All tiers, the lowest first, and the asset that volume is valued in. */
export const feeTierTable = record({
  valuedIn: integer<AssetId>(),
  tiers: list(feeTier),
});
export type FeeTierTable = ValueOf<typeof feeTierTable>;

/** The tier of a master account and its sub-accounts, as it was assigned. */
export const accountFeeTier = record({
  account: integer<AccountId>(),
  /** From 1, the lowest. */
  tier: integer(),
  makerFeePpm: integer(),
  takerFeePpm: integer(),
  /** The midnight from which on it is in this tier. */
  since: time(),
});
export type AccountFeeTier = ValueOf<typeof accountFeeTier>;

/** What happened to fee tiers. */
export type FeeTierFact =
  | { readonly kind: 'feeTiersSet'; readonly table: FeeTierTable | null }
  | {
      readonly kind: 'feeTierChanged';
      readonly account: AccountId;
      readonly tier: AccountFeeTier | null;
    }
  /** Accounts before `next` have the tiers of the day; `null`: all have. */
  | { readonly kind: 'feeTiersAssigned'; readonly day: TimestampMs; readonly next: AccountId | null };

/** Days whose volume counts for a tier. */
export const feeTierDays = 30;

/** The midnight, UTC, that begins the day of a moment. */
export const feeTierDayOf = (at: TimestampMs): TimestampMs => as<TimestampMs>(at - (at % dayMs));

/** What is wrong with a table of tiers. */
export interface FeeTierFault {
  readonly tier: number;
  readonly member: keyof FeeTier;
  /** What it must be: a clause. */
  readonly detail: string;
}

/** The first fault of tiers, whoever asks for them; `null`: they can be set. `index` counts from 0. DEC-OPR-210. */
export function feeTierFault(tiers: readonly FeeTier[], token: AssetId | null): FeeTierFault | null {
  let volume = -1n;
  let tokens = -1n;
  let cheapest = { makerFeePpm: Number.POSITIVE_INFINITY, takerFeePpm: Number.POSITIVE_INFINITY };
  for (const [tier, each] of tiers.entries()) {
    const fault = (member: keyof FeeTier, detail: string): FeeTierFault => ({ tier, member, detail });
    if (each.volume === null && each.tokens === null)
      return fault('volume', 'must be given, or tokens: one of them leads to a tier');
    if (each.volume !== null && each.volume <= volume)
      return fault('volume', 'must not be below zero, and above that of every lower tier');
    if (each.tokens !== null && each.tokens.asset !== token) return fault('tokens', 'must be of the platform token');
    if (each.tokens !== null && each.tokens.amount <= lowestOf(tokens))
      return fault('tokens', 'must be above zero, and above those of every lower tier');
    for (const member of ['makerFeePpm', 'takerFeePpm'] as const)
      if (!isPpm(each[member]) || each[member] > cheapest[member])
        return fault(member, 'must be 0 to 1000000, and not above that of a lower tier');
    volume = each.volume ?? volume;
    tokens = each.tokens?.amount ?? tokens;
    cheapest = each;
  }
  return tiers.length > engineLimits.feeTiers
    ? { tier: engineLimits.feeTiers, member: 'volume', detail: `cannot be: there are at most ${engineLimits.feeTiers}` }
    : null;
}

/** A balance of nothing leads nowhere. */
const lowestOf = (tokens: bigint): bigint => (tokens > 0n ? tokens : 0n);

/** The highest tier that volume or tokens lead to, from 1; 0: none. DEC-OPR-211. */
export function reachedTier(tiers: readonly FeeTier[], volume: bigint, tokens: bigint): number {
  const reached = tiers.findLastIndex(
    (tier) => (tier.volume !== null && volume >= tier.volume) || (tier.tokens !== null && tokens >= tier.tokens.amount),
  );
  return reached + 1;
}
