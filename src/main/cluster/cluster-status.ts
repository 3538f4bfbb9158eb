import { type ClusterCall, refused } from '#main/cluster/cluster-command.ts';

const rowOf = (node: string, role: string, journaled: string, applied: string, build: string): string =>
  `${node.padEnd(16)}  ${role.padEnd(9)}  ${journaled.padStart(14)}  ${applied.padStart(14)}  ${build}`;

/** Who leads, and how far each node is. DEC-CLU-04. */
export async function showStatus({ file: { exchange }, log }: ClusterCall): Promise<string> {
  const [at, leader, applied, nodes, size] = await Promise.all([
    log.head(),
    log.leader(),
    log.applied(),
    log.nodes(),
    log.size(),
  ]);
  if (at === null) throw refused(`the quorum keeps no cluster named ${exchange}`);
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
