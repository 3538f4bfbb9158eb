import { hkdfSync } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { type NewSecret, randomSecret, type SecretPurpose } from '#http/new-api-key.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';

/** How many secrets of each purpose were made. */
type Made = Partial<Record<SecretPurpose, number>>;

function write(path: string, made: Made): void {
  const aside = `${path}.new`;
  const file = openSync(aside, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(made)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(aside, path);
}

/**
 * Secrets of a repeatable sandbox: the first, second and further of each purpose follow from the seed. How many were
 * made stands in the file at `path` before one is used, so that none is made again after a restart. DEC-OPR-150.
 */
export function seededSecrets(seed: string, path: string): NewSecret {
  let made: Made | null = null;
  return (purpose, bytes) => {
    made ??= existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Made) : {};
    const number = (made[purpose] ?? 0) + 1;
    made = { ...made, [purpose]: number };
    write(path, made);
    return Buffer.from(hkdfSync('sha256', seed, 'bourse sandbox', `${purpose} ${number} of a seed`, bytes));
  };
}

/** Where the secrets come from that this exchange makes for its users. Nodes of a cluster would make the same ones. */
export const openSecrets = (
  { profile, seed, cluster }: Pick<Configuration, 'profile' | 'seed' | 'cluster'>,
  { secretsMade }: Pick<DataDirectory, 'secretsMade'>,
): NewSecret =>
  profile === 'sandbox' && seed !== null && cluster === null ? seededSecrets(seed, secretsMade) : randomSecret;
