import type { NetworkStatus, WalletHolding } from '#custody/custody.ts';
import type { EvmKeys } from '#custody/evm/keys.ts';
import type { EvmNode } from '#custody/evm/node.ts';
import type { EvmSettings } from '#custody/evm/settings.ts';

/** What the status of a chain is read with. */
export interface StatusTools {
  readonly node: EvmNode;
  readonly keys: EvmKeys;
  readonly settings: EvmSettings;
}

/**
 * The newest block, and after it what the hot wallet has of the native coin and of `contracts`, and the gas wallet of
 * the native coin. A token whose contract tells no balance is left out: the others are still known.
 */
export async function networkStatus(
  { node, keys, settings }: StatusTools,
  contracts: readonly string[],
): Promise<NetworkStatus> {
  const { number: height, timestamp } = await node.head();
  const head = { height, at: timestamp === null ? null : timestamp * 1000 };
  if (keys.spending === null) return { head, wallets: [] };
  const { hotWallet, gasWallet } = keys.spending;
  const { nativeCoin, tokens } = settings;
  const [hot, gas] = await node.balances([hotWallet.address, gasWallet.address], height);
  const amounts = await node.balancesOf(hotWallet.address, contracts, height);
  const floorOf = (contract: string): bigint | null =>
    tokens.find((token) => token.contract.toLowerCase() === contract.toLowerCase())?.hotFloor ?? null;
  return {
    head,
    wallets: [
      { wallet: 'hot', contract: null, amount: hot!, floor: nativeCoin.hotFloor ?? null },
      { wallet: 'gas', contract: null, amount: gas!, floor: nativeCoin.gasFloor ?? null },
      ...contracts.flatMap((contract, index): WalletHolding[] => {
        const amount = amounts[index] ?? null;
        return amount === null ? [] : [{ wallet: 'hot', contract, amount, floor: floorOf(contract) }];
      }),
    ],
  };
}
