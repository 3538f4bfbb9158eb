import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ofSandboxes } from '#main/storage/data-directory.ts';

/*
 * A backup is a set of files, in a folder or a tar stream:
 *
 *   data/…            the data directory: journal, snapshots, history, which cluster it is of, the files of a sandbox
 *   configuration/…   settings, market file, custody file and what that names, under names of their own
 *   manifest.json     what it holds
 *   SHA256SUMS        SHA-256 of every other file, in the form that sha256sum reads; written last
 *
 * Without SHA256SUMS it is not whole.
 */

/** Name of the file that says what a backup holds. */
export const manifestName = 'manifest.json';
/** Name of the file with the hash of every other one. */
export const sumsName = 'SHA256SUMS';

/** Files of a data directory besides journal, snapshots and history that belong into a backup. */
export const looseFiles = ['broken-entry.json', 'cluster-membership.json', ...ofSandboxes] as const;

const namePattern = new RegExp(
  [
    '^(?:manifest\\.json',
    'data/journal/(?:\\d{10}\\.journal(?:\\.z)?|retained)',
    'data/snapshots/\\d{16}\\.snapshot',
    `data/(?:history\\.db|master\\.key|${looseFiles.join('|').replaceAll('.', '\\.')})`,
    'configuration/(?:(?:bourse|custody|market)\\.jsonc|master\\.key)',
    'configuration/(?:seeds|addresses)/[A-Z0-9]{2,12})$',
  ].join('|'),
);

/** Whether a backup may hold a file of this name. No such name leads out of the backup. */
export const isBackupName = (name: string): boolean => name === sumsName || namePattern.test(name);

const count = z.int().nonnegative();

const manifest = z.strictObject({
  format: z.literal(1),
  /** Version of the build that made it. */
  madeBy: z.string(),
  madeAt: z.iso.datetime(),
  firstEntry: count,
  lastEntry: count,
  /** Time of the last entry; `null`: there is none. */
  lastEntryAt: z.iso.datetime().nullable(),
  /** Entry of the snapshot; `null`: none is there, or needed. */
  snapshotAt: count.nullable(),
  holdsHistory: z.boolean(),
  holdsMasterKey: z.boolean(),
  /** Settings of the configuration file that were left out, because they are secrets. */
  settingsLeftOut: z.array(z.string()),
  /** Secret files that a start reads and that were left out: absolute paths. */
  filesLeftOut: z.array(z.string()).default([]),
  /** Where the files of `configuration` stood, by their names in the backup. */
  places: z.record(z.string(), z.string()).default({}),
});

/** What a backup says of itself. */
export type BackupManifest = z.infer<typeof manifest>;

/** A backup cannot be restored; the message says why. Nothing was changed. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
}

/** The manifest as text. */
export const manifestText = (content: BackupManifest): string => `${JSON.stringify(content, null, 2)}\n`;

/** @throws BackupRefused where a later build made the backup. */
export function parseManifest(text: string): BackupManifest {
  const content = JSON.parse(text) as { readonly format?: unknown; readonly madeBy?: unknown };
  const parsed = manifest.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new BackupRefused(`the backup has another format than this build reads; it was made by ${content.madeBy}`);
}

/** SHA-256 of files by name. */
export type FileSums = ReadonlyMap<string, string>;

/** The file of hashes as text. */
export const sumsText = (sums: FileSums): string =>
  [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, sum]) => `${sum}  ${name}\n`)
    .join('');

/** @throws BackupRefused unless every line is a hash and the name of a file of backups, each name once. */
export function parseSums(text: string): FileSums {
  const sums = new Map<string, string>();
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length === 0) throw new BackupRefused(`${sumsName} is cut short`);
  for (const line of lines) {
    const [, sum, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (sum === undefined || name === undefined || name === sumsName || !isBackupName(name) || sums.has(name))
      throw new BackupRefused(`${sumsName} is damaged: ${JSON.stringify(line.slice(0, 120))}`);
    sums.set(name, sum);
  }
  return sums;
}

/** Computes the SHA-256 of what passes through. */
export class PassingSum {
  private readonly hash = createHash('sha256');

  async *through(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.hash.update(chunk);
      yield chunk;
    }
  }

  /** In hex, once all has passed. */
  digest(): string {
    return this.hash.digest('hex');
  }
}
