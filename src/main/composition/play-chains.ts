import { CustodyMisconfigured } from '#custody/watch-only.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { readCustodyFile } from '#main/secrets/custody-file.ts';

/** Chain ids of development nodes (Geth and Ganache, Hardhat and Anvil), whose coins are worth nothing. */
const developmentChains: readonly string[] = ['1337', '31337'];

/**
 * Refuses custody of real chains for a sandbox, whose play money would be paid out as real coins. A network of the
 * custody file is an EVM chain of a development node, or of the setting `sandboxChains`. DEC-OPR-110.
 * @throws CustodyMisconfigured with the network at fault
 */
export function requirePlayChains(
  { profile, custodyFile, sandboxChains }: Pick<Configuration, 'profile' | 'custodyFile' | 'sandboxChains'>,
  readFile: (path: string) => string,
): void {
  if (profile !== 'sandbox' || custodyFile === null) return;
  const allowed = new Set([...developmentChains, ...sandboxChains]);
  const refuse = (what: string, rest = ''): never => {
    const why = 'a sandbox has play money, which must not be paid out as real coins';
    throw new CustodyMisconfigured(`${custodyFile}: ${what}: ${why}${rest}`);
  };
  for (const entry of readCustodyFile(custodyFile, readFile)) {
    if (entry.kind === 'watchOnly') refuse(`${entry.network} is watched on a real chain`);
    else if (!allowed.has(String(entry.chainId)))
      refuse(
        `${entry.network} has chain id ${entry.chainId}`,
        `. Use a development node (chain id ${developmentChains.join(' or ')}), or name the id of a chain whose ` +
          'coins are worth nothing in --sandbox-chains',
      );
  }
}
