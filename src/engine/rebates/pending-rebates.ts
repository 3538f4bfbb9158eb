import { type AccountId, type Amount, type AssetId, type Balance, type TimestampMs, sumOf } from '#model/units.ts';
import { writeBeneficiaries } from '#engine/rebates/commission-source.ts';
import type { EngineState } from '#engine/state/state.ts';

/** What accrued for a beneficiary on a day from one source in one asset. */
interface Pending {
  readonly day: TimestampMs;
  readonly beneficiary: AccountId;
  readonly source: AccountId;
  readonly asset: AssetId;
  readonly amount: Balance;
}

/**
 * What accrued for a beneficiary and a rejection could still take back: oldest day first, then by source and asset, at
 * most `limit`. It visits all records of the days that it tells of.
 */
export function pendingRebatesOf(state: EngineState, beneficiary: AccountId, limit: number): readonly Pending[] {
  const { rebateAccruals, accounts } = state;
  const beneficiaries: AccountId[] = [];
  let all: readonly Pending[] = [];
  for (const day of rebateAccruals.daysPending()) {
    if (all.length >= limit) break;
    const ofDay: Pending[] = [];
    for (const { source, asset, amounts } of rebateAccruals.ofDay(day)) {
      writeBeneficiaries(beneficiaries, accounts, source);
      const share = amounts.reduce<Amount>(
        (sum, amount, share) => (beneficiaries[share] === beneficiary ? sumOf(sum, amount) : sum),
        0,
      );
      if (share > 0) ofDay.push({ day, beneficiary, source, asset, amount: BigInt(share) as Balance });
    }
    all = all.concat(ofDay.sort((first, second) => first.source - second.source || first.asset - second.asset));
  }
  return all.slice(0, limit);
}
