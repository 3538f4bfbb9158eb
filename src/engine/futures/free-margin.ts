import { futuresWalletOf } from '#model/account.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import { crossPositions, unrealisedLoss } from '#engine/futures/equity.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * What an account may take out of its futures wallet or order with: what is free there, less what those of its cross
 * positions that are settled in this asset lose, each at the worse of fair price and index. What others win pays for
 * nothing. Never below zero. DEC-FUT-51.
 */
export function freeMargin(state: EngineState, account: AccountId, asset: AssetId): bigint {
  let left = freeOf(state, futuresWalletOf(account), asset);
  for (const position of crossPositions(state, account, asset)) left -= unrealisedLoss(state, position);
  return left > 0n ? left : 0n;
}
