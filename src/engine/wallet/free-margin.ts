import { futuresWalletOf } from '#domain/account.ts';
import type { AccountId, AssetId } from '#domain/units.ts';
import { crossPositions, unrealisedLoss } from '#engine/contracts/equity.ts';
import { freeOf } from '#engine/wallet/existing.ts';
import type { EngineState } from '#engine/state.ts';

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
