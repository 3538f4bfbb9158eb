import type { AccountId, AssetId } from '#model/units.ts';
import type { WalletRules } from '#model/wallet.ts';
import { balanceBands } from '#http/words.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { type SymbolDirectory, quotePerTickLot } from '#market-data/symbol-directory.ts';

/** Where the bands but the last end, in whole USDT. The first ends before its bound, the others hold theirs. */
const bounds = [1, 1000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000] as const;

/** The band of an amount of an asset with `scale` decimals. DEC-SUB-28, DEC-SUB-67. */
export function balanceBandOf(worth: bigint, scale: number): (typeof balanceBands)[number] {
  const coin = 10n ** BigInt(scale);
  const index = bounds.findIndex((bound, place) => {
    const end = BigInt(bound) * coin;
    return place === 0 ? worth < end : worth <= end;
  });
  return balanceBands[index < 0 ? bounds.length : index] as (typeof balanceBands)[number];
}

/** Tells what accounts and their sub-accounts own now, both wallets, in units of what the wallet is valued in. */
export function worthOf(
  { queries, market }: GatewayContext,
  directory: SymbolDirectory,
  { valuedIn, transferable }: WalletRules,
): (account: AccountId) => Promise<bigint> {
  const pairs = new Map(
    directory.symbols.filter(({ rules }) => rules.quote === valuedIn).map((pair) => [pair.rules.base, pair]),
  );
  const valueIn = (asset: AssetId, amount: bigint): bigint => {
    if (asset === valuedIn) return amount;
    const pair = pairs.get(asset);
    const price = pair === undefined ? null : market.lastPrice(pair.rules.id);
    if (pair === undefined || price === null) return 0n;
    const perLot = 10n ** BigInt(pair.base.scale - pair.rules.quantityDecimals);
    return (amount * BigInt(price) * quotePerTickLot(pair)) / perLot;
  };
  const worthOfOne = async (account: AccountId): Promise<bigint> => {
    const [spot, futures] = await Promise.all([
      queries.balances(account),
      Promise.all(transferable.map((asset) => queries.subAccounts.transferable(account, 'futures', asset))),
    ]);
    const inSpot = spot.map(({ asset, free, held }) => valueIn(asset, free + held));
    const inFutures = transferable.map((asset, index) => valueIn(asset, futures[index] ?? 0n));
    return [...inSpot, ...inFutures].reduce((sum, value) => sum + value, 0n);
  };
  return async (account) => {
    const own = await Promise.all([account, ...(await queries.subAccounts.accountsOf(account))].map(worthOfOne));
    return own.reduce((sum, worth) => sum + worth, 0n);
  };
}
