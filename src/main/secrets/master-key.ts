import { hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectories } from '#journal/make-directories.ts';
import { ConfigurationRefused } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { isLoopback } from '#main/configuration-schema.ts';
import { readPrivateFile } from '#main/secrets/private-file.ts';
import type { SealKeys } from '#main/secrets/secret-seal.ts';
import { masterKeySize } from '#main/secrets/secret-seal.ts';

/** The keys of a start, and whether they can be guessed. */
export interface MasterKeys extends SealKeys {
  /** The key was derived from a seed that can be guessed: for a repeatable sandbox on this machine only. */
  readonly isGuessable: boolean;
}

type KeySettings = Pick<Configuration, 'profile' | 'data' | 'seed' | 'masterKey' | 'masterKeyFile'>;

const keyPattern = /^[0-9a-f]{64}$/;
const guessableMark = '# derived from a seed: guessable, for this machine only';

/**
 * Finds the master keys: the setting, the named file, or in the sandbox `DATA/master.key`, which the first start makes
 * (random, or derived from an explicit seed). A file holds one key of 64 hex characters a line, the active one first.
 * @throws ConfigurationRefused when there is none, or a file is unusable or readable by others, or in production when
 * the key can be guessed (DEC-OPR-298).
 */
export function loadMasterKeys(config: KeySettings): MasterKeys {
  const nonces = config.profile === 'production' ? 'random' : 'synthetic';
  if (config.masterKey !== null) return { keys: [Buffer.from(config.masterKey, 'hex')], nonces, isGuessable: false };
  if (config.masterKeyFile !== null) {
    const read = readKeyFile(config.masterKeyFile);
    if (config.profile === 'production' && read.isGuessable) throw guessableInProduction(config.masterKeyFile);
    return { ...read, nonces };
  }
  if (config.profile === 'production') {
    throw new ConfigurationRefused(['production needs the key that seals secrets: give --master-key-file FILE.']);
  }
  const path = join(config.data, 'master.key');
  makeKeyFile(path, config.seed);
  return { ...readKeyFile(path), nonces };
}

const guessableInProduction = (path: string): ConfigurationRefused =>
  new ConfigurationRefused([
    `master key file ${path}: was derived from the seed of a sandbox and can be guessed; production needs another ` +
      'one, made for example by: openssl rand -hex 32.',
  ]);

/** Refuses guessable demo keys if other machines can connect. @throws ConfigurationRefused */
export function assertNotKnownDefault(host: string, keys: Pick<MasterKeys, 'isGuessable'>): void {
  if (!keys.isGuessable || isLoopback(host)) return;
  throw new ConfigurationRefused([
    `the demo keys of this data directory come from a seed and are known to everyone, and ${host} is reachable from ` +
      'other machines; listen on 127.0.0.1, or start with another data directory and no --seed.',
  ]);
}

function readKeyFile(path: string): Pick<MasterKeys, 'keys' | 'isGuessable'> {
  const told = `master key file ${path}`;
  let lines: readonly string[];
  try {
    lines = readPrivateFile(path)
      .split(/\r?\n/)
      .map((line) => line.trim());
  } catch (error) {
    throw new ConfigurationRefused([`${told}: ${(error as Error).message}.`]);
  }
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0 || !keys.every((key) => keyPattern.test(key)))
    throw new ConfigurationRefused([`${told}: must hold one key of 64 lower-case hex characters a line.`]);
  return { keys: keys.map((key) => Buffer.from(key, 'hex')), isGuessable: lines.includes(guessableMark) };
}

/**
 * Creates the file with mode 0600 unless it exists, and syncs it before anything is sealed. Refuses a directory with a
 * journal but without a key: a new key could not open the seals in that journal.
 */
function makeKeyFile(path: string, seed: string | null): void {
  if (existsSync(path)) return;
  const folder = dirname(path);
  if (existsSync(join(folder, 'journal')) && readdirSync(join(folder, 'journal')).length > 0) {
    throw new ConfigurationRefused([
      `${folder} holds an exchange but not its master.key: its secrets cannot be opened; put the key file back, ` +
        'or, if it is of the production profile, start it with --profile production.',
    ]);
  }
  makeDirectories(folder);
  const key = seed === null ? randomBytes(masterKeySize) : keyOfSeed(seed);
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, `${seed === null ? '' : `${guessableMark}\n`}${key.toString('hex')}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  const directory = openSync(folder, 'r');
  fsyncSync(directory);
  closeSync(directory);
}

const keyOfSeed = (seed: string): Buffer =>
  Buffer.from(hkdfSync('sha256', seed, 'bourse sandbox', 'master key of a seed', masterKeySize));
