import { describe, expect, test } from 'vitest';
import type { NetworkCustody } from '#custody/custody.ts';
import { createWatchOnlyCustody } from '#custody/watch-only.ts';
import type { AssetNetwork, ChainProgress, DepositAddress } from '#model/wallet.ts';
import { as } from '#model/units.ts';
import { demoAssetNetworks } from '#sandbox/wallet-listing.ts';
import { demoAssets } from '#sandbox/listing.ts';
import { listingDifferences, requireSameAddresses } from '#main/composition/custody-agreement.ts';

const assets = demoAssets.map(
  (asset, id) => ({ ...asset, id: as(id) }) as Parameters<typeof demoAssetNetworks>[0][number],
);
const networks: readonly AssetNetwork[] = demoAssetNetworks(assets);
const onBsc = networks.filter(({ network, contract }) => network === 'BSC' && contract !== null);
const usdt = '0x55d398326f99059fF775485246999027B3197955';
const usdc = '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d';

describe('listing and custody', () => {
  const differences = (network: string, contracts: readonly string[]) =>
    listingDifferences({ networks, assets, contracts: new Map([[network, contracts]]) });

  test('DEC-WAL-93: they agree where each listed token is served, in whatever letters its contract is written', () => {
    expect(onBsc).toHaveLength(2);
    expect(differences('BSC', [usdt.toLowerCase(), usdc])).toEqual([]);
  });

  test('DEC-WAL-93: a listed token that is not served, and a served one that is not listed, are told of', () => {
    const stranger = '0x1111111111111111111111111111111111111111';
    expect(differences('BSC', [usdt, stranger])).toEqual([
      expect.stringContaining(`USDC is listed on BSC with contract ${usdc}, which the custody file does not name`),
      `The custody file names contract ${stranger} on BSC, but no asset is listed with it.`,
    ]);
  });

  test('DEC-WAL-93: a network without a listed asset is told of', () => {
    expect(differences('ARB', [usdt])).toEqual(['ARB is in the custody file, but no asset is listed on it.']);
  });
});

describe('addresses that were given', () => {
  const custody = (sharedAddress: string): ReadonlyMap<string, NetworkCustody> =>
    new Map([['XRP', createWatchOnlyCustody({ network: 'XRP', sharedAddress })]]);
  const [ours, others] = ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY'] as const;
  const wallet = (given: readonly string[]) => ({
    chain: async (network: string): Promise<ChainProgress> => ({
      network,
      position: null,
      sweepPosition: null,
      addressCount: given.length,
      height: null,
      forks: 0,
      nextNonce: 0,
    }),
    addressAt: async (network: string, index: number): Promise<DepositAddress> => ({
      network,
      index,
      account: as(4),
      address: given[index]!,
      memo: String(100_000_000 + index),
    }),
  });

  test('DEC-WAL-94: an exchange without addresses, and one whose custody has the same keys, may start', async () => {
    await requireSameAddresses(custody(ours), wallet([]));
    await requireSameAddresses(custody(ours), wallet([ours]));
    await requireSameAddresses(custody(ours), wallet([ours, ours, ours]));
  });

  test('DEC-WAL-94: one whose custody has other keys, for the first or the last address, may not', async () => {
    await expect(requireSameAddresses(custody(others), wallet([ours]))).rejects.toThrow(
      `address 0 of this exchange is ${ours}`,
    );
    await expect(requireSameAddresses(custody(ours), wallet([ours, ours, others]))).rejects.toThrow('address 2');
  });
});
