import { futuresWalletOf } from '#model/account.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import type { WalletKind } from '#model/wallet.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import type { EngineState } from '#engine/state/state.ts';
import { freeMargin } from '#engine/futures/equity.ts';

/** The ledger account of a wallet. */
export const walletOf = (account: AccountId, kind: WalletKind): AccountId =>
  kind === 'spot' ? account : futuresWalletOf(account);

/** What a wallet can give to a transfer now: what is free in it, of futures the free margin. DEC-WAL-05. */
export const transferableOf = (state: EngineState, account: AccountId, kind: WalletKind, asset: AssetId): bigint =>
  kind === 'spot' ? freeOf(state, account, asset) : freeMargin(state, account, asset);

/** Whether money may go to this wallet: to that of futures only where they are enabled. DEC-SUB-17. */
export const isWalletEnabled = ({ subAccounts }: EngineState, account: AccountId, kind: WalletKind): boolean =>
  kind === 'spot' || (subAccounts.of(account)?.isFuturesEnabled ?? true);
