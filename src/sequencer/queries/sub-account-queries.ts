import type { CommandOf } from '#model/command.ts';
import { as, type AccountId, type AssetId, type Balance } from '#model/units.ts';
import type { WalletKind } from '#model/wallet.ts';
import { refusalOfOpening } from '#engine/accounts/sub-account-commands.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import type { EngineState } from '#engine/state/state.ts';
import { transferableOf } from '#engine/wallet/transferable.ts';

/** Which sub-accounts of a master, in the order in which they were opened. */
interface SubAccountPage {
  /** Only the one with this name. */
  readonly name?: string | undefined;
  /** Only frozen ones, or only others. */
  readonly isFrozen?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Questions about sub-accounts; see `exchangeQueries`. A name is found under its master only. */
export function subAccountQueries({ state }: StateMachine) {
  const { subAccounts } = state;
  return {
    /** With the total that the page is of. */
    page: async (master: AccountId, asked: SubAccountPage) => pageOf(state, master, asked),
    /** All of a master, in the order in which they were opened. */
    accountsOf: async (master: AccountId) => [...subAccounts.ofMaster(master)],
    /** By its name; `null` for one of another master. */
    named: async (master: AccountId, name: string) => subAccounts.named(master, name),
    /** `null` for an account that is no sub-account, or was opened without a name of its own. */
    of: async (account: AccountId) => subAccounts.of(account),
    /** Why a sub-account could not be opened now; `null`: it could. */
    refusalOfOpening: async (command: CommandOf<'openSubAccount'>) => refusalOfOpening(state, command),
    /** What a wallet of an account may give to a transfer now: of futures the free margin. */
    transferable: async (account: AccountId, wallet: WalletKind, asset: AssetId) =>
      as<Balance>(transferableOf(state, account, wallet, asset)),
  };
}

/** The query port of sub-accounts. */
export type SubAccountQueries = Readonly<ReturnType<typeof subAccountQueries>>;

/** Without a filter it costs what the page has, however many there are. */
function pageOf(state: EngineState, master: AccountId, { name, isFrozen, offset, limit }: SubAccountPage) {
  const { accounts, subAccounts } = state;
  const ofName = name === undefined ? null : subAccounts.named(master, name);
  const candidates = name === undefined ? subAccounts.ofMaster(master) : ofName === null ? [] : [ofName.account];
  const matching =
    isFrozen === undefined
      ? candidates
      : candidates.filter((account) => ['frozen', 'closed'].includes(accounts.statusOf(account)) === isFrozen);
  const items = matching.slice(offset, offset + limit).map((account) => subAccounts.of(account)!);
  return { items, total: matching.length };
}
