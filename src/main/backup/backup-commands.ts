import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { wallClock } from '#base/clock.ts';
import { CustodyMisconfigured } from '#custody/watch-only.ts';
import { HistoryNotCopied } from '#history/sqlite/history-copy.ts';
import { JournalDamaged, JournalOfOtherBuild } from '#journal/journal.ts';
import { type BackupManifest, BackupRefused } from '#main/backup/backup-files.ts';
import { type BackupTarget, folderTarget, streamTarget } from '#main/backup/backup-target.ts';
import { readConfigurationFiles } from '#main/backup/configuration-files.ts';
import { makeBackup } from '#main/backup/make-backup.ts';
import { restoreBackup } from '#main/backup/restore-backup.ts';
import { insistOnReader } from '#main/commands/process-terminal.ts';
import { ConfigurationRefused, type LoadedConfiguration } from '#main/configuration/config.ts';
import { layoutOf, NoExchange, requireExchange } from '#main/storage/data-directory.ts';
import { readMembership } from '#main/storage/membership.ts';
import { storageFault } from '#main/storage/storage-fault.ts';
import { CommandFailed, exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';
import type { Terminal, Work } from '#operator-commands/terminal.ts';
import { safeText } from '#operator-commands/text-table.ts';

/** What backup and restore are called with. */
export interface BackupCommandParts {
  readonly version: string;
  readonly later: (work: Work) => void;
  /** Adds the options of the settings that say what belongs to the exchange. */
  readonly addSettings: (command: Command) => void;
  /** Reads the settings of `backup`, and the path of the configuration file. @throws ConfigurationRefused */
  readonly load: (options: Command, data: string) => { readonly loaded: LoadedConfiguration; file: string | null };
}

interface BackupOptions {
  readonly stream?: boolean;
  readonly withoutHistory?: boolean;
  readonly withMasterKey?: boolean;
  readonly market?: string;
}

/** Adds `bourse backup` and `bourse restore`. DEC-OPR-274, DEC-OPR-276. */
export function addBackupCommands(program: Command, parts: BackupCommandParts): void {
  const backup = program.command('backup').argument('<data>', 'data directory of an exchange, which may be running');
  backup.argument('[folder]', 'folder to write; it must not exist');
  backup.description('copy an exchange, also while it runs, into a folder or a tar stream');
  backup.option('--stream', 'write a tar stream on standard output, for another machine');
  backup.option('--without-history', 'leave history.db out: the restored exchange makes it anew from its journal');
  backup.option('--with-master-key', 'copy the master key too: keep such a backup as you keep the key');
  backup.option('--market <file>', 'market file to copy too; without it, market.jsonc beside the configuration file');
  parts.addSettings(backup);
  backup.action((data: string, folder: string | undefined, options: BackupOptions, self: Command) => {
    parts.later((terminal) => named(() => back(parts, { data, folder, options, self }, terminal)));
  });

  const restore = program.command('restore').argument('<backup>', 'folder or tar file; - reads a tar stream');
  restore.argument('<folder>', 'data directory to make; it must not exist');
  restore.description('check a backup, every byte of it, and make a data directory of it');
  restore.action((source: string, folder: string) => {
    parts.later((terminal) => named(() => bringBack(source, folder, terminal)));
  });
}

interface BackupCall {
  readonly data: string;
  readonly folder: string | undefined;
  readonly options: BackupOptions;
  readonly self: Command;
}

async function back(parts: BackupCommandParts, call: BackupCall, terminal: Terminal): Promise<number> {
  const { loaded, file } = parts.load(call.self, call.data);
  const { options, folder } = call;
  const isStream = options.stream === true;
  if (isStream === (folder !== undefined)) throw usedWrongly('name the folder to write, or --stream: one of them.');
  if (isStream && terminal.columns !== null) throw usedWrongly('--stream: standard output is a terminal.');
  const directory = layoutOf(loaded.config.data);
  requireExchange(directory);
  if (options.market !== undefined && !existsSync(options.market)) throw usedWrongly(`${options.market} is not there.`);
  if (folder !== undefined && !/^\.\.(?:[/\\]|$)/.test(relative(directory.root, resolve(folder))))
    throw usedWrongly(`${folder} is in the data directory: name a folder outside of it.`);
  const withHistory = options.withoutHistory !== true;
  if (withHistory && !existsSync(directory.history))
    throw new CommandFailed(exitCodes.data, `${directory.history} is missing: back up with --without-history.`);
  const configuration = readConfigurationFiles({
    config: loaded.config,
    file,
    market: options.market ?? null,
    withMasterKey: options.withMasterKey === true,
  });
  const nowMs = wallClock.now();
  const target: BackupTarget = folder === undefined ? streamTarget(terminal.write, nowMs) : folderTarget(folder);
  if (isStream) insistOnReader(() => target.abandon());
  const tell = (text: string): void => terminal.tell(`${text}\n`);
  const manifest = await makeBackup({
    directory,
    configuration,
    withHistory,
    target,
    version: parts.version,
    nowMs,
    tell,
  });
  const text = described(manifest, [...configuration.files.keys()]);
  if (isStream) terminal.tell(text);
  else await terminal.write(text);
  return exitCodes.done;
}

function described(manifest: BackupManifest, configuration: readonly string[]): string {
  const { firstEntry, lastEntry, lastEntryAt, snapshotAt, holdsHistory, holdsMasterKey } = manifest;
  const { settingsLeftOut, filesLeftOut } = manifest;
  const leftOut = [
    ...(settingsLeftOut.length === 0 ? [] : [`${settingsLeftOut.join(', ')} of the configuration file`]),
    ...filesLeftOut,
  ];
  const files = configuration.filter((name) => name.startsWith('configuration/') && !name.endsWith('/master.key'));
  const rows = [
    ['Journal', `entries ${firstEntry} to ${lastEntry}${lastEntryAt === null ? '' : `, the last of ${lastEntryAt}`}`],
    ['Snapshot', snapshotAt === null ? 'none' : `entry ${snapshotAt}`],
    ['History', holdsHistory ? 'is in the backup' : 'left out; the first start makes it anew from the journal'],
    ['Settings', files.map((name) => name.replace('configuration/', '')).join(', ') || 'none; --config names them'],
    ['Left out', leftOut.length === 0 ? null : leftOut.join('; ')],
    [
      'Master key',
      holdsMasterKey
        ? 'is in the backup: who has it can use every key and seed'
        : 'not in the backup; keep a copy in another place, nothing opens without it',
    ],
  ] as const;
  return rows.flatMap(([name, text]) => (text === null ? [] : [`${name.padEnd(10)}  ${text}\n`])).join('');
}

async function bringBack(source: string, folder: string, terminal: Terminal): Promise<number> {
  if (source !== '-' && !existsSync(source)) throw usedWrongly(`${source} is not there.`);
  const { manifest, report } = await restoreBackup(source, folder, (text) => terminal.tell(`${text}\n`));
  const root = resolve(folder);
  const membership = readMembership(layoutOf(root));
  const notes = [
    membership === null || membership.standing === 'left'
      ? null
      : `It is of a node of the cluster ${membership.exchange}, and starts with --cluster FILE.`,
    manifest.holdsHistory ? null : 'History is made anew by the first start.',
    manifest.holdsMasterKey ? null : 'The master key is not in the backup: put it in place before the start.',
    existsSync(join(root, 'configuration')) ? placesText(root, manifest) : null,
    manifest.filesLeftOut.length === 0 ? null : `A start reads too: ${safeText(manifest.filesLeftOut.join(', '))}`,
    manifest.lastEntryAt === null ? null : `What was acknowledged after ${manifest.lastEntryAt} is not in it.`,
    'Where the chain has moved on since, withdrawals are held: bourse op safety',
  ];
  const text = notes.flatMap((note) => (note === null ? [] : [`${note}\n`])).join('');
  await terminal.write(`${report}Restored into ${root}.\n${text}`);
  return exitCodes.done;
}

/** Where the settings are now, and where each of their files stood. */
function placesText(root: string, { places }: BackupManifest): string {
  const folder = 'configuration/';
  const rows = Object.entries(places).map(([name, place]) => [name.replace(folder, ''), place] as const);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const lines = rows.map(([name, place]) => `\n  ${safeText(name).padEnd(width)}  stood at ${safeText(place)}`);
  const at = join(root, folder);
  return `The settings as they were: ${at}. Put them in place; paths in them are those of then.${lines.join('')}`;
}

/** Gives what can go wrong its exit code. */
async function named(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandFailed || !(error instanceof Error)) throw error;
    if (error instanceof ConfigurationRefused) throw usedWrongly(error.faults.join('\n'));
    if (error instanceof CustodyMisconfigured) throw usedWrongly(error.message);
    const isAboutData = [BackupRefused, HistoryNotCopied, JournalDamaged, JournalOfOtherBuild, NoExchange].some(
      (each) => error instanceof each,
    );
    if (isAboutData) throw new CommandFailed(exitCodes.data, error.message);
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const fault = storageFault(error, path ?? 'the backup');
    throw new CommandFailed(exitCodes.failed, fault ?? error.message);
  }
}
