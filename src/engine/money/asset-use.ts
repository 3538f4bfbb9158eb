import type { AssetId } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Whether anything of an asset is in the exchange or on its way: a balance of an account, of the house or of the
 * outside, free or held, or a deposit of which there is a record. Open withdrawals and orders hold balances. One pass
 * over the balances. DEC-OPR-270.
 */
export function isInUse({ ledger: { balances }, deposits }: EngineState, asset: AssetId): boolean {
  for (let row = 0; row < balances.count; row += 1) {
    const isNone = balances.free.amount(row) === 0 && balances.held.amount(row) === 0;
    if (balances.assetOf(row) === asset && !isNone) return true;
  }
  return deposits.all().some((deposit) => deposit.asset === asset);
}
