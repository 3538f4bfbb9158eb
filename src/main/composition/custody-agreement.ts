import type { Custody } from '#custody/custody.ts';
import { CustodyMisconfigured } from '#custody/watch-only.ts';
import type { AssetRules } from '#model/asset.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import type { WalletQueries } from '#sequencer/queries/wallet-queries.ts';

/** What is listed, and which tokens custody serves by network. */
export interface ListedAndServed {
  readonly networks: readonly AssetNetwork[];
  /** By asset id. */
  readonly assets: readonly AssetRules[];
  /** Contracts by network, of those that serve listed tokens alone. */
  readonly contracts: ReadonlyMap<string, readonly string[]>;
}

/**
 * Where the coins that are listed and the custody file do not agree, a sentence each: deposits of a token that the file
 * does not name are not seen, and nobody can own a token that is not listed. DEC-WAL-93.
 */
export function listingDifferences({ networks, assets, contracts }: ListedAndServed): readonly string[] {
  return [...contracts].flatMap(([network, served]) => {
    const listed = networks.filter((each) => each.network === network);
    if (listed.length === 0) return [`${network} is in the custody file, but no asset is listed on it.`];
    const isServed = (contract: string) => served.some((each) => isSame(each, contract));
    const unserved = listed
      .filter(({ contract }) => contract !== null && !isServed(contract))
      .map(
        ({ asset, contract }) =>
          `${assets[asset]!.code} is listed on ${network} with contract ${contract}, which the custody file does not ` +
          'name: deposits of it are not seen, and withdrawals wait.',
      );
    const unlisted = served
      .filter((contract) => !listed.some((each) => each.contract !== null && isSame(each.contract, contract)))
      .map((contract) => `The custody file names contract ${contract} on ${network}, but no asset is listed with it.`);
    return [...unserved, ...unlisted];
  });
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/**
 * Polling whether each network still gives the addresses that were handed out, by the first and the last of them.
 * @throws CustodyMisconfigured where it gives others: what depositors pay to theirs would not be seen. DEC-WAL-94.
 */
export async function requireSameAddresses(
  custody: Custody,
  wallet: Pick<WalletQueries, 'chain' | 'addressAt'>,
): Promise<void> {
  for (const [network, adapter] of custody) {
    const count = (await wallet.chain(network))?.addressCount ?? 0;
    for (const index of new Set([0, count - 1])) {
      const known = index < 0 || count === 0 ? null : await wallet.addressAt(network, index);
      if (known === null) continue;
      const given = await adapter.depositAddress(index);
      if (given?.address === known.address && given.memo === known.memo) continue;
      throw new CustodyMisconfigured(
        `${network}: deposit address ${index} of this exchange is ${known.address}, but custody now has ` +
          `${given?.address ?? 'none'} there: these are other keys than those that depositors were given addresses of.`,
      );
    }
  }
}
