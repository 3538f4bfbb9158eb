import { futuresWalletOf } from '#model/account.ts';
import type { Seq, TimestampMs, Uid } from '#model/units.ts';
import { balancesOf } from '#engine/queries/engine-queries.ts';
import type { EngineState } from '#engine/state/state.ts';

/** What every account owns at one entry. */
export interface Liabilities {
  readonly seq: Seq;
  readonly at: TimestampMs;
  /** Accounts that own something, each with its sums over both wallets, free and held, by asset code. */
  readonly accounts: readonly { readonly uid: Uid; readonly balances: ReadonlyMap<string, bigint> }[];
}

/** What the exchange owes all accounts. */
export function liabilitiesOf(state: EngineState): Liabilities {
  const accounts = state.accounts.all().map(({ account, uid }) => {
    const balances = new Map<string, bigint>();
    for (const wallet of [account, futuresWalletOf(account)]) {
      for (const { asset, free, held } of balancesOf(state, wallet)) {
        const { code } = state.assets.at(asset);
        balances.set(code, (balances.get(code) ?? 0n) + free + held);
      }
    }
    return { uid, balances };
  });
  return { seq: state.progress.seq, at: state.at, accounts: accounts.filter(({ balances }) => balances.size > 0) };
}
