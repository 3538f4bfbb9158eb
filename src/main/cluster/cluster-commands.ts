import type { Command } from 'commander';
import type { Epoch } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type CommandLog, LogUnreachable } from '#cluster/command-log.ts';
import { DataDirectoryInUse, lockDataDirectory } from '#journal/data-lock.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { JournalDamaged, JournalOfOtherBuild } from '#journal/journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { type ClusterFile, readClusterFile } from '#main/cluster/cluster-file.ts';
import { fingerprintOf, openLog } from '#main/cluster/open-cluster.ts';
import { ConfigurationRefused, type LoadedConfiguration, readTextFile } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { loadMasterKeys } from '#main/secrets/master-key.ts';
import { layoutOf } from '#main/storage/data-directory.ts';
import { CommandFailed, exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';
import type { Work } from '#operator-commands/terminal.ts';

/** What the commands about a cluster are made with. */
export interface ClusterCommandParts {
  readonly later: (work: Work) => void;
  /** Adds the options of settings that say which cluster, which directory and which master key. */
  readonly addSettings: (command: Command) => void;
  readonly load: (options: Command, data: string | undefined) => LoadedConfiguration;
}

/** Adds `bourse cluster init | status`. DEC-CLU-04. */
export function addClusterCommands(program: Command, { later, addSettings, load }: ClusterCommandParts): void {
  const cluster = program.command('cluster').description('several nodes that run one exchange together');
  const add = (
    command: Command,
    work: (config: Configuration, file: ClusterFile, log: CommandLog) => Promise<string>,
  ): void => {
    addSettings(command);
    command.action((data: string | undefined, _options: unknown, self: Command) => {
      later(async (terminal) => {
        await terminal.write(await named(() => withLog(load(self, data).config, work)));
        return exitCodes.done;
      });
    });
  };
  add(
    cluster
      .command('init')
      .argument('[data]', 'data directory (default: --data)')
      .description('begin a cluster with the stopped exchange of this directory, or with a new one'),
    begin,
  );
  add(
    cluster
      .command('status')
      .argument('[data]', 'data directory (default: --data)')
      .description('who leads, and how far each node is'),
    (_config, file, log) => status(file, log),
  );
}

async function withLog(
  config: Configuration,
  work: (config: Configuration, file: ClusterFile, log: CommandLog) => Promise<string>,
): Promise<string> {
  if (config.cluster === null) throw usedWrongly('name the cluster file: --cluster FILE');
  const file = readClusterFile(config.cluster, readTextFile);
  const log = openLog(file);
  try {
    return await work(config, file, log);
  } finally {
    await log.close();
  }
}

/** Makes the log of a cluster go on where a directory's journal ends. */
async function begin(config: Configuration, file: ClusterFile, log: CommandLog): Promise<string> {
  const keyFingerprint = fingerprintOf(loadMasterKeys(config));
  const directory = layoutOf(config.data);
  const lock = lockDataDirectory(directory.root);
  try {
    const journal = await FileJournal.open({
      files: nodeFileOperations,
      directory: directory.journal,
      heldPaths: [directory.root],
      segmentSize: config.journalSegmentMib << 20,
      notice: () => {},
    });
    try {
      const last = journal.last();
      const head = { epoch: as<Epoch>((await lastEpochOf(journal)) + 1), last, hash: journal.lastHash() };
      const { profile } = config;
      if (!(await log.found({ origin: journal.origin(), profile, keyFingerprint }, head)))
        throw new CommandFailed(exitCodes.failed, `the quorum keeps a cluster named ${file.exchange} already`);
      return `The cluster ${file.exchange} begins after entry ${last}, in epoch ${head.epoch}.\n`;
    } finally {
      await journal.close();
    }
  } finally {
    lock.release();
  }
}

async function lastEpochOf(journal: FileJournal): Promise<number> {
  const last = journal.last();
  if (last < journal.first()) return 0;
  for await (const entries of journal.read(last)) return entries.at(-1)!.epoch;
  return 0;
}

const rowOf = (node: string, role: string, journaled: string, applied: string, build: string): string =>
  `${node.padEnd(16)}  ${role.padEnd(9)}  ${journaled.padStart(14)}  ${applied.padStart(14)}  ${build}`;

async function status({ exchange }: ClusterFile, log: CommandLog): Promise<string> {
  const [at, leader, applied, nodes, size] = await Promise.all([
    log.head(),
    log.leader(),
    log.applied(),
    log.nodes(),
    log.size(),
  ]);
  if (at === null) throw new CommandFailed(exitCodes.failed, `the quorum keeps no cluster named ${exchange}`);
  const rows = nodes.map(({ node, build, isCandidate, journaled, applied: appliedThere }) => {
    const role = leader?.node === node ? 'leads' : isCandidate ? 'stands by' : 'learns';
    return rowOf(node, role, String(journaled), String(appliedThere), build);
  });
  return [
    `Cluster ${exchange}: epoch ${at.head.epoch}, last entry ${at.head.last}, applied ${applied}, ` +
      `${Math.ceil(size.bytes / 1024)} KiB of batches kept.`,
    leader === null ? 'Nobody leads.' : `${leader.node} leads.`,
    rowOf('node', 'role', 'journaled', 'applied', 'build'),
    ...rows,
    '',
  ].join('\n');
}

/** Gives what can go wrong its exit code. */
async function named<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigurationRefused) throw usedWrongly(error.faults.join('\n'));
    if (error instanceof LogUnreachable) throw new CommandFailed(exitCodes.notReached, error.message);
    if ([DataDirectoryInUse, JournalDamaged, JournalOfOtherBuild].some((each) => error instanceof each))
      throw new CommandFailed(exitCodes.data, (error as Error).message);
    throw error;
  }
}
