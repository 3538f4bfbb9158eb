import type { AppendTimes } from '#cluster/append-times.ts';
import type { ClusterState } from '#cluster/cluster-monitor.ts';
import type { LinkCounts } from '#cluster/link/link-server.ts';
import {
  counter,
  declareMetrics,
  gauge,
  histogram,
  type MetricSource,
  sourceOf,
} from '#main/metrics/declare-metrics.ts';

/** Metrics of a node of a cluster; an exchange by itself tells none of them. */
export const clusterMetrics = declareMetrics(
  'Cluster',
  {
    position: '`journaled` on the own disk, `applied` to the own state',
    role: '`candidate`, which may lead, or `learner`',
    reason: '`wrongKey`, or `unproven` for all that did not say who they are, those included',
  },
  {
    bourse_cluster_leader: gauge('1 while this node leads and takes commands; else 0.'),
    bourse_cluster_led: gauge('1 while some node leads, as far as this one was told; else 0.'),
    bourse_cluster_epoch: gauge('Epoch of the leader, or of the last one: it rises with each term.'),
    bourse_cluster_lag_entries: gauge('Entries that the quorum has and this node has not.', ['position']),
    bourse_cluster_quorum_silence_seconds: gauge('Time since the quorum answered this node last.'),
    bourse_cluster_clock_offset_seconds: gauge(
      "This machine's clock less the leader's, as much of it as is certain; absent until it is measured.",
    ),
    bourse_cluster_append_seconds: histogram('Time that the quorum took to take a batch of this node.'),
    bourse_cluster_batches_taken_back_total: counter('Batches that the log refused for lack of space.'),
    bourse_cluster_log_bytes: gauge('Space that the log of the cluster takes.'),
    bourse_cluster_log_bytes_max: gauge('Space that it takes at most, as long as etcd has that much.'),
    bourse_cluster_log_full: gauge('1 while the alarm of etcd says that it has no space; else 0.'),
    bourse_cluster_nodes: gauge('Nodes that reported within the last ten seconds.', ['role']),
    bourse_cluster_link_connections: gauge('Nodes that are connected to this one.'),
    bourse_cluster_link_refusals_total: counter('Connections to the link that were refused.', ['reason']),
    bourse_cluster_leader_connected: gauge('1 while this node is connected to the leader, or leads; else 0.'),
    bourse_cluster_take_over_seconds: gauge('Time in which nobody led before this node did; absent if it never did.'),
  },
);

/** What the metrics of a cluster are read from. */
export interface ClusterMetricParts {
  state(): ClusterState;
  linkCounts(): LinkCounts;
  readonly isLeaderConnected: boolean;
  readonly times: AppendTimes;
}

/** The source of a cluster's metrics; `undefined`: there is no cluster, and nothing to tell. */
export const clusterSource = (cluster: ClusterMetricParts | undefined): MetricSource =>
  cluster === undefined
    ? { section: clusterMetrics, read: () => Promise.resolve({}) }
    : sourceOf(clusterMetrics, () => readingsOf(cluster));

function readingsOf(cluster: ClusterMetricParts) {
  const { isLeading, leader, epoch, head, journaled, applied, size, nodes, takeOverMs, ...rest } = cluster.state();
  const { connected, wrongKey, unproven } = cluster.linkCounts();
  const { times } = cluster;
  const candidates = nodes?.filter(({ isCandidate }) => isCandidate).length ?? 0;
  return {
    bourse_cluster_leader: isLeading ? 1 : 0,
    bourse_cluster_led: leader === null ? 0 : 1,
    bourse_cluster_epoch: epoch,
    bourse_cluster_lag_entries: [
      [{ position: 'journaled' }, Math.max(0, head - journaled)],
      [{ position: 'applied' }, Math.max(0, head - applied)],
    ] as const,
    bourse_cluster_quorum_silence_seconds: rest.quorumSilentMs / 1000,
    bourse_cluster_clock_offset_seconds: rest.clockOffsetMs === null ? null : rest.clockOffsetMs / 1000,
    bourse_cluster_append_seconds: times.read(),
    bourse_cluster_batches_taken_back_total: times.batchesTakenBack,
    bourse_cluster_log_bytes: size?.bytes ?? null,
    bourse_cluster_log_bytes_max: size?.most ?? null,
    bourse_cluster_log_full: size === null ? null : Number(size.isFull),
    bourse_cluster_nodes:
      nodes === null
        ? []
        : ([
            [{ role: 'candidate' }, candidates],
            [{ role: 'learner' }, nodes.length - candidates],
          ] as const),
    bourse_cluster_link_connections: connected,
    bourse_cluster_link_refusals_total: [
      [{ reason: 'wrongKey' }, wrongKey],
      [{ reason: 'unproven' }, unproven],
    ] as const,
    bourse_cluster_leader_connected: isLeading || cluster.isLeaderConnected ? 1 : 0,
    bourse_cluster_take_over_seconds: takeOverMs === null ? null : takeOverMs / 1000,
  };
}
