import type { Epoch } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { ClusterFile } from '#main/cluster/cluster-file.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { type Membership, OtherMembership, withNodes, writeMembership } from '#main/storage/membership.ts';

/** The cluster that a node belongs to. */
export interface OwnCluster {
  readonly file: Pick<ClusterFile, 'exchange' | 'node'>;
  /** Of its foundation. */
  readonly origin: Uint8Array;
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The origin that a membership says. */
export const originOf = ({ origin }: Membership): Uint8Array => new Uint8Array(Buffer.from(origin, 'hex'));

/** Refuses the directory of a node of a cluster with another name. @throws OtherMembership */
export function requireSameName(
  { root }: DataDirectory,
  membership: Membership | null,
  { exchange }: OwnCluster['file'],
): void {
  if (membership === null || membership.standing === 'left' || membership.exchange === exchange) return;
  throw new OtherMembership(
    `${root} is of a node of the cluster ${membership.exchange}: its cluster file names ${exchange}`,
  );
}

/** Refuses the directory of a node of a cluster with the same name and another journal. @throws OtherMembership */
export function requireSameOrigin({ root }: DataDirectory, membership: Membership | null, own: OwnCluster): void {
  if (membership === null || membership.standing === 'left' || membership.origin === hexOf(own.origin)) return;
  throw new OtherMembership(`${root} is of a node of another cluster that is named ${own.file.exchange} too`);
}

/** A directory of a cluster, with itself as the only node. */
export const firstMembership = (
  { file: { exchange, node }, origin }: OwnCluster,
  standing: Membership['standing'],
): Membership => ({ exchange, standing, origin: hexOf(origin), epoch: as<Epoch>(0), nodes: [node] });

/** Writes down that the directory is of a node, and which other nodes there are, where that is new. DEC-CLU-15. */
export function noteNodes(
  directory: DataDirectory,
  own: OwnCluster,
  before: Membership | null,
  reporting: readonly string[] = [],
): Membership {
  const first = firstMembership(own, 'node');
  const known = before === null || before.standing === 'left' ? [] : before.nodes;
  const membership = { ...first, nodes: withNodes(known, [...first.nodes, ...reporting]) };
  if (before?.standing === 'node' && membership.nodes.length === before.nodes.length) return before;
  writeMembership(directory, membership);
  return membership;
}
