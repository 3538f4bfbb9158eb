import { type CommandLog, LogDamaged, LogFull, LogUnreachable } from '#cluster/command-log.ts';
import { DataDirectoryInUse, lockDataDirectory } from '#journal/data-lock.ts';
import { JournalDamaged, JournalOfOtherBuild } from '#journal/journal.ts';
import { type ClusterFile, readClusterFile } from '#main/cluster/cluster-file.ts';
import { openLog } from '#main/cluster/open-cluster.ts';
import { ConfigurationRefused, readTextFile } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { type DataDirectory, layoutOf, NoExchange, requireExchange } from '#main/storage/data-directory.ts';
import { OtherMembership } from '#main/storage/membership.ts';
import { CommandFailed, exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';
import { MomentDiffers } from '#sandbox/sandbox-files.ts';
import type { Terminal } from '#operator-commands/terminal.ts';

/** What the work of a command about a cluster is given. */
export interface ClusterCall {
  readonly config: Configuration;
  readonly file: ClusterFile;
  readonly log: CommandLog;
  /** Tells how far it is, on standard error. */
  readonly tell: (text: string) => void;
}

/** Does the work of a command, and answers what it prints. */
export type ClusterWork = (call: ClusterCall) => Promise<string>;

/** Runs a command about the cluster that the settings name. @throws CommandFailed */
export async function runOnCluster(load: () => Configuration, work: ClusterWork, terminal: Terminal): Promise<number> {
  const text = await named(async () => {
    const config = load();
    if (config.cluster === null) throw usedWrongly('name the cluster file: --cluster FILE');
    const file = readClusterFile(config.cluster, readTextFile);
    const log = openLog(file);
    try {
      return await work({ config, file, log, tell: (line) => terminal.tell(`${line}\n`) });
    } finally {
      await log.close();
    }
  });
  await terminal.write(text);
  return exitCodes.done;
}

/** Does something with the data directory of a stopped exchange, which nobody else may use meanwhile. */
export async function withDirectory<Result>(
  { data }: Configuration,
  work: (directory: DataDirectory) => Promise<Result>,
): Promise<Result> {
  const directory = layoutOf(data);
  requireExchange(directory);
  const lock = lockDataDirectory(directory.root);
  try {
    return await work(directory);
  } finally {
    lock.release();
  }
}

/** Ends a command of which nobody can say whether it was done. */
export const unknownOutcome = (message: string): CommandFailed => new CommandFailed(exitCodes.outcomeUnknown, message);

/** Ends a command that a rule refuses: nothing was changed. */
export const refused = (message: string): CommandFailed => new CommandFailed(exitCodes.failed, message);

const aboutData = [DataDirectoryInUse, JournalDamaged, JournalOfOtherBuild, NoExchange, LogDamaged];

/** Gives what can go wrong its exit code. */
async function named<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigurationRefused) throw usedWrongly(error.faults.join('\n'));
    if (error instanceof OtherMembership || error instanceof MomentDiffers) throw usedWrongly(error.message);
    if (error instanceof LogUnreachable) throw new CommandFailed(exitCodes.notReached, error.message);
    if (error instanceof LogFull) throw refused(error.message);
    if (aboutData.some((each) => error instanceof each))
      throw new CommandFailed(exitCodes.data, (error as Error).message);
    throw error;
  }
}
