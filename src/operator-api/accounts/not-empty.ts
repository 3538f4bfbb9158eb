import { formatDecimal } from '#base/decimal.ts';
import type { AccountId } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { uidOf } from '#operator-api/accounts/find-account.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { listedAssets } from '#operator-api/wallet/listed-assets.ts';

/** Things of a kind that the detail names at most; it counts the others. */
const namedMax = 20;

/** Names of some things, and how many more there are. */
function named(what: string, names: readonly (string | number)[]): readonly string[] {
  if (names.length === 0) return [];
  const further = names.length > namedMax ? ` and ${names.length - namedMax} more` : '';
  return [`${what} ${names.slice(0, namedMax).join(', ')}${further}`];
}

/** The problem of an account that cannot be closed, with what is left in words. DEC-OPR-235. */
export async function notEmpty(queries: ExchangeQueries, account: AccountId): Promise<Problem> {
  const remains = await queries.support.remainsOf(account);
  const { balances, openOrders, positions, withdrawals, deposits, hasRebates, subAccounts } = remains;
  const assets = await listedAssets(queries);
  const contracts = (await queries.listing()).contracts ?? [];
  const inWallets = balances.map(({ wallet, asset, amount }) => {
    const { code, scale } = assets.at(asset);
    return `${formatDecimal(amount, scale)} ${code} (${wallet})`;
  });
  const uids = await Promise.all(subAccounts.map((each) => uidOf(queries, each)));
  const contractName = (id: number): string => contracts.find((rules) => rules.id === id)?.name ?? String(id);
  const left = [
    ...named('balances:', inWallets),
    ...(openOrders === 0 ? [] : [`open orders: ${openOrders}`]),
    ...named('positions:', positions.map(contractName)),
    ...(withdrawals === 0 ? [] : [`withdrawals in progress: ${withdrawals}`]),
    ...named('deposits that are not final:', deposits),
    ...(hasRebates ? ['rebates that are not settled'] : []),
    ...named('open sub-accounts:', uids.map(String)),
  ];
  return new Problem('accountNotEmpty', { detail: `Left: ${left.join('; ')}.` });
}
