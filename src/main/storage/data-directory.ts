import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockDataDirectory, lockNames } from '#journal/data-lock.ts';

/** Paths of one exchange's files, absolute. */
export interface DataDirectory {
  readonly root: string;
  readonly journal: string;
  readonly snapshots: string;
  readonly history: string;
  /** Note of the last run about an entry that it could not apply; usually absent. */
  readonly brokenEntry: string;
  /** Journal tails that were moved aside, one directory each. */
  readonly quarantine: string;
  readonly demoFile: string;
  readonly seedFile: string;
  /** Which cluster it is of; absent: of none, and it never was. */
  readonly membership: string;
  /** How many secrets a sandbox with a seed made; usually absent. */
  readonly secretsMade: string;
}

/** The layout of a data directory; creates nothing. */
export function layoutOf(root: string): DataDirectory {
  const at = resolve(root);
  return {
    root: at,
    journal: join(at, 'journal'),
    snapshots: join(at, 'snapshots'),
    history: join(at, 'history.db'),
    brokenEntry: join(at, 'broken-entry.json'),
    quarantine: join(at, 'quarantine'),
    demoFile: join(at, 'demo.json'),
    seedFile: join(at, 'seed'),
    membership: join(at, 'cluster-membership.json'),
    secretsMade: join(at, 'secrets-made.json'),
  };
}

/** A data directory that this process alone writes to, for a start that may still fail. */
export interface StartDirectory {
  /** Ends the right to write to it. */
  release(): void;
  /**
   * As `release`, and removes what is there since the start began, the directory included if it was missing. Where an
   * exchange was there before, only a sandbox's own files that it did not have are removed. DEC-OPR-23, DEC-OPR-111.
   */
  undo(): void;
}

/**
 * Makes the data directory if it is missing, for its owner only, and locks it.
 * @throws what `lockDataDirectory` throws; then nothing is left of it.
 */
export function claimDataDirectory({ root, journal }: DataDirectory): StartDirectory {
  const lock = lockDataDirectory(root);
  try {
    const before = new Set(readdirSync(root));
    const hadExchange = existsSync(journal);
    chmodSync(root, 0o700);
    return {
      release: () => lock.release(),
      undo: () => {
        const made = readdirSync(root).filter((name) => !before.has(name) && !lockNames.has(name));
        removeAll(root, hadExchange ? made.filter((name) => sandboxFiles.has(name)) : made);
        lock.undo();
      },
    };
  } catch (error) {
    lock.undo();
    throw error;
  }
}

/** What a sandbox alone keeps in its directory. */
export const ofSandboxes = [
  'now',
  'exchange-time.json',
  'seed',
  'demo.json',
  'secrets-made.json',
  'simulated-chain.jsonl',
] as const;
/** What the start of a sandbox puts into its directory before it can know of which profile that is. */
const sandboxFiles: ReadonlySet<string> = new Set([...ofSandboxes, 'master.key']);

/** Files in a directory that a sandbox alone keeps there. DEC-OPR-297. */
export const filesOfSandbox = ({ root }: Pick<DataDirectory, 'root'>): readonly string[] =>
  ofSandboxes.filter((name) => existsSync(join(root, name)));

/** Removes entries of a directory, as far as that is possible. */
function removeAll(root: string, names: readonly string[]): void {
  for (const name of names) {
    try {
      rmSync(join(root, name), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Why the start was refused is to be told, not this.
    }
  }
}

/** An offline command got a directory without an exchange. */
export class NoExchange extends Error {
  override name = 'NoExchange';
}

/** @throws NoExchange unless an exchange was started in this directory before. */
export function requireExchange(directory: DataDirectory): void {
  if (!existsSync(directory.journal))
    throw new NoExchange(`${directory.root} holds no exchange: there is no journal in it`);
}
