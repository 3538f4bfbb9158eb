import { futuresWalletOf } from '#domain/account.ts';
import type { AccountId, AssetId } from '#domain/units.ts';
import { crossPositions, unrealisedProfit } from '#engine/contracts/equity.ts';
import { freeOf } from '#engine/wallet/existing.ts';
import type { EngineState } from '#engine/state.ts';

/**
 * What an account may take out of its futures wallet or order with: what is free there, less what its cross positions
 * that are settled in this asset lose together at their fair prices. Never below zero. DEC-FUT-51.
 */
export function freeMargin(state: EngineState, account: AccountId, asset: AssetId): bigint {
  const free = freeOf(state, futuresWalletOf(account), asset);
  let profit = 0n;
  for (const position of crossPositions(state, account, asset)) profit += unrealisedProfit(state, position);
  const left = profit < 0n ? free + profit : free;
  return left > 0n ? left : 0n;
}
