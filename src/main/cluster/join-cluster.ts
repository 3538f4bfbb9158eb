import type { Profile } from '#model/profile.ts';
import type { Seq } from '#model/units.ts';
import type { BrokenNote } from '#cluster/command-log.ts';
import { answered } from '#main/cluster/await-quorum.ts';
import { type ChainParts, ClusterRefused, joinChain } from '#main/cluster/join-chain.ts';
import { requireKnownForms } from '#main/cluster/require-known-forms.ts';
import { noteNodes, requireSameName, requireSameOrigin } from '#main/cluster/own-membership.ts';
import { cutVoided, passOnNote, stillThere } from '#main/cluster/voided-entries.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { type Membership, readMembership } from '#main/storage/membership.ts';

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
 * log does not keep, and answers what a start needs to know. DEC-CLU-01, DEC-CLU-06, DEC-CLU-13, DEC-CLU-28.
 * From then on the directory starts only as a node. DEC-CLU-15.
 * @throws ClusterRefused, OtherMembership, StandbyStopped, BehindLog, JournalDiverged, JournalDamaged
 */
export async function joinCluster(parts: JoinParts, directory: DataDirectory): Promise<Ground> {
  const { log, file, identity } = parts;
  const membership = readMembership(directory);
  requireSameName(directory, membership, file);
  const [foundation, applied] = await answered(parts, () => Promise.all([log.foundation(), log.applied()]));
  if (foundation === null) throw new ClusterRefused(await answered(parts, () => whyNone(parts, membership)));
  if (foundation.profile !== identity.profile)
    throw new ClusterRefused(`the cluster ${file.exchange} is of the ${foundation.profile} profile`);
  if (foundation.keyFingerprint !== identity.keyFingerprint)
    throw new ClusterRefused(`the cluster ${file.exchange} seals with another master key: give all nodes the same`);
  await requireKnownForms(parts);
  const { origin } = foundation;
  const own = { file, origin };
  requireSameOrigin(directory, membership, own);
  const ownNote = await passOnNote(parts, directory);
  await cutVoided(parts, directory);
  const note = (): void => void noteNodes(directory, own, membership);
  const journaled = await joinChain({ ...parts, build: identity.build, directory, origin, onEmpty: note });
  note();
  return { origin, applied, journaled, ownNote: await stillThere(directory, ownNote) };
}

/** Why the quorum keeps no cluster of this name. */
async function whyNone({ log, file }: JoinParts, membership: Membership | null): Promise<string> {
  const { exchange, etcd } = file;
  const end = await log.ended();
  if (end !== null)
    return `the cluster ${exchange} is over after entry ${end.head.last}: the exchange goes on at ${end.node} alone`;
  const none = `${etcd.endpoints.join(', ')} keeps no cluster named ${exchange}`;
  return membership?.standing === 'node'
    ? `${none}, and this is a node of one: where it was lost, bourse cluster reconcile brings it back`
    : `${none}: begin it with bourse cluster init`;
}
