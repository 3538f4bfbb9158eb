import { BehindLog, JournalDiverged } from '#cluster/standby.ts';
import { type ClusterCall, refused } from '#main/cluster/cluster-command.ts';
import { ClusterRefused } from '#main/cluster/join-chain.ts';
import { joinCluster } from '#main/cluster/join-cluster.ts';
import { fingerprintOf, linkKeyOf } from '#main/cluster/open-cluster.ts';
import { loadMasterKeys } from '#main/secrets/master-key.ts';
import { claimDataDirectory, layoutOf } from '#main/storage/data-directory.ts';
import { CommandFailed, exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';

/**
 * Does what the first start of a node does before it serves: fetches from other nodes what the log of the cluster no
 * longer keeps. What an interrupted one has is kept. DEC-CLU-13.
 */
export async function joinByCommand({ config, file, log, tell }: ClusterCall, build: string): Promise<string> {
  const keys = loadMasterKeys(config);
  const directory = layoutOf(config.data);
  const claim = claimDataDirectory(directory);
  try {
    const identity = { profile: config.profile, keyFingerprint: fingerprintOf(keys), build };
    const parts = { file, log, identity, linkKey: linkKeyOf(keys, file), tell, isStopped: () => false };
    const { journaled } = await joinCluster({ ...parts, isPatient: false }, directory);
    claim.release();
    const is = `${directory.root} has everything of the cluster ${file.exchange} up to entry ${journaled}`;
    return `${is}: start the node.\n`;
  } catch (error) {
    if (error instanceof ClusterRefused) claim.undo();
    else claim.release();
    throw named(error);
  }
}

/** Gives what keeps a node from joining its exit code. */
function named(error: unknown): unknown {
  if (error instanceof ClusterRefused) return usedWrongly(error.message);
  if (error instanceof BehindLog) return refused(error.message);
  if (error instanceof JournalDiverged) return new CommandFailed(exitCodes.data, error.message);
  return error;
}
