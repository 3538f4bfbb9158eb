import type { CommandOf } from '#model/command.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { SubAccountView } from '#model/sub-account.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';

/** Which sub-accounts of a master, in the order in which they were opened. */
export interface SubAccountPage {
  /** Only the one with this name. */
  readonly name?: string | undefined;
  /** Only frozen ones, or only others. */
  readonly isFrozen?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Questions about sub-accounts; see `ExchangeQueries`. A name is looked up under its master only. */
export interface SubAccountQueries {
  /** With the total that the page is of. */
  page(
    master: AccountId,
    asked: SubAccountPage,
  ): Promise<{ readonly items: readonly SubAccountView[]; readonly total: number }>;
  /** All of a master, in the order in which they were opened. */
  accountsOf(master: AccountId): Promise<readonly AccountId[]>;
  /** By its name; `null` for one of another master. */
  named(master: AccountId, name: string): Promise<SubAccountView | null>;
  /** `null` for an account that is no sub-account, or was opened without a name of its own. */
  of(account: AccountId): Promise<SubAccountView | null>;
  /** Why a sub-account could not be opened now; `null`: it could. */
  refusalOfOpening(command: CommandOf<'openSubAccount'>): Promise<RejectReason | null>;
  /** What a wallet of an account may give to a transfer now: of futures the free margin. */
  transferable(account: AccountId, wallet: 'spot' | 'futures', asset: AssetId): Promise<Balance>;
}
