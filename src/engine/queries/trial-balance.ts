import { houseNames, ledgerSections } from '#model/account.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Sums of one asset over the ledger, free and held; together they are zero. */
interface AssetSums {
  readonly asset: AssetId;
  readonly users: Balance;
  readonly futures: Balance;
  /** Accounts of the house that have a balance, in the order of their ids. */
  readonly house: readonly { readonly name: string; readonly balance: Balance }[];
}

/** Sums of every asset over all ledger accounts, in one pass over the balances. I1. */
export function trialBalance(state: EngineState): AssetSums[] {
  const { balances } = state.ledger;
  const users = state.assets.map(() => 0n);
  const futures = state.assets.map(() => 0n);
  const house = state.assets.map(() => new Map<AccountId, bigint>());
  for (let row = 0; row < balances.count; row += 1) {
    const account = balances.accountOf(row) as AccountId;
    const asset = balances.assetOf(row);
    const balance = balances.free.get(row) + balances.held.get(row);
    if (houseNames.has(account)) house[asset]!.set(account, balance);
    else if (account >= ledgerSections.futuresFrom) futures[asset]! += balance;
    else users[asset]! += balance;
  }
  return state.assets.map(({ id }) => ({
    asset: id,
    users: users[id] as Balance,
    futures: futures[id] as Balance,
    house: [...house[id]!]
      .sort(([first], [second]) => first - second)
      .filter(([, balance]) => balance !== 0n)
      .map(([account, balance]) => ({ name: houseNames.get(account)!, balance: balance as Balance })),
  }));
}
