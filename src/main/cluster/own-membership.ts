import { type Polling, startPolling } from '#base/polling.ts';
import type { Epoch } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandLog } from '#cluster/command-log.ts';
import type { ClusterFile } from '#main/cluster/cluster-file.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import {
  type Membership,
  OtherMembership,
  readMembership,
  withNodes,
  writeMembership,
} from '#main/storage/membership.ts';

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

/** What writing down which nodes there are needs. */
interface KeepingParts extends Pick<Polling, 'repeat' | 'onTrouble'> {
  readonly log: Pick<CommandLog, 'nodes'>;
}

const everyMs = 2000;

/** Writes down which nodes there are, for the day on which no quorum can tell. DEC-CLU-17. Answers what ends it. */
export function keepNodes(directory: DataDirectory, own: OwnCluster, { log, ...polling }: KeepingParts): () => void {
  let membership = readMembership(directory);
  const worker = startPolling({
    what: 'writing down which nodes there are',
    poll: async () => {
      const nodes = await log.nodes().catch(() => []);
      const names = nodes.map(({ node }) => node);
      membership = noteNodes(directory, own, membership, names);
    },
    ...{ ...polling, everyMs, skippedMax: 0 },
  });
  return () => void worker.stop();
}
