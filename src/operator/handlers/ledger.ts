import { futuresWalletOf, innerHouse } from '#domain/account.ts';
import type { AccountId } from '#domain/units.ts';
import type { TrialBalance } from '#ingress/wallet-queries.ts';
import { amountText, readPositiveAmount } from '#operator/amounts.ts';
import type { ledgerEndpoints } from '#operator/endpoints/ledger.ts';
import { accountOfUid } from '#operator/find-account.ts';
import type { HandlersOf } from '#operator/handlers/handlers.ts';
import { type ListedAssets, listedAssets } from '#operator/listed-assets.ts';
import type { OperatorContext } from '#operator/operator-context.ts';

/** Name of the house account of the outside world. */
const outsideName = 'outside';

function shownTrial(assets: ListedAssets, { asset: id, users, futures, house }: TrialBalance) {
  const asset = assets.at(id);
  const sum = house.reduce((total, { balance }) => total + balance, users + futures);
  const outside = house.find(({ name }) => name === outsideName)?.balance ?? 0n;
  return {
    asset: asset.code,
    users: amountText(users, asset),
    futures: amountText(futures, asset),
    house: house
      .filter(({ name }) => name !== outsideName)
      .map(({ name, balance }) => ({ account: name, balance: amountText(balance, asset) })),
    outside: amountText(outside, asset),
    sum: amountText(sum, asset),
  };
}

/** Handlers of the ledger. */
export function ledgerHandlers({ queries }: OperatorContext): HandlersOf<typeof ledgerEndpoints> {
  const balancesOf = async (assets: ListedAssets, account: AccountId) =>
    (await queries.balances(account)).map(({ asset: id, free, held }) => {
      const asset = assets.at(id);
      return { asset: asset.code, free: amountText(free, asset), held: amountText(held, asset) };
    });
  return {
    getBalances: async ({ path }) => {
      const { uid, account } = await accountOfUid(queries, path.uid);
      const assets = await listedAssets(queries);
      return {
        uid,
        spot: await balancesOf(assets, account),
        futures: await balancesOf(assets, futuresWalletOf(account)),
      };
    },
    getTrialBalance: async () => {
      const assets = await listedAssets(queries);
      return { items: (await queries.wallet.trialBalance()).map((each) => shownTrial(assets, each)) };
    },
    fundHouseAccount: async ({ path, body, act }) => {
      const asset = (await listedAssets(queries)).ofBody(body.asset, '/asset');
      const account = innerHouse[path.account];
      const amount = readPositiveAmount(body.amount, asset, '/amount');
      await act({ kind: 'creditFunds', account, asset: asset.id, amount });
      const balance = await queries.houseBalance(account, asset.id);
      return { account: path.account, asset: asset.code, balance: amountText(BigInt(balance), asset) };
    },
  };
}
