import { house } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import type { RebatePayout } from '#model/rebate.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { toAmount } from '#model/units.ts';
import { writeBeneficiaries } from '#engine/rebates/commission-source.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * A part of the settlement of a day: gathers what accrued into what is owed, and once nothing is left of that, pays it
 * in the order of beneficiary and asset. Takes up as many records as one command may; returns what it paid. DEC-SUB-21,
 * DEC-SUB-40.
 */
export function settlePart(state: EngineState, day: TimestampMs): readonly RebatePayout[] {
  const left = engineLimits.rebatesPerSettlement - gather(state, day, engineLimits.rebatesPerSettlement);
  return state.rebateAccruals.hasAny(day) ? [] : payOwed(state, day, left);
}

/** Moves at most `most` accruals of a day to what is owed; returns how many. */
function gather({ rebateAccruals, accounts }: EngineState, day: TimestampMs, most: number): number {
  const beneficiaries: AccountId[] = [];
  let count = 0;
  // stored order: in which the records came to be
  for (const accrued of rebateAccruals.ofDay(day)) {
    if (count === most) break;
    writeBeneficiaries(beneficiaries, accounts, accrued.source);
    accrued.amounts.forEach((amount, share) => {
      if (amount > 0) rebateAccruals.owed.add(day, beneficiaries[share]!, accrued.asset, amount);
    });
    rebateAccruals.remove(day, accrued);
    count += 1;
  }
  return count;
}

function payOwed(state: EngineState, day: TimestampMs, most: number): readonly RebatePayout[] {
  const { owed } = state.rebateAccruals;
  const payouts: RebatePayout[] = [];
  while (payouts.length < most && owed.day === day) {
    const payout = owed.takeNext()!;
    state.ledger.move(house.rebates, payout.beneficiary, payout.asset, toAmount(payout.amount), 'rebate');
    payouts.push(payout);
  }
  return payouts;
}
