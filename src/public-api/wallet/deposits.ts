import type { walletDepositEndpoints } from '#public-api/wallet/deposit-endpoints.ts';
import type { AssetRules } from '#model/asset.ts';
import type { WalletIds } from '#model/wallet-id.ts';
import { wireLimits } from '#http/limits.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { addressesOf, type AssetAddress, makeAddress } from '#public-api/wallet/asset-addresses.ts';
import type { DepositAddressSource } from '#public-api/wallet/deposit-address-source.ts';
import { depositPage, depositTerms, ownDeposits, type Shown } from '#public-api/wallet/deposit-pages.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { awaitHistory, windowOf } from '#public-api/history/history-reads.ts';
import { filterAsset, type NetworkNames, networkNames } from '#public-api/wallet/wallet-parameters.ts';
import type { DepositRow } from '#history/tables/wallet-tables.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

const { wallet: limits } = wireLimits;

/** An address of an account, as one of an asset. */
const addressEntry = ({ asset, label, address: { network, address, memo } }: AssetAddress) => ({
  coin: asset.code,
  network: label,
  netWork: network,
  address,
  memo,
});

/** A deposit as its account sees it. Its tag and its memo are one. SPEC-WAL-24. */
const depositEntry = (ids: WalletIds, asset: AssetRules, nameOf: NetworkNames, row: Shown<DepositRow>) => ({
  ...depositTerms(ids, asset, nameOf, row),
  addressTag: row.memo,
  insertTime: row.insertedAt,
  memo: row.memo,
});

/** Handlers of deposit addresses and of deposits. `source`: one for all handlers. */
export function walletDepositHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
  source: DepositAddressSource,
): HandlersOf<typeof walletDepositEndpoints> {
  const { history, settings, walletIds } = context;
  return {
    createDepositAddress: async ({ coin, network }, caller, request) => {
      const made = await makeAddress({ context, directory, source }, { coin, network }, caller, request);
      const entry = addressEntry(made);
      return settings.modelHabits ? entry : [entry];
    },
    depositAddresses: async ({ coin, network }, caller) =>
      (await addressesOf(context, directory, { coin, network }, caller)).map(addressEntry),
    deposits: async ({ coin, status: statuses, startTime, endTime, limit }, caller) => {
      const where = { account: caller.account.account, ...filterAsset(directory, coin) };
      const now = await awaitHistory(context);
      const { historyWindowDefaultMs: defaultMs, historyReachMs: reachMs } = limits;
      const window = windowOf({ startTime, endTime, defaultMs, reachMs }, now);
      const rows = await depositPage(ownDeposits(history, where, window), { statuses, limit });
      const nameOf = await networkNames(context);
      return rows.map((row) => depositEntry(walletIds, directory.asset(row.asset), nameOf, row));
    },
  };
}
