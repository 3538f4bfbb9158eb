import type { CommandLog, HeadAt, Leader, NodeStatus } from '#cluster/command-log.ts';
import { type ClusterCall, refused } from '#main/cluster/cluster-command.ts';
import { safeText, TextTable } from '#operator-commands/text-table.ts';

/** What is known of a cluster at one moment; `--json` prints it as it is. */
interface ClusterStatus {
  readonly exchange: string;
  readonly epoch: number;
  /** Last entry of the log. */
  readonly last: number;
  /** The leader has applied entries up to here, as far as it told. */
  readonly applied: number;
  readonly batchBytes: number;
  readonly leader: string | null;
  readonly nodes: readonly NodeRow[];
  /** What is not as it is to be for long; empty: nothing. */
  readonly notices: readonly string[];
}

interface NodeRow extends NodeStatus {
  readonly role: 'leads' | 'stands by' | 'learns';
  /** Entries of the log that its files lack. */
  readonly lag: number;
  /** Seconds since it reported. */
  readonly silentSeconds: number;
}

/** Who leads, and how far each node is, as text or as JSON. DEC-CLU-04. */
export async function showStatus({ file: { exchange }, log }: ClusterCall, isJson = false): Promise<string> {
  const status = await statusOf(log, exchange);
  if (isJson) return `${JSON.stringify(status, null, 2)}\n`;
  const { epoch, last, applied, batchBytes, leader, nodes, notices } = status;
  const table = new TextTable(['node', 'role', 'journaled', 'lag', 'applied', 'seen', 'address', 'build']);
  const rows = nodes.map((node) => [
    ...[node.node, node.role, String(node.journaled), String(node.lag), String(node.applied)],
    ...[`${node.silentSeconds} s ago`, safeText(node.address) || '-', safeText(node.build)],
  ]);
  return [
    `Cluster ${exchange}: epoch ${epoch}, last entry ${last}, applied ${applied}, ` +
      `${Math.ceil(batchBytes / 1024)} KiB of batches kept.`,
    leader === null ? 'Nobody leads.' : `${leader} leads.`,
    `${table.add(rows)}${notices.map((notice) => `${notice}\n`).join('')}`,
  ].join('\n');
}

async function statusOf(log: CommandLog, exchange: string): Promise<ClusterStatus> {
  // What nodes have grows: asked before the head, no lag is negative but by what came in between.
  const reports = await log.nodes();
  const [at, leader, applied, size] = await Promise.all([log.head(), log.leader(), log.applied(), log.size()]);
  if (at === null) throw refused(`the quorum keeps no cluster named ${exchange}`);
  const rows = await Promise.all(reports.map((node) => rowOf(log, node, { at, leader })));
  const nodes = rows.filter((row) => row !== null);
  return {
    ...{ exchange, epoch: at.head.epoch, last: at.head.last, applied, batchBytes: size.bytes },
    ...{ leader: leader?.node ?? null, nodes, notices: noticesOf(nodes, leader) },
  };
}

/** `null`: its report has ended meanwhile. */
async function rowOf(
  log: CommandLog,
  node: NodeStatus,
  { at, leader }: { readonly at: HeadAt; readonly leader: Leader | null },
): Promise<NodeRow | null> {
  const silentSeconds = await log.silence(node.node);
  if (silentSeconds === null) return null;
  const role = leader?.node === node.node ? 'leads' : node.isCandidate ? 'stands by' : 'learns';
  return { ...node, role, lag: Math.max(0, at.head.last - node.journaled), silentSeconds };
}

/** In what the nodes differ, as in an upgrade that is not done, and a leader that is cut off. */
function noticesOf(nodes: readonly NodeRow[], leader: Leader | null): readonly string[] {
  const notices: string[] = [];
  const differ = (what: string, valueIn: (node: NodeRow) => string | number): void => {
    const values = new Map<string | number, string[]>();
    for (const node of nodes) values.set(valueIn(node), [...(values.get(valueIn(node)) ?? []), node.node]);
    if (values.size < 2) return;
    const parts = [...values].map(([value, names]) => `${names.join(', ')}: ${value}`);
    notices.push(`Nodes differ in ${what}: ${parts.join('; ')}.`);
  };
  differ('their build', ({ build }) => build);
  differ('the newest rules that they know', (node) => node.newestRules);
  if (leader !== null && !nodes.some(({ node }) => node === leader.node))
    notices.push(`${leader.node} leads, and does not report.`);
  return notices;
}
