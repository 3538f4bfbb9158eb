import { house } from '#model/account.ts';
import type { AssetAmount } from '#model/rebate.ts';
import { type AccountId, type Amount, type AssetId, type TimestampMs, sumOf } from '#model/units.ts';
import type { Accrued } from '#engine/state/rebates/rebate-accruals.ts';
import { writeBeneficiaries } from '#engine/rebates/commission-source.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Whose rebates of which day are given back; `source` null: from every source. */
export interface RejectedRebates {
  readonly beneficiary: AccountId;
  readonly source: AccountId | null;
  readonly day: TimestampMs;
}

/**
 * Gives what accrued of a day for a beneficiary, and was not gathered yet, back to the house's fees. Returns sums by
 * asset, in the order of assets; none if there was nothing. Without a source it visits all records of that day.
 * DEC-SUB-41.
 */
export function rejectDay(state: EngineState, rejected: RejectedRebates): readonly AssetAmount[] {
  const { beneficiary, day } = rejected;
  const beneficiaries: AccountId[] = [];
  const sums = new Map<AssetId, Amount>();
  for (const accrued of accruedOf(state, rejected)) {
    writeBeneficiaries(beneficiaries, state.accounts, accrued.source);
    accrued.amounts.forEach((amount, share) => {
      if (amount === 0 || beneficiaries[share] !== beneficiary) return;
      sums.set(accrued.asset, sumOf(sums.get(accrued.asset) ?? 0, amount));
      accrued.amounts[share] = 0;
    });
    if (accrued.amounts.every((amount) => amount === 0)) state.rebateAccruals.remove(day, accrued);
  }
  const amounts = [...sums]
    .sort(([first], [second]) => first - second)
    .map(([asset, amount]): AssetAmount => ({ asset, amount }));
  for (const { asset, amount } of amounts) state.ledger.move(house.rebates, house.fees, asset, amount, 'rebate');
  return amounts;
}

function accruedOf({ rebateAccruals, assets }: EngineState, { source, day }: RejectedRebates): Iterable<Accrued> {
  if (source === null) return rebateAccruals.ofDay(day);
  return assets.all().flatMap(({ id }) => rebateAccruals.find(day, source, id) ?? []);
}
