import { depositAccountKey, openKeys } from '#custody/evm/keys.ts';
import { ConfigurationRefused } from '#main/configuration/config.ts';
import type { SecretSeal } from '#main/secrets/secret-seal.ts';
import { makeWalletSeed } from '#main/secrets/wallet-seed.ts';

/** A seed to be made: for which network, in which file. */
export interface NewSeedRequest {
  readonly network: string;
  readonly out: string;
}

/** Deposit addresses that are printed, to compare with what the exchange gives out later. */
const addressesShown = 3;

/**
 * Makes the sealed seed of a hot wallet. Answers what an operator has to know of it, never the seed.
 * @throws ConfigurationRefused where the file exists or cannot be written.
 */
export function newSeed({ network, out }: NewSeedRequest, seal: SecretSeal): string {
  const seed = writtenSeed({ network, out }, seal);
  const { spending, depositAddress } = openKeys({ kind: 'hot', seed });
  const rows = [
    ['hot wallet', "m/44'/60'/1'/0/0", spending!.hotWallet.address],
    ['gas wallet', "m/44'/60'/2'/0/0", spending!.gasWallet.address],
    ...Array.from({ length: addressesShown }, (_, index) => [
      index === 0 ? 'deposits' : '',
      `m/44'/60'/0'/0/${index}`,
      depositAddress(index)!,
    ]),
    ['xpub', "m/44'/60'/0'", depositAccountKey(seed)],
  ] as const;
  return [
    `Sealed seed of ${network}: ${out}`,
    '',
    ...rows.map(([name, path, value]) => `  ${name!.padEnd(10)}  ${path!.padEnd(17)}  ${value}`),
    '',
    'Keep copies of this file and of the master key, apart from each other: without both, what these addresses hold',
    'is lost; with both, anybody can spend it.',
    '',
  ].join('\n');
}

function writtenSeed({ network, out }: NewSeedRequest, seal: SecretSeal): Uint8Array {
  try {
    return makeWalletSeed(out, network, seal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new ConfigurationRefused([`--out: ${out} exists, and a sealed seed is never overwritten.`]);
    if (code !== undefined) throw new ConfigurationRefused([`--out: ${out} cannot be written: ${code}.`]);
    throw error;
  }
}
