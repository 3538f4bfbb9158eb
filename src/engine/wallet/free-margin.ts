import { futuresWalletOf } from '#domain/account.ts';
import type { AccountId, AssetId } from '#domain/units.ts';
import { freeOf } from '#engine/wallet/existing.ts';
import type { EngineState } from '#engine/state.ts';

/** What an account may take out of its futures wallet: all that is free there, since no position needs margin. */
export const freeMargin = (state: EngineState, account: AccountId, asset: AssetId): bigint =>
  freeOf(state, futuresWalletOf(account), asset);
