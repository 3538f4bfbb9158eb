import type { Epoch } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { LogHead } from '#cluster/command-log.ts';
import { lockDataDirectory } from '#journal/data-lock.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { type ClusterCall, refused } from '#main/cluster/cluster-command.ts';
import { prepareSandbox, requireProfileOf } from '#main/cluster/found-exchange.ts';
import { fingerprintOf } from '#main/cluster/open-cluster.ts';
import { firstMembership } from '#main/cluster/own-membership.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { loadMasterKeys } from '#main/secrets/master-key.ts';
import { type DataDirectory, layoutOf } from '#main/storage/data-directory.ts';
import { type Membership, readMembership, writeMembership } from '#main/storage/membership.ts';

/**
 * Makes the log of a cluster go on where the journal of a stopped exchange ends; without one in the directory, a new
 * one. From before the quorum knows of it, the directory no longer starts by itself. DEC-CLU-04, DEC-CLU-15,
 * DEC-CLU-23.
 */
export async function beginCluster({ config, file, log }: ClusterCall): Promise<string> {
  const keyFingerprint = fingerprintOf(loadMasterKeys(config));
  const { exchange } = file;
  const directory = layoutOf(config.data);
  const lock = lockDataDirectory(directory.root);
  try {
    const is = refused(`the quorum keeps a cluster named ${exchange} already`);
    if ((await log.foundation()) !== null) throw is;
    const before = readMembership(directory);
    requireNoNode(directory, before, exchange);
    const { origin, head } = await endOf(config, directory, before?.epoch ?? 0);
    writeMembership(directory, firstMembership({ file, origin }, 'beginning'));
    if (!(await log.found({ origin, profile: config.profile, keyFingerprint }, head))) {
      writeMembership(directory, before);
      throw is;
    }
    writeMembership(directory, firstMembership({ file, origin }, 'node'));
    return `The cluster ${exchange} begins after entry ${head.last}, in epoch ${head.epoch}.\n`;
  } finally {
    lock.release();
  }
}

function requireNoNode({ root }: DataDirectory, before: Membership | null, exchange: string): void {
  if (before === null || before.standing === 'left') return;
  if (before.standing === 'beginning' && before.exchange === exchange) return;
  throw refused(
    `${root} is of a node of the cluster ${before.exchange}: where the quorum lost that, bourse cluster reconcile ` +
      'brings it back',
  );
}

/** Where the directory's journal ends, as a cluster goes on from it; makes the journal if there is none. */
async function endOf(
  config: Configuration,
  directory: DataDirectory,
  epochBefore: number,
): Promise<{ readonly origin: Uint8Array; readonly head: LogHead }> {
  const journal = await FileJournal.open({
    files: nodeFileOperations,
    directory: directory.journal,
    heldPaths: [directory.root],
    segmentSize: config.journalSegmentMib << 20,
    notice: () => {},
  });
  try {
    await requireProfileOf(journal, config.profile);
    await prepareSandbox(config, directory.root);
    const last = journal.last();
    const epoch = as<Epoch>(Math.max(await lastEpochOf(journal), epochBefore) + 1);
    return { origin: journal.origin(), head: { epoch, last, hash: journal.lastHash() } };
  } finally {
    await journal.close();
  }
}

async function lastEpochOf(journal: FileJournal): Promise<number> {
  const last = journal.last();
  if (last < journal.first()) return 0;
  for await (const entries of journal.read(last)) return entries.at(-1)!.epoch;
  return 0;
}
