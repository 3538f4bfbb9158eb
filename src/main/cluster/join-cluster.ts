import type { Profile } from '#model/profile.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { BrokenNote } from '#cluster/command-log.ts';
import { answered } from '#main/cluster/await-quorum.ts';
import type { ClusterFile } from '#main/cluster/cluster-file.ts';
import { type ChainParts, ClusterRefused, joinChain } from '#main/cluster/join-chain.ts';
import { cutVoided, passOnNote, stillThere } from '#main/cluster/voided-entries.ts';
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
  /** Last entry of the own journal. */
  readonly journaled: Seq;
  /** As `StandbyParts.ownNote`. */
  readonly ownNote: BrokenNote | null;
}

/** What joining needs. */
export interface JoinParts extends Omit<ChainParts, 'directory' | 'origin' | 'build' | 'onEmpty'> {
  readonly identity: NodeIdentity;
}

/**
 * Waits until the quorum answers, cuts what only the own journal has, fetches from other nodes what it lacks and the
 * log does not keep, and answers what a start needs to know. DEC-CLU-01, DEC-CLU-06, DEC-CLU-13.
 * From then on the directory starts only as a node. DEC-CLU-15.
 * @throws ClusterRefused, OtherMembership, StandbyStopped, BehindLog, JournalDiverged, JournalDamaged
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
  const ownNote = await passOnNote(parts, directory);
  await cutVoided(parts, directory);
  const { origin } = foundation;
  const note = (): void => void noteNodes(directory, file, membership);
  const journaled = await joinChain({ ...parts, build: identity.build, directory, origin, onEmpty: note });
  note();
  return { origin, applied, journaled, ownNote: await stillThere(directory, ownNote) };
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
