import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

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
  };
}

/** Makes the directory, for its owner only. */
export function makeDataDirectory(directory: DataDirectory): void {
  mkdirSync(directory.root, { recursive: true, mode: 0o700 });
  chmodSync(directory.root, 0o700);
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
