import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupManifest } from '#main/backup/backup-files.ts';

/** The command of the build. */
export const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;

/** What a command came to. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs a command of the build to its end. */
export function run(
  args: readonly string[],
  { env = {}, input }: { env?: NodeJS.ProcessEnv; input?: Buffer } = {},
): Ran {
  const ran = spawnSync(process.execPath, [entry, ...args], {
    env: { ...process.env, ...env },
    maxBuffer: 1 << 28,
    ...(input === undefined ? {} : { input }),
  });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr.toString() };
}

/** What a backup in a folder says of itself. */
export const manifestOf = (backup: string): BackupManifest =>
  JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'));
/** Names of all files below a folder, sorted. */
export const filesOf = (folder: string): readonly string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).filter((name) => statSync(join(folder, name)).isFile()).sort();
