import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CustodyMisconfigured } from '#custody/watch-only.ts';
import { writePrivateFile } from '#main/secrets/private-file.ts';
import type { SecretSeal } from '#main/secrets/secret-seal.ts';
import { SealBroken, walletSeedAssociatedData } from '#main/secrets/secret-seal.ts';

/*
 * The seed of a hot wallet, in a file of its own: sealed with the master key and bound to its network, so that whoever
 * has one of the two files has nothing. DEC-WAL-91.
 */

const seedSize = 32;
const seedPattern = /^[0-9a-f]{64}$/;
const seedFile = z.strictObject({ network: z.string(), sealedSeed: z.string() });

/** Makes a seed of 32 random bytes for a network and writes it sealed. @throws what `writePrivateFile` throws. */
export function makeWalletSeed(path: string, network: string, seal: SecretSeal): Uint8Array {
  const seed = randomBytes(seedSize);
  const sealedSeed = seal.seal(seed.toString('hex'), walletSeedAssociatedData(network));
  writePrivateFile(path, `${JSON.stringify({ network, sealedSeed }, null, 2)}\n`);
  return seed;
}

/**
 * The seed in a file that `makeWalletSeed` wrote for this network.
 * @throws CustodyMisconfigured with the reason; it repeats nothing of the seed.
 */
export function openWalletSeed(
  path: string,
  network: string,
  { seal, readFile }: { readonly seal: SecretSeal; readonly readFile: (path: string) => string },
): Uint8Array {
  const { network: madeFor, sealedSeed } = readSeedFile(path, readFile);
  if (madeFor !== network) throw new CustodyMisconfigured(`${path} was made for ${madeFor}, not for ${network}`);
  try {
    const text = seal.unseal(sealedSeed, walletSeedAssociatedData(network));
    if (!seedPattern.test(text)) throw new SealBroken('what is sealed is no seed');
    return Buffer.from(text, 'hex');
  } catch (error) {
    if (error instanceof SealBroken) throw new CustodyMisconfigured(`${path}: ${error.message}`);
    throw error;
  }
}

function readSeedFile(path: string, readFile: (path: string) => string): z.infer<typeof seedFile> {
  try {
    return seedFile.parse(JSON.parse(readFile(path)));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'it is not a file of `bourse custody new-seed`';
    throw new CustodyMisconfigured(`${path} cannot be used as a sealed seed: ${reason}`);
  }
}
