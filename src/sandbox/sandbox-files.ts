import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isoTime, timeOfIso } from '#base/clock.ts';
import { clockBounds, type ClockMode, clockModes } from '#sandbox/clock-controls.ts';
import type { DemoKey } from '#sandbox/demo-accounts.ts';

/*
 * What a sandbox keeps in its data directory besides the exchange's own files: its seed, the moment for which it was
 * made, and `demo.json`. Only the owner may read them.
 */

/** The seed of a data directory is another one than that asked for, or that of its cluster. */
export class SeedDiffers extends Error {
  override name = 'SeedDiffers';
}

/**
 * The seed of a data directory: everything in the sandbox that looks random comes from it, keys of demo accounts
 * included. Made once, from `asked` or else by chance, and kept in `DATA/seed` with mode 0600.
 * @throws SeedDiffers when the directory has a seed already and another one is asked for.
 */
export async function seedOf(dataDirectory: string, asked: string | null): Promise<string> {
  const kept = await keptSeedOf(dataDirectory);
  if (kept !== null) {
    if (asked !== null && asked !== kept) {
      throw new SeedDiffers(`${dataDirectory} was made with another seed: leave --seed out, or choose another --data`);
    }
    return kept;
  }
  const seed = asked ?? randomBytes(16).toString('hex');
  await writePrivateFile(join(dataDirectory, 'seed'), `${seed}\n`);
  return seed;
}

/** The seed that a data directory has; `null`: none. */
export async function keptSeedOf(dataDirectory: string): Promise<string | null> {
  const kept = await keptText(join(dataDirectory, 'seed'));
  return kept === '' ? null : kept;
}

/** The data directory was made for another moment than the one asked for, or for none. */
export class MomentDiffers extends Error {
  override name = 'MomentDiffers';
}

/**
 * The moment at which the history of a sandbox ends and its clock begins, in milliseconds since 1970 UTC; `null`: that
 * of its first start, and the clock is the machine's. A new data directory keeps what is `asked` in `DATA/now`.
 * @throws MomentDiffers when the directory was made for another moment. DEC-OPR-27.
 */
export async function startMomentOf(dataDirectory: string, asked: number | null): Promise<number | null> {
  const path = join(dataDirectory, 'now');
  const kept = await keptMoment(path);
  if (asked === kept || asked === null) return kept;
  if (kept !== null || existsSync(join(dataDirectory, 'seed'))) {
    const made = kept === null ? 'without --now' : `with --now ${isoTime(kept)}`;
    throw new MomentDiffers(`${dataDirectory} was made ${made}: leave --now out, or choose another --data`);
  }
  await writePrivateFile(path, `${isoTime(asked)}\n`);
  return asked;
}

/** What is kept of the clock of a sandbox. */
export interface KeptClock {
  /** What it showed last, in milliseconds since 1970 UTC. */
  readonly now: number;
  /** How it was told to go on, and how fast; `null`: nobody told it. */
  readonly mode: ClockMode | null;
  readonly factor: number;
}

const keptClock = z.strictObject({
  now: z.int().min(0).max(clockBounds.latest),
  mode: z.enum(clockModes).nullable(),
  factor: z.number().min(clockBounds.factorLeast).max(clockBounds.factorMost),
});
const clockFile = (dataDirectory: string): string => join(dataDirectory, 'exchange-time.json');

/**
 * The clock of a sandbox as `keepClock` kept it; `null`: nothing did.
 * @throws MomentDiffers where the file holds something else
 */
export async function keptClockOf(dataDirectory: string): Promise<KeptClock | null> {
  const path = clockFile(dataDirectory);
  const text = await keptText(path);
  if (text === null) return null;
  try {
    return keptClock.parse(JSON.parse(text));
  } catch (cause) {
    throw new MomentDiffers(`${path} tells of no clock: remove it, and the clock goes on from the last entry`, {
      cause,
    });
  }
}

/**
 * Keeps what the clock shows in `DATA/exchange-time.json`. Entries tell the same where there are any, so it survives
 * the end of a process, not the machine's. DEC-KIT-03.
 */
export function keepClock(dataDirectory: string, kept: KeptClock): void {
  const path = clockFile(dataDirectory);
  writeFileSync(`${path}.new`, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

async function keptMoment(path: string): Promise<number | null> {
  const text = await keptText(path);
  if (text === null) return null;
  const at = timeOfIso(text);
  if (at === null) throw new MomentDiffers(`${path} holds no time such as 2026-01-01T00:00:00Z`);
  return at;
}

/** `null`: there is no such file. */
async function keptText(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}

/** Where a running sandbox is reached. */
export interface SandboxAddresses {
  readonly baseUrl: string;
  readonly futuresBaseUrl: string;
  /** With its path, `/ws`. */
  readonly wsUrl: string;
  readonly operatorUrl: string;
}

/** What `DATA/demo.json` holds. */
export interface DemoFile {
  readonly base_url: string;
  readonly futures_base_url: string;
  readonly ws_url: string;
  readonly operator_url: string;
  readonly operator_token: string;
  readonly accounts: readonly {
    readonly name: string;
    readonly uid: string;
    readonly role: string;
    readonly apiKey: string;
    readonly secretKey: string;
  }[];
}

/** The demo file with these keys; their secrets are made from the seed, never read back from the exchange. */
export function demoFile(keys: readonly DemoKey[], addresses: SandboxAddresses, operatorToken: string): DemoFile {
  return {
    base_url: addresses.baseUrl,
    futures_base_url: addresses.futuresBaseUrl,
    ws_url: addresses.wsUrl,
    operator_url: addresses.operatorUrl,
    operator_token: operatorToken,
    accounts: keys.map((key) => ({
      name: key.name,
      uid: String(key.uid),
      role: key.role,
      apiKey: key.accessKey,
      secretKey: key.secretKey,
    })),
  };
}

/** Writes `DATA/demo.json` with mode 0600, whole or not at all. Answers its path. */
export async function writeDemoFile(dataDirectory: string, content: DemoFile): Promise<string> {
  const path = join(dataDirectory, 'demo.json');
  await writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
  return path;
}

/**
 * Atomically writes a file that only its owner may read (mode 0600): under a temporary name, synced and renamed, with
 * the directory synced. After a crash there is either the old file or the new one.
 */
async function writePrivateFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aside = `${path}.new`;
  const file = await open(aside, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(aside, 0o600);
  await rename(aside, path);
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
