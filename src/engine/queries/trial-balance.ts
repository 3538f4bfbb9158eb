import { houseNames, ledgerSections } from '#model/account.ts';
import type { AccountId, Amount, AssetId, Balance } from '#model/units.ts';
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
  const users = state.assets.all().map(() => 0n);
  const futures = state.assets.all().map(() => 0n);
  const house = state.assets.all().map(() => new Map<AccountId, bigint>());
  for (let row = 0; row < balances.count; row += 1) {
    const account = balances.accountOf(row) as AccountId;
    const asset = balances.assetOf(row);
    const balance = balances.free.get(row) + balances.held.get(row);
    if (houseNames.has(account)) house[asset]!.set(account, balance);
    else if (account >= ledgerSections.futuresFrom) futures[asset]! += balance;
    else users[asset]! += balance;
  }
  return state.assets.all().map(({ id }) => ({
    asset: id,
    users: users[id] as Balance,
    futures: futures[id] as Balance,
    house: [...house[id]!]
      .sort(([first], [second]) => first - second)
      .filter(([, balance]) => balance !== 0n)
      .map(([account, balance]) => ({ name: houseNames.get(account)!, balance: balance as Balance })),
  }));
}

/** Assets whose balances do not sum to zero, in one pass over the balances. There are none while all is well. I1. */
export function unbalancedAssets(state: EngineState): AssetId[] {
  const { balances } = state.ledger;
  const sums = state.assets.all().map(() => 0n);
  // Safe integers are added up as such, and to the sum when they come near the end of that: most additions are cheap.
  const near = state.assets.all().map(() => 0);
  const add = (asset: number, amount: Amount): void => {
    const sum = typeof amount === 'number' ? near[asset]! + amount : Number.NaN;
    if (Number.isSafeInteger(sum)) near[asset] = sum;
    else {
      sums[asset]! += BigInt(near[asset]!) + BigInt(amount);
      near[asset] = 0;
    }
  };
  for (let row = 0; row < balances.count; row += 1) {
    add(balances.assetOf(row), balances.free.amount(row));
    add(balances.assetOf(row), balances.held.amount(row));
  }
  return state.assets.all().flatMap(({ id }) => (sums[id]! + BigInt(near[id]!) === 0n ? [] : [id]));
}
