import { setTimeout } from 'node:timers/promises';
import type { Profile } from '#model/profile.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type CommandLog, LogUnreachable } from '#cluster/command-log.ts';
import { leavesInDamage, readChain } from '#cluster/log-chain.ts';
import { BehindLog } from '#cluster/standby.ts';
import { compareWithLog, cutAhead } from '#journal/log-comparison.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import type { ClusterFile } from '#main/cluster/cluster-file.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import {
  type Membership,
  OtherMembership,
  readMembership,
  withNodes,
  writeMembership,
} from '#main/storage/membership.ts';

/** What a node has in common with its cluster. */
export interface NodeIdentity {
  readonly profile: Profile;
  readonly keyFingerprint: string;
  /** Version of the build. */
  readonly build: string;
}

/** What a start needs to know of the cluster before it opens its own journal. */
export interface Ground {
  readonly origin: Uint8Array;
  /** Entries after it may not be applied yet. */
  readonly applied: Seq;
}

/** The node was stopped before it led. */
export class StandbyStopped extends Error {
  override name = 'StandbyStopped';
}

/** This node does not belong to the cluster that its file names. */
export class ClusterRefused extends Error {
  override name = 'ClusterRefused';
}

/** What joining needs. */
export interface JoinParts {
  readonly file: ClusterFile;
  readonly log: CommandLog;
  readonly identity: NodeIdentity;
  readonly tell: (message: string) => void;
  readonly isStopped: () => boolean;
}

const retryMs = 500;

/**
 * Waits until the quorum answers, cuts what only the own journal has, and answers what a start needs to know.
 * DEC-CLU-01, DEC-CLU-06. From then on the directory starts only as a node. DEC-CLU-15.
 * @throws ClusterRefused, OtherMembership, StandbyStopped, BehindLog, JournalDamaged
 */
export async function joinCluster(parts: JoinParts, directory: DataDirectory): Promise<Ground> {
  const { log, file, identity } = parts;
  const membership = readMembership(directory);
  requireSameCluster(directory, membership, file);
  const [foundation, applied] = await answered(parts, () => Promise.all([log.foundation(), log.applied()]));
  if (foundation === null)
    throw new ClusterRefused(
      `${file.etcd.endpoints.join(', ')} keeps no cluster named ${file.exchange}: begin it with bourse cluster init`,
    );
  if (foundation.profile !== identity.profile)
    throw new ClusterRefused(`the cluster ${file.exchange} is of the ${foundation.profile} profile`);
  if (foundation.keyFingerprint !== identity.keyFingerprint)
    throw new ClusterRefused(`the cluster ${file.exchange} seals with another master key: give all nodes the same`);
  await joinChain(parts, directory, foundation.origin);
  noteNodes(directory, file, membership);
  return { origin: foundation.origin, applied };
}

function requireSameCluster({ root }: DataDirectory, membership: Membership | null, { exchange }: ClusterFile): void {
  if (membership === null || membership.standing === 'left' || membership.exchange === exchange) return;
  throw new OtherMembership(
    `${root} is of a node of the cluster ${membership.exchange}: its cluster file names ${exchange}`,
  );
}

/** Writes down that the directory is of a node, and which other nodes there are, where that is new. */
export function noteNodes(
  directory: DataDirectory,
  { exchange, node }: ClusterFile,
  before: Membership | null,
  reporting: readonly string[] = [],
): Membership {
  const known = before?.exchange === exchange && before.standing !== 'left' ? before.nodes : [];
  const nodes = withNodes(known, [node, ...reporting]);
  if (before?.standing === 'node' && nodes.length === before.nodes.length) return before;
  const membership: Membership = { exchange, standing: 'node', epoch: as<Epoch>(0), nodes };
  writeMembership(directory, membership);
  return membership;
}

async function joinChain(parts: JoinParts, directory: DataDirectory, origin: Uint8Array): Promise<void> {
  const { log, file, tell } = parts;
  const { journal, snapshots, quarantine } = directory;
  const chain = await answered(parts, () => readChain(log));
  const { points } = chain;
  await nodeFileOperations.makeDirectory(journal);
  const comparison = await compareWithLog({ files: nodeFileOperations, journal }, { origin, points });
  switch (comparison.kind) {
    case 'follows':
      return;
    case 'ahead': {
      if (leavesInDamage(chain, comparison.last, comparison.next))
        throw new BehindLog(
          `the log of the cluster is damaged after entry ${comparison.last}, where the journal in ${journal} may be ` +
            'right: nothing is cut. Start again once the leader has dropped them, or put a backup of another ' +
            'node in its place',
        );
      const cut = { files: nodeFileOperations, journal, snapshots, aside: quarantine, comparison };
      const { first, last, folder } = await cutAhead(cut);
      tell(`Entries ${first} to ${last} were never in the quorum, and nobody was answered: they lie in ${folder}.`);
      return;
    }
    case 'foreign':
      throw new ClusterRefused(`the journal in ${journal} is not that of the cluster ${file.exchange}`);
    case 'undecided':
      throw new BehindLog(
        `the journal in ${journal} ends at entry ${comparison.end}, and the log of the cluster begins at entry ` +
          `${points[0]!.last + 1}: put a newer backup of another node in its place`,
      );
  }
}

/** What the quorum answers, once it does. @throws StandbyStopped */
async function answered<Result>({ tell, isStopped }: JoinParts, ask: () => Promise<Result>): Promise<Result> {
  for (let isTold = false; ; isTold = true) {
    if (isStopped()) throw new StandbyStopped('stopped before the quorum answered');
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof LogUnreachable)) throw error;
      if (!isTold) tell(`Waiting for the quorum: ${error.message}.`);
    }
    await setTimeout(retryMs);
  }
}
