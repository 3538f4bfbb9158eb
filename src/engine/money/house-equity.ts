import { house, innerHouse } from '#model/account.ts';
import type { AssetId } from '#model/units.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import type { EngineState } from '#engine/state/state.ts';

/** House accounts whose money is owed to nobody, with those that tell what the house spent. DEC-OPR-182. */
const ownAccounts = [
  house.fees,
  house.rounding,
  innerHouse.dust,
  innerHouse.capital,
  innerHouse.gas,
  innerHouse.chainLosses,
  innerHouse.adjustments,
  innerHouse.grants,
] as const;

/**
 * What the house owns of an asset after all that it owes: of what custody should have, that which is no user's. Below
 * zero the exchange owes more than it has. DEC-OPR-182.
 */
export const houseEquity = (state: EngineState, asset: AssetId): bigint =>
  ownAccounts.reduce((sum, account) => sum + freeOf(state, account, asset), 0n);
