import type { walletCoinEndpoints } from '#public-api/wallet/coin-endpoints.ts';
import type { AssetRules } from '#model/asset.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

const networkEntry = (asset: AssetRules, network: AssetNetwork) => ({
  coin: asset.code,
  name: asset.fullName,
  network: network.label,
  netWork: network.network,
  depositEnable: network.depositEnabled,
  withdrawEnable: network.withdrawEnabled,
  withdrawFee: amountText(asset, network.withdrawFee),
  withdrawMax: amountText(asset, network.withdrawMax),
  withdrawMin: amountText(asset, network.withdrawMin),
  minConfirm: network.minConfirm,
  depositDesc: network.depositDesc,
  withdrawIntegerMultiple: amountText(asset, network.withdrawStep),
  sameAddress: network.sharesAddress,
  contract: network.contract,
  withdrawTips: network.withdrawTips,
  depositTips: network.depositTips,
});

type NetworkEntry = ReturnType<typeof networkEntry>;

/** Handlers of assets and their networks. SPEC-WAL-01, SPEC-WAL-02. */
export function walletCoinHandlers(
  { queries }: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof walletCoinEndpoints> {
  return {
    coinConfiguration: async () => {
      const listed = directory.assets.map((asset) => ({ asset, networkList: [] as NetworkEntry[] }));
      for (const network of await queries.wallet.networks()) {
        const entry = listed[network.asset];
        entry?.networkList.push(networkEntry(entry.asset, network));
      }
      const shown = listed.filter(({ asset }) => !asset.isDelisted);
      return shown.map(({ asset, networkList }) => ({ coin: asset.code, name: asset.fullName, networkList }));
    },
  };
}
